"""Trips: the round trips that fills add up to, and the trades that a venue reports closed.

Reading order, the pure part: `model` (chains, trips, open positions), `trip` (what rooms above
read), `chain` (the order of execution), `units` (of a share across a split), `positions` (what is
held before and after each fill), `part_sums` (what they add up to), `round_trips` (flat to flat,
and what a late page changes), `funded` (the payments of each), `ledger` (whether a venue's figures
add up), `describe` (a trip in words). The store: `stretch` (the part of a market that is settled at
once), `gather`, `share_splits` (those of what is held), `settlement` (the changes), `settle`,
`settle_fills` (the verb), `settle_closed`, `read` (trips, and what is open), `lineage` (its fills),
`row_values` (equal values once), `area` (what the room declares), `rows`, `day_rows` (days and
their sums), `name_rows` (trips by their names), `stretch_rows`, `open_rows`, `closed_rows` and
`unheld_funding` (the SQL).
"""
