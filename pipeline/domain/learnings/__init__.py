"""Learnings: how an agent did a task, suggested when it is asked for such a task again (R5).

Reading order: `model`; `triggers` (what a learning is about, in words), `procedures` (when two are
the same), `checks`; `learn` with `rows` (the skill manager of R5: keep one, or count a repetition),
`term_rows` (the words by which one is found); `review_later` and `review` with `reviewer`,
`rule_reviewer` and `llm_reviewer` (a finished turn becomes a learning), `build`; `suggest` (what
fits a message), `finish` with `adoption` (what a turn did with it), `effect` (turns with it and
without it), `delete`, `read` with `read_rows`, `lineage`, `metrics`, `area`.
"""
