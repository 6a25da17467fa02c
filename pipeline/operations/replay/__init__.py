"""Run the whole learning loop over past prices and decisions, with equal results each time.

Reading order: `model` (settings and status), `passes` (when the loop does its work), `roles` (who
decides), `calls` (what rules and placebos decide), `methods` (what they cite), `ids` (ids that
follow from a seed), `plan` (what a replay is to be made of), `read_inputs` (the files),
`from_group` and `trips` (other sources), `fill_prices` (fills as prices), `made` (calls as
decisions), `prepare` (all of it into the file), `loop` (pass after pass), `pauses` (when prices
come back), `judge` (who explains wrong decisions), `digest` (what is hashed), `chain` (the links),
`run` (to the end, and how far), `slices` (the same as jobs), `rows` (the SQL), `area` (what the
room declares).

Reading order of what reads replays: `report_model` (what is said), `report_rows` (the SQL),
`report_trips`, `report_equity`, `report_methods` and `report_folds` (its parts), `report` (the
whole), `coin_roles` (coin flips beside its roles); `compare` with `compare_rows` (where two replays
part); `ablate` with `ablate_rows` (is graduation worth following).

Reading order of what asks a model again: `past_rows` (the SQL) and `past` (decisions that are asked
again), `recollection` (what memory tells about one) and `sham` (another memory of equal form),
`decide` (the question and its answer), `probe` (does today's memory change an answer), `arms` (does
memory help).

Reading order of many replays side by side: `sweep_plan` (cells), `sweep_figures` (of one replay),
`sweep_cell` (run one anywhere), `sweep_engine` (processes, or a cluster), `walk_forward` (choose by
the past, judge by what follows), `sweep` (all of it).
"""
