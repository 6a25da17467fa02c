"""What the trades of some files, or of an account that is kept, show.

Reading order: `report` (the values), `place` with `joint_prices` (where trades and prices are),
`look_home` (the folder of one look), `files` (trades and prices told apart), `venue_history` and
`from_venue` (what a venue has of an address), `store_files`, `gaps` and `fetch` (prices that are
missing), `fill_wins`, `doubts` (what speaks against the figures), `splits` (shares in other units),
`learn` (all of it), `kept` (the report on kept trades, not judged anew), `cells` (the trades of a
line), `price_path` (around a trade), `kept_trades` (lists of them), `overview` (of all), `totals`
(sums by month and market), `area` (what the room declares).
"""
