"""Rules about evidence: when a pattern of decisions, or a habit in trades, may be told.

Reading order: `model` (setups, hypotheses, votes, records), `rates` (base rate, shrunk rate,
interval), `market_rate` (what the market itself did in a setup), `bets` (e-values and the choice
among them), `stretches` (decisions that count once), `totals` (counts of a setup),
`stretch_records` (its stretches one by one), `trial` (one hypothesis: confirmed, retired, its
scope), `needed` (how many more stretches), `family` (the twelve of a role
and asset class), `neutral` (the limit of a neutral call), `calibration` (stated confidence),
`overlap` (results that share prices), `intervals` (how wide one is), `differences` (of a cell from
the others), `best_of` (the best of several tries), `habits` (edges and habits in trades),
`method_record` (the votes of a methodology),
`method_progress` (the same vote by vote), `graduation` (when it may enter prompts), `paired`
(whether one arm beats another), `gated` (whether graduation is worth following), `holdout` (which
prompts go without a lesson) with `lesson_effect` (whether reading it helps), `equity` (results at
equal risk), `words` (sentences for all of it).
"""
