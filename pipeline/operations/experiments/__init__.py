"""Experiments on past decisions: graduation and memory, each held against decisions without it.

Reading order: `ablate` with `ablate_rows` (is graduation worth following: nothing is asked).

Reading order of what asks a model again: `past_rows` (the SQL) and `past` (decisions that are asked
again), `recollection` (what memory tells about one) and `sham` (another memory of equal form),
`decide` (the question and its answer), `probe` (does today's memory change an answer),
`arm_results` (what answers are worth) and `arms` (does memory help).
"""
