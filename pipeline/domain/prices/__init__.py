"""Prices a group has: imported or fetched, kept with the moment they became known.

Reading order: `model` (a series as it is kept, what an import did), `rows` (every SQL statement),
`keep` (bars into the store, in short transactions), `fetch` (from a feed, on from the last known
bar), `missing` (what decisions wait for) with `fetch_rows`, `fetch_missing` and `area` (the job
that asks for it), `stored` (a `PriceSource` over the store), `held` (what it has read), `overview`.
"""
