"""What came of a replay, and where two replays part.

Reading order: `model` (what a report says), `rows` (the SQL), `trips`, `equity`, `methods` and
`folds` (its parts), `report` (the whole), `coin_roles` (coin flips beside its roles); `compare`
with `compare_rows` (two replays).
"""
