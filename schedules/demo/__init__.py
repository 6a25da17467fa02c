"""`afterword demo`: from trades and decisions to memories, a record and a prompt.

Reading order: `command` (the command), `run` (all steps), `prices` (real prices from `data/`),
`rule` and `trades` (trades of a simple rule, in the form of the venue's API), `decided` (one
decision, from record to verdict), `weighed` (the record of all of them), `methods` (two methods,
one of which shows skill), `recalled` (questions, and the prompt of the next session), `taught`
(what turns taught), `learnt` (what the trades show), `replayed` (the whole loop over a year),
`report_view` (all of it as it is told).
"""
