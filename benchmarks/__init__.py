"""What the product must reach, each question measured against a floor in the same run.

Reading order: `answer` (what a question prints), `machine` and `timing`, `texts` (what is written),
`bare` and `bare_loop` (the floors), `host` (real processes), then a file per question.
`README.md` says how to read the numbers.
"""
