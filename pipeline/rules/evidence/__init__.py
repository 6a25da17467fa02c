"""Rules about evidence: when a pattern of decisions, or a habit in trades, may be told.

Reading order: `model` (setups, hypotheses, votes, records), `rates` (base rate, shrunk rate,
interval), `market_rate` (what the market itself did in a setup), `bets` (e-values and the choice
among them), `joining` (rows that share time), `stretches` (the same, vote by vote), `totals`
(counts of a setup), `stretch_records` (its stretches one by one), `trial` (one hypothesis:
confirmed, retired, its scope), `needed` (how many more stretches), `family` (the twelve of a role
and asset class), `neutral` (the limit of a neutral call), `calibration` (stated confidence),
`overlap` (results that share prices), `intervals` (how wide one is), `differences` (of a cell from
the others), `best_of` (the best of several tries), `habits` (edges and habits in trades),
`method_record` (the votes of a methodology), `method_progress` (the same vote by vote),
`graduation` (when it may enter prompts), `paired` (whether one arm beats another), `gated` (whether
graduation is worth following), `holdout` (which prompts go without a lesson) with `lesson_effect`
(whether reading it helps), `equity` (results at equal risk), `words` (sentences for all of it).

What shares time counts once. What is proved differs, and with it what is joined. A stretch opens
when the one before it has ended; unless said otherwise, it ends with the longest row of its first
bar, and those on this bar vote: who joins later depends on the prices in between.

- `stretches`, of an asset: its decisions of one setup, vote by vote. Of the class: the stretches of
  all assets that open on one bar, which are one event.
- `trial`, a pattern that may be lost: the stretches of a setup with a vote on an asset that it is
  told of; one votes if it opens after the last one that voted.
- `method_record`, `method_progress`: all decisions that cite it, whatever the asset; each asset of
  the first bar votes once.
- `lesson_effect`: all decisions in its situation, of whatever arm: arms share the prices.
- `gated`: whole bars, and only those on which both arms decide: no other can be compared.
- `habits`: trips of one asset and direction; fills of one idea are one result.
- `domain/patterns` (`cells`, `support`), neutral calls: those of one class and move before. It ends
  with its first call, and all vote by their mean: they are counted, and no bet runs on them.
- `operations/replay_report/report`, stated confidence: decisions of one role and direction. It ends
  with the first one; only the number of stretches is used, to widen an interval.
- `operations/experiments/arms`: decisions that can be compared, as they are read one by one.
"""
