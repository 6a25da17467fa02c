"""Cases: decisions that cite methodologies, the hints they were shown, and what came of them.

Reading order: `model` (a case and its citations), `standing` (whether a citation casts a vote),
`attribution` (who has which part of a result), `rows` (the SQL), `hints` (what was shown), `update`
(open cases, close them, share their results), `votes` with `vote_rows` (what both gates count),
`read` with `read_rows` (a case from hint to result), `area` (what the room declares).
"""
