"""What the samples of layouts hold, written down by hand: fills, closed trades, left out rows."""

LINES = {
    "avanza-transactions": [
        "2025-03-13 23:00:00 A 12.5 SE0000000018 at 101.75 SEK fee 19",
        "withdrawal",
        "2025-02-02 23:00:00 B 12.5 SE0000000018 at 91.25 SEK fee 19",
    ],
    "bitcointax-trades": [
        "2024-05-13 11:16:15 B 1.25 ETH at 3100.40 EUR fee 2.5 EUR",
        "2024-06-14 09:51:11 A 1.25 ETH at 3350.10 EUR fee 2.75 EUR",
        "swap of a coin for its successor",
    ],
    "bitstamp-transactions": [
        "deposit",
        "2024-03-14 11:31:00 A 1.25 ETH/USD at 3200.40 USD fee 9.87",
        "2024-03-28 13:31:00 B 0.75 ETH/USD at 3000.00 USD fee 5.25",
    ],
    "bittrex-orders-2017": [
        "2017-11-20 15:25:46 B 12.5 LTC at 0.01652 BTC fee 0.00051625",
        "2017-11-22 08:25:46 A 12.5 LTC at 0.01724 BTC fee 0.00053875",
    ],
    "bittrex-orders-2018": [
        "2018-11-21 15:26:07 B 2.5 ETH at 131 USDT fee 0.81875",
        "2018-11-23 10:26:07 A 2.5 ETH at 141 USDT fee 0.88125",
    ],
    "bittrex-orders-2023": [
        "2023-10-13 12:04:16 B 731.25 ABC/BTC at 0.000341 BTC fee 0.00062343 BTC",
        "2023-10-19 21:32:03 A 731.25 ABC/BTC at 0.000361 BTC fee 0.00065343 BTC",
    ],
    "bittytax-records": [
        "deposit",
        "2023-05-24 20:17:40 B 0.05 BTC/GBP at 17400 GBP fee 1.29 GBP",
        "2023-06-24 20:17:40 A 0.05 BTC/GBP at 18200 GBP fee unknown",
    ],
    "blockfi-trades": [
        "2021-01-30 23:59:59 A 40.25 LTC/USDC for 6000.5 USDC fee unknown",
        "2021-02-14 11:00:01 B 41.75 LTC/USDC for 6000.5 USDC fee unknown",
    ],
    "blockpit-transactions": [
        "2023-01-18 12:44:00 B 223.5 MATIC/EUR for 168.75 EUR fee 0.2235 MATIC",
        "2023-01-18 15:48:00 A 140.5 MATIC/EUR for 106.19 EUR fee 0.10619 EUR",
        "withdrawal",
    ],
    "bux-transactions": [
        "deposits",
        "2023-03-21 12:37:29 B 49 NL0000000017 at 10.875 EUR fee 1.5",
        "fee of a trade",
        "2023-03-21 12:37:29 B 0.638989 NL0000000017 at 10.875 EUR fee 0",
        "share split",
        "2023-03-23 09:00:00 A 49.638989 NL0000000017 at 11.25 EUR fee 0",
    ],
    "coinbase-pro-account": [
        "deposit",
        "2019-03-16 10:55:12 B 40.5 ETH-BTC at 0.031 BTC fee 0.0031 BTC",
        "leg of a trade",
        "leg of a trade",
        "2019-03-17 09:12:44 A 40.5 ETH-BTC for 1.2757 BTC fee 0.0032 BTC",
        "leg of a trade",
        "leg of a trade",
        "withdrawal",
    ],
    "cointracking-trades": [
        "2023-08-24 22:01:59 B 0.25 ETH/EUR at 1822 EUR fee 1.25 EUR",
        "2023-09-25 09:31:05 A 0.25 ETH/EUR at 1881 EUR fee 1.50 EUR",
        "deposit",
    ],
    "cryptocom-app": [
        "legs of no clear trade",
        "legs of no clear trade",
        "legs of no clear trade",
        "2021-11-25 14:39:25 B 7.25 CRO/DAI at 0.08 DAI fee unknown",
        "leg of a trade",
        "reward",
        "2021-09-14 05:34:27 A 0.5 ETH/EUR at 2851 EUR fee unknown",
        "2021-08-14 18:56:00 B 0.0025 BTC/EUR at 31300 EUR fee unknown",
        "2021-07-27 06:59:55 B 0.5 ETH/EUR at 2750.5 EUR fee unknown",
        "order or stake, not a trade",
    ],
    "das-trades": [
        "2026-03-31 09:41:05 B 100 SOME at 31.25 USD fee unknown",
        "2026-03-31 09:55:12 A 100 SOME at 31.75 USD fee unknown",
        "2026-03-31 11:05:00 A 50 OTHR at 42.15 USD fee unknown",
        "2026-03-31 11:30:00 B 50 OTHR at 41.25 USD fee unknown",
    ],
    "directa-movements": [
        "2025-03-18 23:00:00 A 8 ETF1 at 58.3125 EUR fee unknown",
        "size 0",
        "2025-03-13 23:00:00 B 8 ETF1 at 53.9375 EUR fee unknown",
    ],
    "disnat-transactions": [
        "dividend",
        "size 0",
        "2025-08-21 04:00:00 A 10 ABC-C at 50.25 CAD fee 4.95",
        "2025-07-31 04:00:00 B 10 ABC-C at 49.38 CAD fee 4.95",
    ],
    "etoro-activity": [
        "interest payment",
        "opening of a position",
        "dividend",
        "2024-01-16 15:37:16 to 2024-01-18 20:08:09 long 0.337209 SOME net 11.50 USD fees None",
        "CFD, whose direction only the sheet Closed Positions says",
    ],
    "etoro-closed-positions": [
        "2024-01-16 15:37:16 to 2024-01-18 20:08:09 long 0.337209 SOME net 11.50 USD fees None",
        "2024-05-18 04:09:41 to 2024-05-20 20:59:02 short 65.35 OTHR.L net -192.16 USD fees None",
    ],
    "finpension-transactions": [
        "interest",
        "2023-08-20 22:00:00 A 0.25 CH0000000012 at 1690.5 CHF fee 0",
        "2023-07-10 22:00:00 B 0.25 CH0000000012 at 1650.25 CHF fee 0",
    ],
    "freetrade-activity": [
        "2024-03-05 15:04:35 A 5.5 FOO at 105.25 USD fee 1.61 GBP",
        "dividend",
        "2024-01-24 15:16:15 B 5.5 FOO at 89.875 USD fee 1.77 GBP",
    ],
    "ftx-fills": [
        "2022-01-16 22:55:49 A 109.5 FTM-PERP at 2.675 USD fee 0.1237 USD",
        "2022-01-17 09:05:12 B 109.5 FTM-PERP at 2.625 USD fee 0.1207 USD",
    ],
    "investengine-trades": [
        "2024-12-23 15:18:12 B 2.75 World Fund / ISIN IE0000000017 at 110.80 GBP fee unknown",
        "2025-01-23 15:00:08 A 2.75 World Fund / ISIN IE0000000017 at 118.40 GBP fee unknown",
    ],
    "investimental-orders": [
        "order without an execution",
        "order without an execution",
        "2024-03-15 11:46:20 B 6 SOME at 24.745 RON fee 0.97",
        "2024-03-15 12:06:20 B 14 SOME at 24.745 RON fee 2.31",
        "order without an execution",
        "order without an execution",
    ],
    "kucoin-fills": [
        "2022-04-28 12:36:00 B 36.44 XTZ-USDT at 3.1025 USDT fee 0.1130551 USDT",
        "2022-04-29 15:46:07 A 36.44 XTZ-USDT at 3.2524 USDT fee 0.118517456 USDT",
    ],
    "kucoin-fills-2019": [
        "2019-05-14 10:27:17 B 10.25 KCS/BTC at 0.00015225 BTC fee 0.00000156 BTC",
        "2019-05-15 11:28:18 A 10.25 KCS/BTC at 0.00016226 BTC fee 0.00000166 BTC",
    ],
    "mexc-spot-trades": [
        "2024-02-14 10:15:09 B 1000 KAS_USDT at 0.1325 USDT fee 0.1325",
        "2024-02-15 11:15:10 A 1000 KAS_USDT at 0.1425 USDT fee 0.1425",
    ],
    "mexc-spot-trades-german": [
        "2024-02-14 10:15:09 B 1000 KAS_USDT at 0.1325 USDT fee 0.1325",
        "2024-02-15 11:15:10 A 1000 KAS_USDT at 0.1425 USDT fee 0.1425",
    ],
    "morgan-stanley-releases": [
        "2024-03-25 04:00:00 B 21.25 GSU Class C at 102.25 USD fee 0",
    ],
    "morgan-stanley-withdrawals": [
        "2024-04-27 04:00:00 A 21.25 GSU Class C at 110.75 USD fee unknown",
        "cash",
        "note",
    ],
    "rabobank-mutations": [
        "2024-03-27 10:46:02 A 2.5 NL0000000016 at 91.75 EUR fee unknown",
        "deposit or withdrawal",
        "2024-01-26 10:47:58 B 2.5 NL0000000016 at 84.25 EUR fee unknown",
    ],
    "relai-transactions": [
        "2024-09-15 14:23:17 A 0.02847593 BTC/CHF at 92341.28 CHF fee 0 CHF",
        "2024-07-22 09:41:06 B 0.02847593 BTC/CHF at 85287.63 CHF fee 2.45 CHF",
    ],
    "revolut-crypto": [
        "2024-02-19 09:46:02 B 0.75 ETH at 2315.25 EUR fee 14.25",
        "reward",
        "2024-04-22 22:10:57 A 0.75 ETH at 2525.75 EUR fee 15.75",
    ],
    "revolut-stocks": [
        "deposit",
        "2023-11-22 13:30:10 B 1.625 FOO at 52.25 USD fee unknown",
        "2023-12-14 13:30:00 A 1.625 FOO at 58.75 USD fee unknown",
    ],
    "rotki-trades": [
        "2022-07-30 09:00:00 B 1.25 ETH/EUR at 1800.4 EUR fee 3.25 EUR",
        "2022-08-01 09:00:00 A 1.25 ETH/EUR at 1920.6 EUR fee unknown",
    ],
    "saxo-transactions": [
        "2025-03-21 00:00:00 A 12 SOME:xnas at 31.25 USD fee unknown",
        "cash",
        "2025-03-18 00:00:00 B 12 SOME:xnas at 28.75 USD fee unknown",
        "transfer",
    ],
    "shapeshift-swaps": [
        "2021-09-15 17:35:24 B 0.04545 ETH/USDC for 116.75 USDC fee unknown",
        "swap that was returned",
        "2021-09-26 12:11:55 A 0.04545 ETH/USDC for 116.25 USDC fee unknown",
    ],
    "sharesight-trades": [
        "2020-09-21 00:00:00 B 10 FOO at 250.25 USD fee 5.5 USD",
        "2020-10-22 00:00:00 A 10 FOO at 300.75 USD fee 5.5 USD",
    ],
    "swissquote-transactions": [
        "2022-08-23 10:00:25 A 40 FOO at 31.75 CHF fee 5.25 CHF",
        "dividend",
        "2022-07-13 13:30:02 B 40 FOO at 29.25 CHF fee 5.75 CHF",
    ],
    "topstepx-trades": [
        "2026-01-28 14:30:00 to 2026-01-28 15:05:00 long 1 MNQ net 49.66 USD fees 1.34",
        "2026-01-29 09:31:00 to 2026-01-29 09:48:00 short 1 NQ net -407.68 USD fees 2.68",
    ],
    "tradezero-fills": [
        "2022-08-18 13:47:59 A 50 RBLX at 49.88 USD fee 0.57",
        "2022-08-18 13:48:22 B 50 RBLX at 49.65 USD fee 0.50",
    ],
    "tradovate-orders": [
        "2026-06-15 16:00:05 B 2 XYZM6 at 4531.75 USD fee unknown",
        "no trade",
        "2026-06-15 16:20:29 A 2 XYZM6 at 4541.25 USD fee unknown",
    ],
    "uphold-transactions": [
        "2020-05-27 02:00:26 A 1.25 ETH/GBP at 187 GBP fee unknown",
        "legs of no clear trade",
        "2020-05-13 13:30:04 B 1.25 ETH/GBP at 177.2 GBP fee 0.75 GBP",
    ],
    "vanguard-uk-investments": [
        "2022-03-16 00:00:00 B 150 SOME at 9.95 GBP fee unknown",
        "2022-05-26 23:00:00 A 150 SOME at 10.25 GBP fee unknown",
        "2022-05-27 23:00:00 B 0.9232 Some Index Fund - Accumulation at 433.25 GBP fee unknown",
        "no trade",
    ],
}
