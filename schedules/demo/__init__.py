"""`afterword demo`: the whole loop on real prices.

Reading order: `prices` (real, of an installed package), `rule` (what is traded), `trades` (as the
venue's API would return them), `command` (import, run, measure, ask).
"""
