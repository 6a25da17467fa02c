"""Decisions of an agent's roles: recorded when made, judged once their outcome is known.

Reading order: `model` (a decision, what became of it), `checks`, `context` (what it was made on),
`record`, `triggers` (when a role reflects), `case` (what a judge sees), `judge` (who is asked),
`heuristic` and `llm_judge` (the two there are), `settle` (what is written), `asking` (the two
questions), `reflect` (the pass), `reflect_now` (at a person's word), `mark` (an outcome by hand),
`recall` (lessons for a prompt), `read`, `edges`, `embed`, `area` (its jobs), `rows`,
`waiting_rows`, `reflect_now_rows` and `settle_rows` (the SQL).
"""
