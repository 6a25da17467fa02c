"""Trades of several rows: legs of one id, fees beside a trade, positions opened and closed."""

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
