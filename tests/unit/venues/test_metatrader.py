import os
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.exports import (
    closed_of,
    fills_of,
    items_of,
    left_out_of,
)

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
TRADES = SHARED / "data" / "exports" / "trades"
shared_file = pytest.mark.skipif(not TRADES.is_dir(), reason="no shared folder with exports")


def write(tmp_path: Path, text: str, name: str = "export.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


MT4 = """<html><table><tr><td>Account: 1</td><td>Currency: EUR</td></tr>
<tr><td><b>Closed Transactions:</b></td></tr>
<tr><td>Ticket</td><td>Open Time</td><td>Type</td><td>Size</td><td>Item</td><td>Price</td>
<td>S / L</td><td>T / P</td><td>Close Time</td><td>Price</td><td>Commission</td><td>Taxes</td>
<td>Swap</td><td>Profit</td></tr>
{rows}
<tr><td><b>Open Trades:</b></td></tr>
</table></html>"""


def mt4_row(
    symbol: str, profit: str, entry: str = "100", out: str = "101", kind: str = "buy"
) -> str:
    cells = (
        *("7", "2026.01.05 10:15", "buy", "0.10", symbol, "100", "0", "0"),
        *("2026.01.05 14:00:30", out, "-1.00", "-0.50", "-0.25", profit),
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def test_profit_commission_tax_and_swap_make_the_net_in_the_currency_of_the_account(tmp_path: Path):
    path = write(tmp_path, MT4.format(rows=mt4_row("dax", "1 015.00")), "statement.html")

    (trade,) = closed_of(items_of(path, zone="Europe/Athens"))

    assert (trade.gross, trade.fees, trade.funding) == (1015, Decimal("1.50"), Decimal("-0.25"))
    assert (trade.net, trade.quote, trade.symbol) == (Decimal("1013.25"), "EUR", "DAX")
    # 10:15 at the server in Athens is 08:15 UTC in January.
    assert trade.opened_at is not None
    assert trade.opened_at.isoformat() == "2026-01-05T08:15:00+00:00"


@pytest.mark.parametrize(
    ("profits", "multiplier"),
    [
        (("2.50", "5.00"), 25),  # 0.10 lots, moves of 1 and 2
        (("2.50", "5.10"), 1),  # they do not agree
        (("2.53", "5.06"), 1),  # no whole number
    ],
)
def test_a_lot_is_so_many_units_only_where_every_profit_says_so(
    tmp_path: Path, profits: tuple[str, str], multiplier: int
):
    rows = mt4_row("dax", profits[0]) + mt4_row("dax", profits[1], out="102")
    path = write(tmp_path, MT4.format(rows=rows), "statement.html")

    trades = closed_of(items_of(path, zone="UTC"))

    assert [trade.multiplier for trade in trades] == [multiplier, multiplier]


def test_the_zone_of_the_server_is_asked_for(tmp_path: Path):
    path = write(tmp_path, MT4.format(rows=mt4_row("dax", "1")), "statement.html")

    with pytest.raises(InvalidInputError, match="--zone"):
        items_of(path)


def test_a_bad_cell_is_refused_with_its_line(tmp_path: Path):
    path = write(tmp_path, MT4.format(rows=mt4_row("dax", "much")), "statement.html")

    with pytest.raises(InvalidInputError, match=r"statement\.html: line 6, column Profit"):
        items_of(path, zone="UTC")


def deals(*rows: tuple[str, ...]) -> str:
    """Return a report of deals: type, direction, volume, price, commission, swap, profit."""
    head = (
        *("Time", "Deal", "Symbol", "Type", "Direction", "Volume", "Price", "Order"),
        *("Commission", "Fee", "Swap", "Profit", "Balance", "Comment"),
    )
    lines = [head] + [
        (
            *(f"2025.01.10 12:0{number}:00", str(number), "EURUSD", side, way, size, price),
            *(f"5{number}", commission, "0.00", swap, profit, "", ""),
        )
        for number, (side, way, size, price, commission, swap, profit) in enumerate(rows)
    ]
    table = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in line) + "</tr>" for line in lines
    )
    return (
        "<html><title>Trade History Report</title><table>"
        "<tr><td>Account:</td><td>12345678 (EUR, Broker, real, Hedge)</td></tr>"
        f"<tr><th>Deals</th></tr>{table}</table></html>"
    )


