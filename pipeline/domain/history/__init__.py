"""History: what accounts traded on any venue, and the round trips it adds up to.

Reading order, the pure part: `fill` (the one shape of fills and closed trades), `accounts` (which
rows are of one), `model` (chains, trips), `trip` (what rooms above read), `parse` (rows of
Hyperliquid's API), `chain` (the order of execution), `positions` (what is held before and after
each fill), `round_trips` (flat to flat, and what a late page changes), `ledger` (whether a venue's
figures add up), `describe` (both in words), `checks` and `secrets` (of what comes in). The
store: `spool_file` and `spool` (one file, set aside), `import_fills` (the verb), `stopped` (why one
did not end), `files` (where two files meet), `undecided` (what a person decides about them),
`twins` and `other_layouts` (the same trades in two layouts), `stretch` (the part of a market it
reads), `gather`, `settlement` (the changes), `settle`, `settle_closed`, `read` (trips, and what is
open), `row_values` (equal values once), `fill_reads`, `area` (what the room declares), `rows`,
`trip_rows`, `open_rows`, `closed_rows` (the SQL). What an agent records itself: `trade` (its
values), `trade_checks`, `record_trade` (the verbs), `recorded_trades` (the reads, and which trades
are mirrored), `trade_history_rows`.
"""
