"""Outcomes: measure what became of a decision, and collect evidence for its judge.

Reading order: `model` (an outcome as it is stored), `measure` (the one measurement), `probes` (how
a role's outcome is declared), `told` (an outcome in words, and as a decision keeps it), `rows` (the
SQL), `tools` and `evidence` (read-only post-hoc sources, held to what was known at a moment),
`area` (what the room declares).
"""
