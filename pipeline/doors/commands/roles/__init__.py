"""`afterword role`: decisions, what became of them, and what was learned.

Reading order: `options`, `show` (list and show), `outcome_answer` (an outcome for JSON), `lines`
(decisions as lines of a file), `record`, `from_trips` (round trips become decisions), `reflect`
(and mark by hand), `recall`, `summary`, `pattern`, `app` (the group).
"""
