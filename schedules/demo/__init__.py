"""`afterword demo`: the whole loop on real prices.

Reading order: `prices` (real, of an installed package), `rule` (what is traded), `trades` (as the
venue's API would return them), `recalled` (what is found again), `decided` (a decision from record
to lesson), `command` (import, run, measure, ask).
"""
