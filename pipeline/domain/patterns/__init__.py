"""Patterns: what the record of a role shows, and how sure that is.

Reading order: `model` (a pattern), `rows` and `form_rows` (the SQL: what is counted, and what is
written), `family` (votes, and what was known when), `counts` (how decisions did), `cells` (the same
by direction and the move before), `support` (whether such a record ever contradicted a lesson),
`numbers` and `text` (what a pattern tells), `weigh` (the patterns of a role, written where they
changed), `kept` (the same pass after pass, for a replay), `triggers` (when that is done), `writer`
with `claims` (the model that words a pattern, and the check of its words), `word` (ask it), `build`
(whether the settings want it), `read` (patterns for prompts, commands and pages), `lineage` (the
decisions of one), `ageing` (what nobody tests), `effect` (whether one helped), `placebos` with
`placebo_rows` (coin flips in place of a role), `verify` (whether patterns are what their outcomes
give), `purge` with `purge_rows` (old texts), `has_work` (a rule of the schedule), `metrics`, `area`
(what the room declares).
"""
