"""Reflection: judge each decision once its outcome is known, and keep the lesson it teaches.

Reading order: `reflect` (the job, and all passes at once), `steps` (the steps of a pass, in order),
`model` (the `Pass` they hand on), `effects` (what they write, really or in the shadow), `judging`
(the judging steps, side by side), `measure` (an outcome and its numbers), `case` (what a judge
sees), `judge` with `heuristic` and `llm_judge` (the two judges), `build` (which of them the
settings ask for), `reflect_now` with `reflect_now_rows` (at a person's request), `area` (the two
switches).
"""
