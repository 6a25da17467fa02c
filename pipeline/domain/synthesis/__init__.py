"""Synthesis: the pass that scores methodologies and decides what becomes of them.

Reading order: `model` (what a pass found and did), `freeze` (markets under stress), `stress_watch`
(the same for moments that follow each other), `weigh` (the figures of all methodologies), `weigher`
(the same pass after pass), `gates` (who is promising, graduated, demoted), `reads` (what a pass
reads, anew or kept), `judge` (doubts about graduates, by rule), `llm_judge` (the same by a model),
`review_rows` (what a judge sees), `review` (ask it, and do what it says), `clusters` (cases that
suggest a methodology), `seeds` (what is made of them and of patterns), `seed_rows` (their SQL),
`seed_writer` (a model that words them), `parts` (what a pass needs), `plant` (add the seeds),
`build` (the judge and the writer the settings ask for), `rows` (the passes that were), `luck` (how
much of it is luck), `synthesize` (one pass), `metrics`, `area` (what the room declares).
"""
