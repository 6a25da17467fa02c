"""Synthesis: the pass that scores methodologies and decides what becomes of them.

Reading order: `model` (what a pass found and did), `freeze` (markets under stress), `weigh` (the
figures of all methodologies), `gates` (who is promising, graduated, demoted), `judge` (doubts about
graduates, by rule), `llm_judge` (the same by a model), `review_rows` (what a judge sees), `build`
(the judge the settings ask for), `rows` (the passes that were), `luck` (how much of it is luck),
`synthesize` (one pass), `area` (what the room declares).
"""
