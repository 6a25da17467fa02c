"""Views of fills, trades and prices, and of the report on trades.

Reading order: `words`, `statistics`, `costs_words` and `open_words` (sentences), `learn_trades`,
`learn_cells`, `learn_sums` and `learn_report` (the report), `trades`, `journal`, `overview` and
`profile` (those that are kept), `history` and `history_import` (fills, and how they came in),
`layouts` (how files of trades are laid out), `spot` (wallets on chains), `accounts` and `sync`
(accounts at venues, and their mirrors), `reconciliation_words` and `reconciliation` (whether an
account adds up), `capital` (what they hold), `strategies` (when they ran), `prices`.
"""
