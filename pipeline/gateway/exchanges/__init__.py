"""The way to exchanges that need a key, by ccxt: it signs and reads replies, the rest is ours.

Reading order: `area` (what the room declares), `model` (the venues that are covered), `keys` (from
the settings), `errors` (ccxt's as ours), `wired` (one request), `client` (guarded by a circuit),
`rights` (whose key it is, and what it may do), `windows` (spans of time, read whole), then a file
for each venue: `binance`, `bybit`, `okx` and `kraken`, `readable` (around each of them), and
`build`.
"""
