"""Synthesis: the pass that scores methodologies and decides what becomes of them.

Reading order: `model` (what a pass found and did), `freeze` (markets under stress), `weigh` (the
figures of all methodologies), `gates` (who is promising, graduated, demoted), `judge` (doubts about
graduates), `rows` (the passes that were), `synthesize` (one pass), `area` (what the room declares).
"""
