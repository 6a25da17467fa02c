"""Durable facts the agent recorded: one statement per topic, and the decisions that led to it.

Reading order: `model` (a fact, an event), `record`, `normalise` with `numbers` and `fingerprint`
(when two texts are one statement), `consolidate` (the pass by rule), `judge` with `llm_judge` (the
model that is asked), `effects` (what its verdicts do, really or in the shadow), `wording`,
`language` and `agreement` (rules that overrule a judge), `likeness` and `resolve` (the pass by
judge), `undo`, `carried` (those of an import), `read`, `has_work` (a rule of the schedule), `area`
(the jobs), `rows` and `event_rows` (the SQL).
"""
