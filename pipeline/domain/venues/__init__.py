"""Readers of exports: one module for each venue, broker, platform or back-test.

Reading order: `layouts` (the tuple of all layouts), `hyperliquid_api` (answers of that venue's API,
which are not an export). Venues of coins: `binance`, `bisq`, `bitget`, `bitvavo`, `bybit`, `ccxt`,
`coinbase` and `coinbase_pro`, `coinledger`, `cryptocom`, `dydx`, `gate`, `hyperliquid`, `kraken`,
`kucoin`, `okx`, `portfolios`. Brokers, platforms and back-tests: `aitrader`, `alpaca`,
`backtesting_py`, `bux`, `degiro`, `etoro`, `fidelity`, `freqtrade`, `ibkr`, `ibkr_flex` and
`ibkr_history` with `ibkr_cancels` and `ibkr_splits`, `investimental`, `metatrader` with
`metatrader_deals`, `morgan_stanley`, `ofx`, `parqet`, `pyfolio`, `robinhood`, `schwab` and
`schwab_awards`, `tastytrade`, `thinkorswim`, `trading212`, `tradingview`, `tradovate`, `xtb`.
Chains: `wallets`.
"""
