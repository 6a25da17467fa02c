"""Erases what is to be forgotten from every place that holds it, and proves that it is gone.

Reading order: `model` (what is asked, found and proved), `places` (where remembered words can
stand), `matching` (which texts are meant), `look` (what would go), `seal` and `erase` (one
transaction), `scrub` (the file without leftovers), `needles`, `finder` and `grep` (what is looked
for, and how), `prove`, `copies` (what is out of reach), `forget` (all of it, from any crash on).
"""
