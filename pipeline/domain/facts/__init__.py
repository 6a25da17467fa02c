"""Durable facts the agent recorded: one clean statement a topic, and why it is the one.

Reading order: `model` (a fact, an event), `record`, `normalise` with `numbers` and `fingerprint`
(when two writings are one statement), `consolidate` (the pass by rule), `judge` with `llm_judge`
and `shadow` (who may be asked), `wording`, `language` and `agreement` (what no judge can overrule),
`likeness` and `resolve` (the pass by judge), `undo`, `read`, `area` (its jobs), `rows` and
`event_rows` (the SQL).
"""
