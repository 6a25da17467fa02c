"""Run the whole learning loop over past prices and decisions, with equal results each time.

Reading order: `model` (settings and status), `passes` (when the loop does its work), `roles` (who
decides), `calls` (what rules and placebos decide), `methods` (what they cite), `ids` (ids that
follow from a seed), `plan` (what a replay is to be made of), `read_inputs` (the files),
`from_group` and `trips` (other sources), `fill_prices` (fills as prices), `made` (calls as
decisions), `prepare` (all of it into the file), `loop` (pass after pass), `pauses` (when prices
come back), `judge` (who explains wrong decisions), `digest` (what is hashed), `chain` (the links),
`run` (to the end, and how far), `slices` (the same as jobs), `rows` (the SQL), `area` (what the
room declares).
"""
