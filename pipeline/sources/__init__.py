"""Reading the outside: prices as of a moment, and what else a decision is judged with.

Reading order: `model` (a series, reads that refuse the future, feeds), `book` (prices in memory),
`csv_file` (bars, prints and factor files), `candles`, `hyperliquid` and `hyperliquid_markets` (bars
over HTTP), `wanted` (prices somebody waits for), `build` (the feed of the settings), `gather` (one
decision's market), `probes` (outcome probes and their registry), `tools` and `evidence` (post-hoc
probes). Pure rules are in `market`; stored prices are in `prices`.
"""
