"""Erase stored content from every place that holds it, and prove that it is gone.

Reading order: `model` (request, preview and proof), `places` (columns that can hold the content),
`matching` (which texts match), `find_rows` (which rows match), `seal` and `erase` (one
transaction), `scrub` (rewrite the file without old bytes), `residue`, `finder` and `grep` (residue
patterns, and the search for them), `prove`, `copies` and `workspace` (files that are not changed),
`forget` (all steps, after any crash), `area`, `rows` (the SQL).
"""
