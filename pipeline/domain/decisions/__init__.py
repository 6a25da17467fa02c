"""Decisions of an agent's roles: recorded, found when they are due, and settled.

Every statement that writes `role_memory` is here; the judgement itself is in `reflection`.

Reading order: `model` (a decision and its verdict), `tally` (what a pass did), `plan` (its stop,
target, size and leverage), `checks` and `frozen_context` (what may be recorded), `lesson_sets`
(what prompts held), `record`, `from_trips` (round trips as decisions), `mark` (an outcome by hand),
`carried` (those of an import), `lateness` (what was recorded too late), `triggers` (when a role
reflects), `price_needs` (which prices decisions wait for) and `has_work` (since when), `settle`
(verdict, end, pause) and `judge_evidence` (what a judge saw), `ladder` and `measure_outcomes` (what
became of each over fixed windows), `read`, `lineage` (what one comes from), `edges` and `embed`
(two jobs), `metrics`, `area` (the kinds of jobs). The SQL by purpose: `write_rows`, `due_rows`
(what is to be judged or measured, and which prices it lacks), `settle_rows`, `read_rows`.
"""
