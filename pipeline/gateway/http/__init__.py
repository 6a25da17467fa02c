"""Asking somebody outside: what is the same whoever is asked, and whatever it is about.

Reading order: `model` (who is asked, and how it can fail), `address` (settings that can work),
`wire` (one POST, one deadline), `status` (what a refusal means), `circuit` (when nobody is asked)
with `breaker` (its verbs over all processes), and `rows`.
"""
