"""Reflection: judge each decision once its outcome is known, and keep what its judge saw and said.

Reading order: `reflect` (the job, and all passes at once), `steps` (the steps of a pass, in order),
`model` (the `Pass` they hand on), `effects` (what they write, really or in the shadow), `judging`
(the judging steps, side by side), `measure` (an outcome and its numbers), `standing` (how such
decisions had turned out) with `setup_walk` and `standing_rows` (how that is read), `case` (what a
judge sees), `rule_class` (the class by rule), `judge` with `heuristic` and `llm_judge` (the two
judges), `material` (what is kept of what a judge saw), `build` (which judge the settings ask for),
`area` (the two switches).
"""