def test_deals_alone_make_the_positions_of_a_report(tmp_path: Path):
    page = deals(
        ("buy", "in", "0.10", "1.08500", "-0.35", "0.00", "0.00"),
        ("buy", "in", "0.30", "1.08700", "-1.05", "0.00", "0.00"),
        ("sell", "out", "0.40", "1.08850", "-1.40", "-0.20", "80.00"),
    )

    items = items_of(write(tmp_path, page, "report.html"), zone="UTC")

    (trade,) = closed_of(items)
    assert (trade.direction, trade.size, trade.multiplier) == ("long", Decimal("0.40"), 100_000)
    assert (trade.entry_px, trade.exit_px) == (Decimal("1.0865"), Decimal("1.0885"))
    assert (trade.gross, trade.fees, trade.funding) == (80, Decimal("2.80"), Decimal("-0.20"))
    assert (trade.net, trade.quote) == (77, "EUR")
    assert trade.opened_at is not None
    assert trade.opened_at.minute == 0
    assert left_out_of(items) == {"deal of a position": 2}


def test_deals_of_a_long_and_a_short_at_once_are_two_positions(tmp_path: Path):
    page = deals(
        ("buy", "in", "0.10", "1.08000", "0", "0", "0"),
        ("sell", "in", "0.10", "1.09000", "0", "0", "0"),
        ("buy", "out", "0.10", "1.08500", "0", "0", "50.00"),
        ("sell", "out", "0.10", "1.08600", "0", "0", "60.00"),
    )

    trades = closed_of(items_of(write(tmp_path, page, "report.html"), zone="UTC"))

    assert [(one.direction, one.net) for one in trades] == [("short", 50), ("long", 60)]


def test_a_deal_that_turns_a_position_closes_one_and_opens_the_other(tmp_path: Path):
    page = deals(
        ("buy", "in", "0.10", "1.08000", "0", "0", "0"),
        ("sell", "in/out", "0.30", "1.09000", "-3.00", "0", "100.00"),
        ("buy", "out", "0.20", "1.08500", "0", "0", "100.00"),
    )

    trades = closed_of(items_of(write(tmp_path, page, "report.html"), zone="UTC"))

    found = [(one.direction, one.size, one.gross, one.entry_px) for one in trades]
    assert found == [
        ("long", Decimal("0.10"), 100, Decimal("1.08")),
        ("short", Decimal("0.20"), 100, Decimal("1.09")),
    ]
    assert sum(one.net for one in trades) == 197


def test_what_a_report_of_deals_does_not_know_stays_unknown(tmp_path: Path):
    page = deals(
        ("sell", "out", "0.10", "1.08500", "-0.35", "0", "15.00"),
        ("buy", "in", "0.10", "1.08000", "0", "0", "0"),
    )

    items = items_of(write(tmp_path, page, "report.html"), zone="UTC")

    (trade,) = closed_of(items)
    assert (trade.direction, trade.opened_at, trade.entry_px) == ("long", None, None)
    assert trade.net == Decimal("14.65")
    assert left_out_of(items) == {"deal of an open position": 1}


def test_a_report_of_deals_is_learned_from(command: Command, tmp_path: Path):
    page = deals(
        ("buy", "in", "0.10", "1.08500", "-0.70", "0", "0"),
        ("sell", "out", "0.10", "1.08650", "0", "0", "15.00"),
    )
    path = write(tmp_path, page, "report.html")

    report = command("learn", str(path), "--zone", "UTC", "--json").json

    assert [one["trip"]["net"] for one in report["outcomes"]] == ["14.3"]


