"""Floor of what an answer says: a value of the domain becomes a view, once for every medium.

A view is a tree of a few kinds of block, and `doors/render` writes it as text, as a page or as
markdown. Nothing here prints, and nothing here knows a terminal or HTML. JSON is the value itself.

Reading order: `blocks` (what a view is made of), `numbers` and `words` (values as short words),
then one noun after the other, its sentences before its view: `role_words` and `role_summary` (the
record of a role); `trades_words`, `trades_statistics`, `costs_words` and `open_words` (what trades
came to), `learn_trades`, `learn_cells`, `learn_sums` and `learn_report` (the report on them),
`trades` and `trading_profile` (those that are kept); `history` and `history_import` (fills, and how
they came in); `replay_words` (what came of a replay).
"""
