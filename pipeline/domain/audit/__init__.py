"""Audit: how healthy the learning loop is, from its own records, without touching them.

Reading order: `model` (scores, findings, a report), `scoring` (the six dimensions), `composite`
(one score of them, and its band), `records_rows` (what is scored), `busy` (wait for the agent),
`sealed` (a connection that may write one table), `run_audit` (one pass), `read` with `rows` (the
reports), `metrics`, `area` (what the room declares).
"""
