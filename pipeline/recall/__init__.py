"""Read surfaces over several areas.

Reading order: `model` (a hit), `query` (what a query asks for), `fts` and `contains` (two ways to
find it), `search` (which of them, in which order).
"""
