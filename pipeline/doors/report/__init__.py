"""Reports as one HTML file each, as far as they are no views yet.

Reading order: `trades_totals` (sums about trades), `trades_charts`, `trades_cells`, `trades_sums`,
`trades_list`, `trades_page` and `trades_picture` (what trades show).
"""
