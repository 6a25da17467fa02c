"""Trades: what became of each trip, and what the trips of an account show.

Reading order, the pure part: `model` (a trip with its outcome, and the report) with `sums_model`
(what trips add up to), `measure` (what became of trips), `positions` (lots that were entered
together), `local` (the zone that moments are told in), `labels` (what was known at the entry),
`cells` (every cut, and its test), `sums`, `statistics` and `mistakes` (counts by rule),
`open_positions` (what is in no result), `verdict_rule` (when which level counts), `report` (all of
it), `text` (its sentences). The store: `judge` (the verb), `tag` (words that trips are given),
`note` and `note_rows` (what their owner writes of them), `read` (what is named), `totals` (of all
trips), `journal` (those that fit, and what they came to by day), `fill_rows`, `user_trades` and
`recorded_results` (fills and recorded trades in one shape), `window` and `profile` (R3's trading
profile), `search` (of one asset), `rows` (the SQL), `area` (what the room declares).
"""
