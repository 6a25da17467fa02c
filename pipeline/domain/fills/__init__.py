"""Fills: what accounts executed on any venue, in one shape, as it came and as it is stored.

Reading order: `model` (the one shape of fills and closed trades), `money` (currencies and exact
amounts), `accounts` (which rows are of one), `checks` and `secrets` (of what comes in), `describe`
(a fill as texts), `area` (what the room declares), `rows` (the SQL), `read`.
"""
