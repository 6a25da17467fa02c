"""Rules about markets: the meaning of a symbol, prices, and whether a decision was right.

Reading order: `taxonomy` (the facts) with `dollars` (tokens worth a dollar, and since when not),
`symbols` (one key for every written form), `classes` (asset class and group), `aliases` (names in
English and Chinese). Then prices: `decimals`, `bars` (when a bar may be used), `splits` (comparable
raw prices), `windows` (when an outcome is due, how old a price may be), `volatility` (the noise
band and costs), `outcome` (right, wrong, noise, unknown).
Measuring: `exact` (whole numbers, rounded once), `extremes` (the lowest of any stretch), `ladder`
(a series with running sums), `excursions` (how far it went meanwhile), `market_record` (base rates,
typical moves, terciles, betas) of `typical_ratio`, `week_profile` (usual moves by the time of the
week) and `trend_base` (what followed rises and falls), `signals` (three textbook rules that call a
side).
"""