def test_deals_that_do_not_say_what_they_do_are_refused(tmp_path: Path):
    deal = "<tr><td>2026.09.17 19:16:54</td><td>901</td><td>EURUSD</td><td>buy</td></tr>"
    page = f"<html><title>Trade History Report</title><table><tr><th>Deals</th></tr>{deal}</table>"

    with pytest.raises(InvalidInputError, match="deals but no positions"):
        items_of(write(tmp_path, page, "report.html"), zone="UTC")


@shared_file
def test_the_statement_holds_two_closed_trades():
    items = items_of(TRADES / "constructed_mt4_statement.html", zone="UTC")

    found = [(one.symbol, one.direction, one.net, one.trade_id) for one in closed_of(items)]
    assert found == [
        ("EURUSD", "long", Decimal("14.30"), "1000002"),  # 15.00 - 0.70
        ("XAUUSD", "short", Decimal("-26.20"), "1000003"),  # -25.00 - 1.20
    ]
    # The sum under the statement: profit -10.00, commission -0.70, swap -1.20.
    assert sum(one.net for one in closed_of(items)) == Decimal("-11.90")
    # 0.10 lots earn 15.00 by 0.00150; 0.05 lots lose 25.00 by 5.
    assert [one.multiplier for one in closed_of(items)] == [100_000, 100]
    assert left_out_of(items) == {"balance": 1, "unfilled order": 1, "open trade": 1}


@shared_file
def test_positions_and_deals_of_a_report_are_counted_once():
    items = items_of(TRADES / "constructed_mt5_report_history.html", zone="UTC")

    found = [(one.symbol, one.direction, one.size, one.net) for one in closed_of(items)]
    assert found == [
        ("EURUSD", "long", Decimal("0.10"), Decimal("14.30")),  # 15.00 - 0.70
        ("XAUUSD.r", "short", Decimal("0.05"), Decimal("-25.35")),  # -25.00 - 0.35
        ("EURUSD", "long", Decimal("0.30"), Decimal("27.90")),  # 30.00 - 2.10
    ]
    assert fills_of(items) == []
    assert left_out_of(items) == {"deal of a position": 7}


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        ("<!-- a", "begins <!-- that does not end"),
        ("<td class='x", "begins a tag that does not end"),
        ("<script>a", "begins <script> that does not end"),
        ("<td>&#" + "1" * 5_000 + "</td>", "must have entities of characters"),
    ],
)
def test_a_page_that_is_cut_off_is_refused_with_its_line(tmp_path: Path, part: str, problem: str):
    page = MT4.format(rows=mt4_row("dax", "1") + part)
    path = write(tmp_path, page.partition(part)[0] + part, "statement.html")

    with pytest.raises(InvalidInputError, match=r"statement\.html: line 6") as told:
        items_of(path, zone="UTC")

    assert told.value.problem == problem


def test_comments_scripts_and_signs_in_a_page_are_no_markup(tmp_path: Path):
    row = mt4_row("dax", "1").replace(
        "<td>buy</td>",
        "<!-- <td>no</td> --><STYLE>td > a {}</Style><td title='a > b' class=\"x\">b<i>u</i>y</TD>"
        "<td class='a hidden'>no</td><td CLASS=hidden>no</td>",
    )
    path = write(tmp_path, MT4.format(rows=row), "statement.html")

    (trade,) = closed_of(items_of(path, zone="UTC"))

    assert (trade.direction, trade.gross, trade.symbol) == ("long", 1, "DAX")


def test_a_page_has_tables_of_as_many_columns_as_a_sheet(tmp_path: Path):
    path = write(tmp_path, MT4.format(rows="<tr>" + "<td>1</td>" * 1_001), "statement.html")

    with pytest.raises(InvalidInputError, match=r"line 6: has too many cells"):
        items_of(path, zone="UTC")
