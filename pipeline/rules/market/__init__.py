"""Rules about markets, without state: what a symbol means, what a price is, who was right.

Reading order: `taxonomy` (the facts), `symbols` (one key for every written form), `classes`
(asset class and group), `aliases` (names in English and Chinese). Then prices: `decimals`, `bars`
(when one may be used), `splits` (raw prices made comparable), `windows` (when an outcome is due,
how old a price may be), `volatility` (the noise band), `outcome` (right, wrong, noise, unknown),
`track` (one decision's market, also beside its peers).
"""
