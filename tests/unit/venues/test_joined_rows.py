"""Trades of several rows: legs of one id, fees beside a trade, positions opened and closed."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.domain.fills.model import ClosedTrade
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.exports import fills_of, items_of, left_out_of

D = Decimal
SAMPLES = Path(__file__).parents[1] / "exports" / "samples"


def changed(folder: Path, name: str, *changes: tuple[str, str]) -> Path:
    text = (SAMPLES / f"{name}.csv").read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{name}.csv"
    path.write_text(text, "utf-8")
    return path


def test_a_leg_without_the_id_of_its_trade_refuses_a_statement_of_coinbase_pro(tmp_path):
    file = changed(tmp_path, "coinbase-pro-account", ("ETH,,10377,o-2", "ETH,,,o-2"))

    with pytest.raises(InvalidInputError, match="line 6, column trade id"):
        items_of(file, "UTC")


def test_one_id_in_two_markets_is_two_trades(tmp_path):
    """Ids of trades count up in each market by itself; the order tells them apart."""
    file = changed(tmp_path, "coinbase-pro-account", ("10377", "10201"))

    assert [fill.side for fill in fills_of(items_of(file, "UTC"))] == ["B", "A"]


def test_a_portfolio_of_coinbase_pro_is_an_account_of_its_own(tmp_path):
    file = changed(tmp_path, "coinbase-pro-account", ("default", "my bot"))

    fills = fills_of(items_of(file, "UTC"))

    assert {fill.account.rpartition("/")[2] for fill in fills} == {"my-bot"}


SWAP = (
    "2020-08-03 14:39:25,Overall Swap,CRO,1382.31,,,EUR,197.68,234.08,dynamic_coin_swap_credited\n"
    "2020-08-03 14:39:25,Overall Swap,MCO,-50.04,,,EUR,-168.37,-199.38,dynamic_coin_swap_debited\n"
    "2020-08-03 14:39:25,CRO Stake,CRO,1382.2,,,EUR,197.66,234.06,lockup_swap_credited\n"
    "2020-08-03 14:39:25,MCO Unstake,MCO,-50,,,EUR,-168.36,-199.36,lockup_swap_debited\n"
)


def test_a_swap_that_is_told_as_a_whole_and_in_parts_counts_once(tmp_path):
    file = tmp_path / "app.csv"
    sample = (SAMPLES / "cryptocom-app.csv").read_text("utf-8")
    file.write_text(sample.partition("\n")[0] + "\n" + SWAP)

    items = items_of(file, "UTC")

    (fill,) = fills_of(items)
    assert (fill.symbol, fill.sz, round(fill.px * fill.sz, 9)) == (
        *("CRO/MCO", D("1382.31"), D("50.04")),
    )
    assert left_out_of(items) == {"leg of a trade": 1, "part of a swap": 2}


def test_an_order_that_was_executed_is_a_trade_and_one_that_waits_is_none(tmp_path):
    file = changed(tmp_path, "cryptocom-app", ("purchase_lock", "purchase_commit"))

    assert [fill.symbol for fill in fills_of(items_of(file, "UTC"))][-1] == "SOL/EUR"


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("Stocks,0.00\n19", "Bonds,0.00\n19", "line 5, column Asset type"),
        ("0.337209,11.50", "0.337209,1.150", "line 5, column Realized Equity Change"),
        ("61.75,0.337209", "61.75,-", "line 5, column Units"),
        ('4,593.44",0.80,501', '4,593.44",0.80,-', "line 5, column Position ID"),
    ],
)
def test_a_bad_cell_refuses_the_activity_of_etoro(tmp_path, old, new, place):
    with pytest.raises(InvalidInputError, match=place):
        items_of(changed(tmp_path, "etoro-activity", (old, new)), "UTC")


def test_amounts_of_etoro_are_read_as_each_country_writes_them(tmp_path):
    file = changed(
        *(tmp_path, "etoro-activity", ("61.75,0.337209,11.50", '" 61,75 ",0.337209,"(11,50)"'))
    )

    (trade,) = [one for one in items_of(file, "UTC") if isinstance(one, ClosedTrade)]

    assert (trade.net, trade.size) == (D("-11.50"), D("0.337209"))
    assert round(trade.exit_px * trade.size, 9) == D("61.75")
    assert round(trade.entry_px * trade.size, 9) == D("50.25")


def test_a_fee_of_bux_is_of_the_first_row_of_its_order_and_of_no_other_share(tmp_path):
    far = changed(tmp_path, "bux-transactions", ("37:29.384000,fees", "37:31.384000,fees"))
    items = items_of(far, "UTC")
    assert sum(fill.fee for fill in fills_of(items)) == 0
    assert left_out_of(items)["fee without its trade"] == 1

    other = changed(tmp_path, "bux-transactions", ("-1.50,EUR,66.50,NL", "-1.50,EUR,66.50,US"))
    assert left_out_of(items_of(other, "UTC"))["fee without its trade"] == 1


def test_a_fee_in_another_currency_keeps_it(tmp_path):
    file = changed(tmp_path, "bux-transactions", ("10.875,EUR", "10.875,USD"))

    fills = fills_of(items_of(file, "UTC"))

    assert [(fill.fee, fill.fee_token) for fill in fills[:2]] == [(D("1.5"), "EUR"), (0, None)]


def test_sales_before_a_split_that_a_note_tells_of_refuse_the_file(tmp_path):
    file = changed(tmp_path, "morgan-stanley-withdrawals", ("27-Apr-2024", "27-Apr-2022"))

    with pytest.raises(InvalidInputError, match="line 2, column Quantity") as refused:
        items_of(file, "UTC")
    assert "split of 2022-07-15" in refused.value.accepted


def test_an_execution_of_an_order_that_began_before_the_log_refuses_it(tmp_path):
    first = (SAMPLES / "investimental-orders.csv").read_text("utf-8").splitlines()[1]
    second = first.replace("24.655", "24.745").replace("493.1,3.27", "494.9,3.28")
    second = second.replace("New,2024-03-15 10:15:40", "Chg,2024-03-15 11:32:23")
    file = changed(tmp_path, "investimental-orders", (first + "\n", ""), (second + "\n", ""))

    with pytest.raises(InvalidInputError, match="line 2, column Update Type"):
        items_of(file, "UTC")


def book(day: str, number: int, action: tuple | None, cash: str, **positions: int) -> str:
    row = {"date": day, "id": number, "positions": {**positions, "CASH": "@"}}
    if action is not None:
        row["this_action"] = dict(zip(("action", "symbol", "amount"), action, strict=True))
    return json.dumps(row).replace('"@"', cash)


BOOKS = [
    book("2026-03-02", 0, None, "10000.0", SOME=0, OTHR=0),
    book("2026-03-03", 1, ("buy", "SOME", 10), "8104.0", SOME=10, OTHR=0),
    book("2026-03-03", 2, ("no_trade", "", 0), "8104.0", SOME=10, OTHR=0),
    book("2026-03-04", 3, ("sell", "SOME", 4), "8904.199999999999", SOME=6, OTHR=0),
]


def test_the_price_of_an_action_is_what_the_cash_changed_by(tmp_path):
    file = tmp_path / "position.jsonl"
    file.write_text("\n".join(BOOKS))

    fills = fills_of(items_of(file))

    assert [(fill.side, fill.sz, fill.px, fill.fee_is_known) for fill in fills] == [
        ("B", 10, D("189.6"), False),
        ("A", 4, D("200.05"), False),
    ]


@pytest.mark.parametrize(
    "row",
    [
        book("2026-03-05", 4, ("sell", "SOME", 4), "8904.2", SOME=6, OTHR=0),
        book("2026-03-05", 4, ("sell", "SOME", 4), "9904.2", SOME=3, OTHR=0),
        book("2026-03-05", 4, ("sell", "SOME", 4), "9904.2", SOME=2, OTHR=1),
        book("2026-03-05", 4, ("sell", "SOME", "many"), "9904.2", SOME=2, OTHR=0),
        book("5 March", 4, ("sell", "SOME", 4), "9904.2", SOME=2, OTHR=0),
    ],
)
def test_a_book_that_contradicts_its_action_refuses_the_log(tmp_path, row):
    file = tmp_path / "position.jsonl"
    file.write_text("\n".join([*BOOKS, row]))

    with pytest.raises(InvalidInputError, match="record 5"):
        items_of(file)


def award(action: str, units: str | None, amount: str | None, fee: str | None, *lots: dict) -> dict:
    return {
        "Date": "08/31/2023",
        "Action": action,
        "Symbol": "SOME",
        "Quantity": units,
        "FeesAndCommissions": fee,
        "Amount": amount,
        "TransactionDetails": [{"Details": lot} for lot in lots],
    }


LOTS = ({"Shares": "14", "SalePrice": "$1,137.90"}, {"Shares": "0.5", "SalePrice": "$1,137.90"})


def awards(folder: Path, *rows: dict) -> Path:
    file = folder / "awards.json"
    file.write_text(json.dumps({"FromDate": "", "ToDate": "", "Transactions": rows}))
    return file


def test_awards_that_vest_and_are_sold_by_lots(tmp_path):
    vest = {"VestDate": "07/25/2023", "VestFairMarketValue": "$1,121.88"}
    file = awards(
        tmp_path,
        award("Sale", "14.50", "$16,499.53", "$0.02", *LOTS),
        award("Dividend", None, "$74.62", None),
        award("Deposit", "14.5", None, None, vest),
        award("Deposit", "1", None, None, {"PurchasePrice": "$90.00"}),
    )

    items = items_of(file)

    assert [(fill.side, fill.sz, fill.px, fill.fee) for fill in fills_of(items)] == [
        ("B", D("14.5"), D("1121.88"), 0),
        ("A", D("0.5"), D("1137.90"), 0),
        ("A", 14, D("1137.90"), D("0.02")),
    ]
    assert left_out_of(items) == {"dividend": 1, "shares that came without a price": 1}


@pytest.mark.parametrize(
    ("units", "amount", "key"),
    [("14", "$16,499.53", "Quantity"), ("14.5", "$15,499.53", "Amount"), ("x", "$1", "Quantity")],
)
def test_lots_that_are_not_what_the_sale_says_refuse_the_file(tmp_path, units, amount, key):
    with pytest.raises(InvalidInputError, match=rf"Transactions\[0\]\.{key}"):
        items_of(awards(tmp_path, award("Sale", units, amount, "$0.02", *LOTS)))
