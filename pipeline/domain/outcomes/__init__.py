"""Outcomes: measure what became of a decision, and collect evidence for its judge.

Reading order: `model` (what is measured, and its outcome), `measure` (the one measurement),
`instant` (what decisions of one moment about an asset share), `paths` (the market around a
subject), `moves`, `beside` and `plans` (its parts), `obstacles` (why it cannot be measured),
`counting` (which outcomes count), `holdings` (a market while a position was held), `probes` (how a
role's outcome is declared), `told` (an outcome in words, and as a decision keeps it), `rows` (the
SQL), `tools` and `evidence` (read-only post-hoc sources, held to what was known at a moment),
`area` (what the room declares).
"""
