"""Readers of exports: one module for each venue, broker, platform or back-test.

Reading order: `layouts` (the tuple of all layouts), `hyperliquid_api` (answers of that venue's API,
which are not an export). Venues of coins: `binance`, `bitget`, `bitvavo`, `bybit`, `ccxt`,
`coinbase`, `dydx`, `gate`, `hyperliquid`, `kraken`, `kucoin`, `mexc`, `okx`, `portfolios`. Brokers,
platforms and back-tests: `alpaca`, `backtesting_py`, `degiro`, `fidelity`, `freqtrade`, `ibkr` and
`ibkr_flex` with `ibkr_cancels` and `ibkr_splits`, `metatrader` with `metatrader_deals`, `ofx`,
`parqet`, `pyfolio`, `robinhood`, `schwab`, `tastytrade`, `thinkorswim`, `trading212`,
`tradingview`, `tradovate`, `xtb`. Chains: `wallets`.
"""
