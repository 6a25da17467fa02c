"""`afterword demo`: from trades and one decision to memories, a lesson and a prompt.

Reading order: `command` (the command), `run` (all steps), `prices` (real prices from `data/`),
`rule` and `trades` (trades of a simple rule, in the form of the venue's API), `decided` (one
decision, from record to lesson), `recalled` (questions, and the prompt of the next session), `page`
(the printed page).
"""
