"""`afterword demo`: from trades and one decision to memories, a lesson and a prompt.

Reading order: `command` (the command), `run` (what it does, in order), `prices` (real ones, from
`data/`), `rule` and `trades` (what is traded, as the venue's API would return it), `decided` (one
decision, from record to lesson), `recalled` (questions, and the next session's prompt), `page`
(what is printed).
"""
