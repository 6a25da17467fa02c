"""Every public file: read and equal to a plain sum of its raw rows, or refused for its reason."""

import csv
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.exports.read import read_export
from afterword.pipeline.domain.fills.model import ClosedTrade, Fill
from afterword.pipeline.domain.layouts.layout import Item, LeftOut, Origin
from afterword.pipeline.rules.tabular.moments import read_zone
from tests.unit.exports.plain_sums import (
    Rows,
    Sums,
    lines_below,
    number,
    plain_sums,
    read_sums,
    summed,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
PUBLIC = SHARED / "data/public"

pytestmark = pytest.mark.skipif(not PUBLIC.exists(), reason="the public files are not here")

D = Decimal
ZONED = {
    **dict.fromkeys(("ftj_topstep_trades.csv", "ftj_tradovate_performance.csv"), "UTC"),
    **dict.fromkeys(("rotki_kucoin_2019.csv", "rotki_kucoin_2022.csv"), "UTC"),
    **dict.fromkeys(("issue_rotki_5527_ftx.csv", "rotki_cointracking_bad.csv"), "UTC"),
    **dict.fromkeys(("rotki_bitstamp.csv", "ftj_tradovate_orders_history.csv"), "UTC"),
    **dict.fromkeys(("ghostfolio_degiro_v3.csv",), "Europe/Amsterdam"),
    **dict.fromkeys(("ghostfolio_investimental.csv",), "Europe/Bucharest"),
    **dict.fromkeys(("pp_ib_activity_statement.xml", "ftj_das_trades.csv"), "America/New_York"),
    **dict.fromkeys(("issue_pp_5915_ibkr_cancel.xml", "tradenote_td_ameritrade.csv"), "UTC"),
    **dict.fromkeys(("ghostfolio_etoro.csv",), "UTC"),
}
"""Files whose times say no zone: it is asked for."""

SIZES = {"MNQM6": D(2), "MNQU6": D(2)}


def items_of(name: str, *, path: Path | None = None) -> list[Item]:
    zone = read_zone(ZONED[name]) if name in ZONED else None
    origin = Origin(name, "me", zone, day=date(2026, 3, 31), contract_sizes=SIZES)
    mapping = ColumnMapping.parse(MAPPED[name], zone="UTC") if name in MAPPED else None
    return list(read_export(path or PUBLIC / name, origin, mapping)[1])


MAPPED = {
    "kapji_raw_adjusted.csv": "time=date,symbol=symbol,side=action,qty=quantity,price=price,"
    "fee=fees,quote=currency,skip:DIVIDEND"
}
"""The line that the refusal proposes."""


TABLES = {
    "ftj_das_trades.csv": Rows("Symbol", ("Side", "B", "S|SS"), "Qty", "Price", None),
    "ftj_tradovate_orders_history.csv": Rows(
        *("Contract", ("B/S", "Buy", "Sell"), "filledQty", "avgPrice", None), times=2
    ),
    "ghostfolio_avanza.csv": Rows(
        *("ISIN", ("Typ av transaktion", "Köp", "Sälj"), "Antal", "Kurs", "Courtage (SEK)"),
        delimiter=";",
        mark=",",
    ),
    "ghostfolio_disnat.csv": Rows(
        *("Symbole", ("Type de transaction", "ACHAT", "VENTE"), "Quantité", "Prix"),
        "Commission payée",
        mark=",",
    ),
    "ghostfolio_finpension3a.csv": Rows(
        *("ISIN", ("Category", "Buy", "Sell"), "Number of Shares", "Asset Price in CHF", ""),
        delimiter=";",
    ),
    "ghostfolio_investengine.csv": Rows(
        *("Security / ISIN", ("Transaction Type", "Buy", "Sell"), "Quantity", "Share Price", None)
    ),
    "ghostfolio_relai.csv": Rows(
        *("Currency Pair", ("Transaction Type", "Buy", "Sell"), "BTC Amount", "BTC Price", "Fee")
    ),
    "issue_rotki_5527_ftx.csv": Rows("Market", ("Side", "buy", "sell"), "Size", "Price", "Fee"),
    "kapji_morgan_stanley_releases.csv": Rows(
        "Plan", ("Type", "Release", ""), "Net Share Proceeds", "Price", ""
    ),
    "kapji_raw_adjusted.csv": Rows(
        "symbol", ("action", "BUY", "SELL"), "quantity", "price", "fees"
    ),
    "rotki_bitcointax_trades.csv": Rows(
        "Symbol", ("Action", "BUY", "SELL"), "Volume", "Price", "Fee"
    ),
    "rotki_bittrex_2023.csv": Rows(
        *("Market", ("Transaction", "Bought", "Sold"), "Quantity (Base)", "Price", "Fees (Quote)"),
        head="TXID",
    ),
    "rotki_bittrex_older.csv": Rows(
        *("MARKET", ("ORDERTYPE", "LIMIT_BUY", "LIMIT_SELL"), "FILLED", "PROCEEDS"),
        "COMISSIONPAID",
        head="UUID",
        is_total=True,
    ),
    "rotki_kucoin_2019.csv": Rows("Pair", ("Side", "Buy", "Sell"), "Amount", "FilledPrice", "Fee"),
    "rotki_kucoin_2022.csv": Rows("symbol", ("side", "buy", "sell"), "size", "price", "fee"),
    "tradenote_td_ameritrade.csv": Rows(
        *("Symbol", ("Side", "BUY", "SELL"), "Qty", "Price", ""), head=",Exec Time"
    ),
    "tradenote_tradezero_template.csv": Rows(
        *("Symbol", ("Side", "B|BC", "S|SS"), "Qty", "Price"),
        "Comm+SEC+TAF+NSCC+Nasdaq+ECN Remove+ECN Add",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_comes_to_the_plain_sums_of_its_rows(name):
    read, wanted = read_sums(items_of(name)), plain_sums(PUBLIC / name, TABLES[name])
    if name == "tradenote_td_ameritrade.csv":  # fees are in its cash rows
        read = {market: (held, cash, D(0)) for market, (held, cash, _) in read.items()}

    assert read == wanted != {}


def matches(name: str, form: str) -> Iterator[re.Match[str]]:
    return re.finditer(form, (PUBLIC / name).read_text("utf-8-sig"))


def way(word: str) -> int:
    return 1 if word[0] in "BKk" else -1


def saxo() -> Sums:
    form = r",([^,]+),(Buy|Sell|Koop|Verkoop) (\S+) @ (\S+) [A-Z]{3},"
    trades = matches("ghostfolio_saxo.csv", form)
    return summed((one[1], way(one[2]) * D(one[3]), D(one[4]), None) for one in trades)


def vanguard() -> Sums:
    form = r'\n[0-9/]+,([^,]+),"?(Bought|Sold) [^\n]*?,([0-9.]+),([0-9.]+), ?[0-9.]+\n'
    text = re.sub(r"\n", "\n\n", (PUBLIC / "kapji_vanguard_uk_investment.csv").read_text())
    tickers = {"Foo": "FOO", "Bar": "BAR"}
    return summed(
        (tickers.get(one[1][:3], one[1]), way(one[2]) * D(one[3]), D(one[4]), None)
        for one in re.finditer(form, text)
    )


def bux() -> Sums:
    rows = list(csv.DictReader(lines_below(PUBLIC / "ghostfolio_bux.csv", "")))
    fees = Counter()
    for row in rows:
        if row["Transaction Type"] == "Trading Fee":
            fees[row["Asset Id"]] -= D(row["Transaction Amount"])
    trades = [row for row in rows if row["Transaction Category"] == "trades"]
    sums = summed(
        (
            *(row["Asset Id"], way(row["Transaction Type"]) * D(row["Asset Quantity"])),
            *(D(row["Asset Price"]), D(0)),
        )
        for row in trades
    )
    return {asset: (held, cash, D(fees[asset])) for asset, (held, cash, _) in sums.items()}


def coinbase_pro() -> Sums:
    rows = list(csv.DictReader(lines_below(PUBLIC / "rotki_coinbasepro.csv", "")))

    def total(sort: str, coin: str) -> Decimal:
        found = (row for row in rows if (row["Type"], row["Amount/balance unit"]) == (sort, coin))
        return sum((D(row["Amount"]) for row in found), D(0))

    return {"ETH-BTC": (total("match", "ETH"), total("match", "BTC"), -total("fee", "BTC"))}


def investimental() -> Sums:
    """By hand: what was left of each order before and after its executions."""
    bought = {
        "TVBETETF": [("20", "24.745", "3.28"), ("96", "25.93", "10.66"), ("94", "26.39", "10.63")],
        "R2704A": [("300", "100", "0")],
        "ICBETNETF": [
            ("267", "74.55", "61.16"),
            ("77", "73.21", "18.36"),
            ("263", "75.95", "61.37"),
        ],
    }
    sold = [("10", "27.185"), ("55", "27.185"), ("8", "27.19"), ("73", "27.19"), ("64", "27.19")]
    trades = [
        (market, D(units), D(price), D(fee))
        for market, orders in bought.items()
        for units, price, fee in orders
    ]
    return summed([*trades, *(("TVBETETF", -D(units), D(price), D(0)) for units, price in sold)])


def schwab_awards() -> Sums:
    rows = json.loads((PUBLIC / "kapji_schwab_equity_award_v2.json").read_text())["Transactions"]
    trades = []
    for row in rows:
        details = [one["Details"] for one in row["TransactionDetails"]]
        if row["Action"] == "Deposit":
            price = number(details[0]["VestFairMarketValue"])
            trades.append((row["Symbol"], D(row["Quantity"]), price, D(0)))
        for at, lot in enumerate(details if row["Action"] == "Sale" else ()):
            fee = D(0) if at else number(row["FeesAndCommissions"])
            trades.append((row["Symbol"], -D(lot["Shares"]), number(lot["SalePrice"]), fee))
    return summed(trades)


def bitstamp() -> Sums:
    return {"ETH/EUR": (D(-1), D("2214.01"), D("10.87005"))}


def bittrex_old() -> Sums:
    return {"BTC": (D("0.01"), D(-10), D(2))}


def sharesight() -> Sums:
    rows = csv.DictReader(lines_below(PUBLIC / "kapji_sharesight_all_trades.csv", "Market"))
    return summed(
        (row["Code"], D(row["Quantity"]), D(row["Price *"]), D(row["Brokerage *"]))
        for row in rows
        if row["Market"] in ("NASDAQ", "NYSE", "FundUK")
    )


def flex() -> Sums:
    form = r'<Trade [^>]*?symbol="([^"]+)"[^>]*? multiplier="(\d+)"[^>]*? quantity="([^"]+)" '
    form += r'tradePrice="([^"]+)"[^>]*? taxes="([^"]+)" ibCommission="([^"]+)"'
    return summed(
        (re.sub(" +", "", one[1]), D(one[3]), D(one[4]) * D(one[2]), -D(one[6]) - D(one[5]))
        for one in matches("pp_ib_activity_statement.xml", form)
    )


def cancelled() -> Sums:
    return {"ABC": (D(0), D(400), D(6))}


OTHERS: dict[str, Callable[[], Sums]] = {
    "ghostfolio_bux.csv": bux,
    "ghostfolio_investimental.csv": investimental,
    "ghostfolio_saxo.csv": saxo,
    "issue_pp_5915_ibkr_cancel.xml": cancelled,
    "kapji_schwab_equity_award_v2.json": schwab_awards,
    "kapji_sharesight_all_trades.csv": sharesight,
    "kapji_vanguard_uk_investment.csv": vanguard,
    "pp_ib_activity_statement.xml": flex,
    "rotki_bitstamp.csv": bitstamp,
    "rotki_bittrex_old_bad_date.csv": bittrex_old,
    "rotki_coinbasepro.csv": coinbase_pro,
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_file_comes_to_what_its_text_says(name):
    assert read_sums(items_of(name)) == OTHERS[name]() != {}


EXCHANGES = {
    "bittytax_example.csv": (
        *("Type", "Trade", "Buy Quantity", "Buy Asset"),
        *("Sell Quantity", "Sell Asset", ","),
    ),
    "rotki_blockfi_trades.csv": (
        *("Type", "One Time", "Buy Quantity", "Buy Currency"),
        *("Sold Quantity", "Sold Currency", ","),
    ),
    "rotki_blockpit.csv": (
        *("Transaction Type", "Trade", "Incoming Amount", "Incoming Asset"),
        *("Outgoing Amount", "Outgoing Asset", ";"),
    ),
    "rotki_shapeshift.csv": (
        *("status", "complete", "outputAmount", "outputCurrency"),
        *("inputAmount", "inputCurrency", ","),
    ),
}


@pytest.mark.parametrize("name", EXCHANGES)
def test_exchanges_move_the_amounts_of_their_rows(name):
    column, word, got, got_coin, gave, gave_coin, delimiter = EXCHANGES[name]
    wanted: Counter[str] = Counter()
    for row in csv.DictReader(lines_below(PUBLIC / name, ""), delimiter=delimiter):
        if row[column] == word:
            wanted[row[got_coin].upper()] += D(row[got])
            wanted[row[gave_coin].upper()] -= D(row[gave])

    assert moved(items_of(name)) == rounded(wanted)


def moved(items: Iterable[Item], *, with_fees: bool = False) -> dict[str, Decimal]:
    """Return what fills moved, by coin."""
    coins: Counter[str] = Counter()
    for fill in items:
        if isinstance(fill, Fill):
            coins[fill.base or fill.symbol] += fill.move
            coins[fill.quote] -= fill.move * fill.px
            if with_fees and fill.fee:
                coins[fill.fee_token or fill.quote] -= fill.fee
    return rounded(coins)


def rounded(coins: Counter[str]) -> dict[str, Decimal]:
    return {coin: round(amount, 9) for coin, amount in coins.items()}


def test_cointracking_with_two_amounts_moves_them():
    assert moved(items_of("rotki_cointracking_bad.csv")) == {
        "ETH": D("0.057727160"),
        "EUR": D("-10.990000000"),
    }


ONE_TO_ONE = "2020-12-01 14:39:25"
"""When dust of one coin was converted; of that of two it is not known what each brought."""


def test_the_app_of_crypto_com_moves_what_its_exchanges_say():
    wanted: Counter[str] = Counter()
    for row in csv.DictReader(lines_below(PUBLIC / "rotki_cryptocom.csv", "")):
        kind, amount = row["Transaction Kind"], D(row["Amount"])
        if kind.endswith(("_exchange", "viban_purchase", "_commit")):
            wanted[row["Currency"]] += amount
            wanted[row["To Currency"]] += D(row["To Amount"])
        elif kind == "crypto_purchase":
            wanted[row["Currency"]] += amount
            wanted[row["Native Currency"]] -= D(row["Native Amount"])
        elif kind.startswith("dynamic_coin_swap_") and "bonus" not in kind:
            wanted[row["Currency"]] += amount
        if kind.startswith("dust") and row["Timestamp (UTC)"] == ONE_TO_ONE:
            wanted[row["Currency"]] += amount

    assert moved(items_of("rotki_cryptocom.csv")) == rounded(wanted)


def test_the_history_of_binance_moves_the_coins_of_the_rows_that_are_read():
    items = items_of("rotki_binance_history_full.csv")
    left_out = {
        item.line for item in items if isinstance(item, LeftOut) and item.reason != "leg of a trade"
    }
    wanted: Counter[str] = Counter()
    lines = lines_below(PUBLIC / "rotki_binance_history_full.csv", "")
    for line, row in enumerate(csv.reader(lines), start=1):
        if line > 1 and line not in left_out:
            wanted[row[4]] += D(row[5])

    assert moved(items, with_fees=True) == rounded(wanted)
    assert Counter(type(item) for item in items)[Fill] == 18


@pytest.mark.parametrize(
    ("name", "skipped"),
    [("aitrader_gpt5_position.jsonl", 1), ("aitrader_minimax_position.jsonl", 0)],
)
def test_the_cash_of_a_position_log_is_what_its_trades_moved(name, skipped):
    books = [json.loads(line) for line in (PUBLIC / name).read_text().splitlines()]
    last = books[-1 - skipped]["positions"]  # behind it, one book begins anew
    sums = read_sums(items_of(name))

    assert round(sum(cash for _, cash, _ in sums.values()), 4) == round(
        D(str(last["CASH"])) - 10_000, 4
    )
    assert {market: held for market, (held, _, _) in sums.items() if held} == {
        market: units for market, units in last.items() if units and market != "CASH"
    }
    assert {fees for _, _, fees in sums.values()} == {None}


def test_etoro_closes_positions_with_the_profit_of_its_rows():
    closed = [one for one in items_of("ghostfolio_etoro.csv") if isinstance(one, ClosedTrade)]

    assert [(one.symbol, one.size, one.net, one.fees) for one in closed] == [
        ("OLED", D("0.102626"), D("7.37"), None),
        ("AMAT", D("0.002556"), D("0.04"), None),
        ("AMD", D("0.388423"), D("38.57"), None),
    ]
    assert "CFD, whose direction only the sheet Closed Positions says" in {
        one.reason for one in items_of("ghostfolio_etoro.csv") if isinstance(one, LeftOut)
    }


def test_closed_trades_of_futures_have_the_profit_of_their_rows():
    names = ("ftj_topstep_trades.csv", "ftj_tradovate_performance.csv")
    topstep, tradovate = ([(one.symbol, one.gross, one.fees) for one in items_of(n)] for n in names)

    assert topstep == [("MNQ", D("51.00"), D("1.34")), ("NQ", D("-400.00"), D("2.68"))]
    assert [(symbol, abs(gross or 0)) for symbol, gross, _ in tradovate] == [
        ("MNQM6", 400),
        ("MNQM6", 1200),
    ]


def test_directa_without_its_row_of_an_unknown_sort_comes_to_plain_sums(tmp_path):
    text = (PUBLIC / "ghostfolio_directa.csv").read_text("utf-8-sig")
    file = tmp_path / "directa.csv"
    file.write_text("".join(line for line in text.splitlines(True) if "Pippo" not in line))
    of = Rows(
        *("Ticker", ("Tipo operazione", "Acquisto", "Vendita"), "Quantità", "Importo euro", None),
        head="Data operazione",
        is_total=True,
    )

    assert read_sums(items_of("ghostfolio_directa.csv", path=file)) == plain_sums(file, of)


def test_degiro_has_the_trades_that_its_descriptions_tell_of():
    forms = (
        r"([A-Z]{2}[A-Z0-9]{10}),\"?(Koop|Verkoop) (\S+) @ (\S+) ([A-Z]{3})\"",
        r"([A-Z]{2}[A-Z0-9]{10}),\"?(Compra|Achat|Sell) (\S+) [^@,]*@(\S+) ([A-Z]{3})",
    )
    wanted = summed(
        (
            *(one[1], (-1 if one[2] in ("Verkoop", "Sell") else 1) * number(one[3], ",")),
            *(number(one[4], ",") / (100 if one[5] == "GBX" else 1), None),
        )
        for form in forms
        for one in matches("ghostfolio_degiro_v3.csv", form)
    )
    read = read_sums(items_of("ghostfolio_degiro_v3.csv"))

    assert {market: row[:2] for market, row in read.items()} == {
        market: row[:2] for market, row in wanted.items()
    }


@pytest.mark.parametrize("name", ["bimport_investment_buy_sell_income.ofx", "reds_etrade.qfx"])
def test_an_investment_statement_moves_the_money_of_its_totals(name):
    """The total of a purchase or a sale is its worth with all that it cost."""
    text = re.sub(
        r"<(INCOME|REINVEST|INVBANKTRAN|INVEXPENSE|INVPOS)>.*?</\1>",
        "",
        (PUBLIC / name).read_text(),
        flags=re.DOTALL,
    )
    parts = re.findall(r"<INV(?:BUY|SELL)>.*?</INV(?:BUY|SELL)>", text, re.DOTALL)
    units = sum(D(re.search(r"<UNITS>([-+.0-9]+)", part)[1]) for part in parts)
    total = sum(D(re.search(r"<TOTAL>([-+.0-9]+)", part)[1]) for part in parts)
    fills = [one for one in items_of(name) if isinstance(one, Fill)]

    assert sum(fill.move for fill in fills) == units
    money = sum(-fill.move * fill.px - fill.fee for fill in fills)
    assert abs(money - total) < D("0.005") * len(fills)


@pytest.mark.parametrize(
    "name", ["freqtrade_backtest_result.json", "freqtrade_backtest_multistrat.json"]
)
def test_a_back_test_has_the_profit_of_its_prices_and_fees(name):
    told = json.loads((PUBLIC / name).read_text())["strategy"]
    wanted: dict[str, list[Decimal]] = {}
    for strategy, result in told.items():
        for one in result["trades"]:
            units, fees = D(str(one["amount"])), D(0)
            for rate, fee in (("open_rate", "fee_open"), ("close_rate", "fee_close")):
                fees += units * D(str(one[rate])) * D(str(one[fee]))
            gross = units * (D(str(one["close_rate"])) - D(str(one["open_rate"])))
            wanted.setdefault(f"me/{strategy}", []).append(round(gross - fees, 10))
    read: dict[str, list[Decimal]] = {}
    for trade in items_of(name):
        if isinstance(trade, ClosedTrade):
            read.setdefault(trade.account, []).append(round(trade.net, 10))

    assert read == wanted


REFUSED = {
    "backtestingpy_BTCUSD_monthly.csv": "does not name its market",
    "freqtrade_backtest_multistrat.json": "2 strategies, whose results are never added up",
    "ghostfolio_directa.csv": "column Tipo operazione: is 'Pippo'",
    "kapji_morgan_stanley_withdrawals.csv": "the split of 2022-07-15",
    "kapji_raw_adjusted.csv": "by the line below it holds 13 fills",
    "mem0_openmemory_batch.json": "JSON of no known layout",
    "mem0_session_backup.json": "JSON of no known layout",
    "ftj_das_trades.csv": "--day",
}


@pytest.mark.parametrize("name", [*REFUSED, *(name for name in ZONED if name not in REFUSED)])
def test_a_file_that_does_not_say_all_is_refused_for_its_reason(command, name):
    done = command("learn", str(PUBLIC / name))

    assert done.code == 2 and REFUSED.get(name, "does not say the time zone") in done.err


def test_every_public_file_is_in_one_of_the_tables():
    named = {
        *(*TABLES, *OTHERS, *EXCHANGES, *REFUSED, *ZONED, "rotki_cryptocom.csv"),
        *("rotki_binance_history_full.csv", "freqtrade_backtest_result.json", "reds_etrade.qfx"),
        *("aitrader_gpt5_position.jsonl", "aitrader_minimax_position.jsonl"),
        "bimport_investment_buy_sell_income.ofx",
    }

    assert {file.name for file in PUBLIC.iterdir() if file.is_file()} - {"README.md"} == named


def test_files_of_agents_are_no_exports_of_trades(command):
    files = [
        file for folder in ("hermes", "openclaw_zh") for file in (PUBLIC / folder).rglob("*.*")
    ]

    for file in files:
        done = command("learn", str(file))
        assert done.code == 2 and "Traceback" not in done.err, file.name
