"""Outcomes: measure what became of a decision, and collect evidence for its judge.

Reading order: `probes` (how a role's outcome is declared and measured), `gather` (the prices around
one decision), `tools` and `evidence` (read-only post-hoc sources, held to what was known at a
moment).
"""
