"""Rules about markets, without state: what a symbol means and what kind of asset it is.

Reading order: `taxonomy` (the facts), `symbols` (one key for every written form), `classes`
(asset class and group), `aliases` (names in English and Chinese).
"""
