"""Benchmarks: each question is measured against a target, and against a floor in the same run.

Reading order: `answer` (what a question prints), `machine` and `timing`, `texts` (what is written),
`bare` and `bare_loop` (the floors), `host` (real processes), then a file per question.
`README.md` says how to read the numbers.
"""
