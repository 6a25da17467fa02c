"""Recorded trades: what an agent says that it traded, and which imported fills are the same trade.

Reading order: `model`, `checks`, `record` (the verbs), `read` (the trades, and which are mirrored),
`lineage` (what one comes from), `area` (what the room declares), `rows` (the SQL).
"""
