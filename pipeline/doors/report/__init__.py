"""Reports as one HTML file each: no network, no script, and the same bytes for the same numbers.

Reading order: `markup` (escaped elements), `numbers` (shares and money as words), `style` (the one
style sheet), `table`, `charts` and `plots` (pictures drawn from our own numbers, of a fixed size
and as wide as the page), `page` (the document); `summary` and `cells` (what the record of a role
says), `words` (its sentences), `summary_page`; `trades_words`, `trades_statistics`, `costs_words`,
`open_words` and `trades_totals` (sentences and sums about trades), `trades_charts`, `trades_cells`,
`trades_sums`, `trades_list`, `trades_page` and `trades_picture` (what trades show); `replay_words`,
`replay_charts`, `replay_methods` and `replay_page` (what came of a replay).
"""
