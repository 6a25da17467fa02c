"""Prices: the sources they come from, and the bars that a group has stored.

Reading order: `feed` (the protocols: a `PriceSource` is read as of a moment, a `PriceFeed` is asked
for bars), `book` (a `PriceSource` in memory), `csv_file` (bars and prints from files) with `names`
and `read_table` (tables of other programs), its `columns`, `json_rows` and `lengths`, `intervals`,
`split_file` (a table of splits); `hyperliquid` with `candles` and `hyperliquid_markets` (the
venue's feed), `build` (the feed the settings ask for). The store: `model`, `rows` (the SQL), `keep`
(write bars, in short transactions), `stored` (a `PriceSource` over the store) with `bar_cache` and
`record_cache`, `keep_classes` with `class_rows` (what is stated of the class of a market),
`overview`, `key_rows` (series under keys of an earlier release). Fetching: `fetch` (one series,
from its last bar on), `wanted` (what decisions need), `bar_gaps` (which bars are missing),
`fetch_gaps` with `fetch_rows` and `area` (the job that asks for them).
"""
