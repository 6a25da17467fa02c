"""A layout file of some twenty lines reads a broker's table as a reader in code would."""

import csv
import io
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.domain.exports.layout_file import read_layout
from afterword.pipeline.domain.exports.layout_files import own_layouts, shipped_layouts
from afterword.pipeline.domain.exports.read import read_export
from afterword.pipeline.domain.fills.model import ClosedTrade
from afterword.pipeline.domain.layouts.layout import LeftOut, Origin
from afterword.pipeline.errors import InvalidInputError
from tests.unit.exports.sample_lines import LINES

TWO = Decimal(2)
SAMPLES = Path(__file__).parent / "samples"
NAMES = [layout.name for layout in shipped_layouts()]
ASK_FOR_ZONE = {
    *("bitstamp-transactions", "cointracking-trades", "ftx-fills", "kucoin-fills"),
    *("kucoin-fills-2019", "revolut-crypto", "topstepx-trades", "tradovate-orders", "das-trades"),
    *("etoro-activity", "etoro-closed-positions", "investimental-orders"),
    *("mexc-spot-trades", "mexc-spot-trades-german", "bisq-trades"),
    *("pytr-transactions", "pytr-transactions-german", "pytr-transactions-dutch"),
}


def plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


def line_of(item) -> str:
    """Return an item as `LINES` has it; of exchanges, the amount that the price was made of."""
    if isinstance(item, LeftOut):
        return item.reason
    if isinstance(item, ClosedTrade):
        opened, closed = (f"{at:%Y-%m-%d %H:%M:%S}" for at in (item.opened_at, item.closed_at))
        what = f"{item.direction} {plain(item.size)} {item.symbol}"
        return f"{opened} to {closed} {what} net {plain(item.net)} {item.quote} fees {item.fees}"
    at = datetime.fromtimestamp(item.time_ms // 1000, UTC)
    fee = f"{plain(item.fee)} {item.fee_token or ''}".rstrip() if item.fee_is_known else "unknown"
    price = f"at {plain(item.px)}"
    if len(item.px.as_tuple().digits) > 12:  # a quotient
        price = f"for {plain((item.px * item.sz).quantize(Decimal('1e-9')))}"
    what = f"{plain(item.sz)} {item.symbol} {price} {item.quote}"
    return f"{at:%Y-%m-%d %H:%M:%S} {item.side} {what} fee {fee}"


def lines_of(file: Path) -> list[str]:
    """Return what a file holds; a layout that says no zone asks for it."""
    zone = UTC if file.stem in ASK_FOR_ZONE else None
    origin = Origin(file.name, "me", zone, day=date(2026, 3, 31), contract_sizes={"XYZM6": TWO})
    layout, items = read_export(file, origin)
    return [layout.name, *map(line_of, items)]


def wanted(name: str) -> list[str]:
    number = re.compile(r"(?<=[0-9])\.([0-9]*?)0+(?= |$)")
    return [name, *(number.sub(lambda m: f".{m[1]}".rstrip("."), line) for line in LINES[name])]


def test_each_layout_that_ships_has_a_sample() -> None:
    assert {path.stem for path in SAMPLES.iterdir()} == LINES.keys() >= {*NAMES}


@pytest.mark.parametrize("name", LINES)
def test_a_layout_reads_its_sample(name) -> None:
    assert lines_of(SAMPLES / f"{name}.csv") == wanted(name)


@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    name=st.sampled_from(sorted(LINES)),
    delimiter=st.sampled_from(",;\t"),
    mark=st.sampled_from(".,"),
    dates=st.sampled_from(["as they are", "iso", "dots", "month first"]),
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    turn=st.integers(0, 20),
    blank=st.booleans(),
)
def test_a_sample_saved_anew_gives_the_same_trades_or_a_question(
    tmp_path, name, delimiter, mark, dates, quoting, encoding, turn, blank
):
    columns = next((one.mapping.columns for one in shipped_layouts() if one.name == name), {})
    source = (SAMPLES / f"{name}.csv").read_text("utf-8")
    rows = list(csv.reader(io.StringIO(source), delimiter=";" if ";" in source else ","))
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, quoting=quoting)
    turned = 0 if any("#" in column for column in columns.values()) else turn
    for row in rows:
        cells = [saved_anew(cell, mark, dates) for cell in row]
        cut = turned % max(1, len(cells))
        writer.writerow(cells[cut:] + cells[:cut])
        if blank:
            writer.writerow([])
    file = tmp_path / f"{name}.csv"
    file.write_bytes(text.getvalue().encode(encoding))

    try:
        lines = lines_of(file)
    except InvalidInputError:
        return

    assert [line[:16] + line[19:] for line in lines] == [
        line[:16] + line[19:] for line in wanted(name)
    ]


NUMBER = re.compile(r"[-£$€]*[0-9]+\.[0-9]+")
MOMENTS = (
    *("%Y-%m-%d %H:%M:%S", "%m/%d/%Y %H:%M:%S", "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M"),
    *("%m/%d/%Y, %I:%M:%S %p", "%d/%m/%y %H:%M:%S", "%Y/%m/%d %H:%M:%S"),
    *("%m/%d/%Y %I:%M:%S %p", "%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%d-%b-%Y"),
)
SAVED = {
    "iso": ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d"),
    "dots": ("%d.%m.%Y %H:%M:%S", "%d.%m.%Y"),
    "month first": ("%m/%d/%Y %H:%M:%S", "%m/%d/%Y"),
}


def saved_anew(cell: str, mark: str, dates: str) -> str:
    """Return a cell as a spreadsheet of another country saves it."""
    if mark == "," and NUMBER.fullmatch(cell):
        return cell.replace(".", ",")
    if mark == "." and re.fullmatch(r"-?[0-9]+,[0-9]+", cell):
        return cell.replace(",", ".")
    if dates in SAVED:
        for pattern in MOMENTS:
            try:
                moment = datetime.strptime(cell, pattern).replace(tzinfo=UTC)
            except ValueError:
                continue
            return moment.strftime(SAVED[dates]["%H" not in pattern and "%I" not in pattern])
    return cell


MINE = """
title = "My broker, fills"
venue = "mybroker"
header = ["When", "What", "Way", "Units", "Each", "Cost"]

[columns]
time = "When"
symbol = "What"
side = "Way"
qty = "Units"
price = "Each"
fee = "-Cost"

[words]
buy = ["Kauf"]
sell = ["Verkauf"]

[skip]
"dividend" = ["Ertrag"]
"""
ROWS = """When,What,Way,Units,Each,Cost
2025-02-03 10:00:00,SOL/USDT,Kauf,2,100,-0.25
2025-02-04 10:00:00,SOL/USDT,Ertrag,,,
2025-02-05 10:00:00,SOL/USDT,Verkauf,2,110,-0.25
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ('venue = "mybroker"', "venue = mybroker", 3, "is not TOML"),
        ('venue = "mybroker"', 'venue = "My Broker"', 3, "venue is 'My Broker'"),
        ('title = "My broker, fills"\n', "", 1, "title is missing"),
        ('fee = "-Cost"', 'fee = "-Costs"', 12, "columns.fee names 'Costs'"),
        ('price = "Each"', 'prize = "Each"', 11, "columns.prize is unknown"),
        ('qty = "Units"', "qty = 3", 10, "columns.qty is '3'"),
        ('qty = "Units"\n', "", 6, "columns of fills lack qty"),
        ('buy = ["Kauf"]', 'bye = ["Kauf"]', 15, "words.bye is unknown"),
        ("[skip]", "[skips]", 18, "skips is unknown"),
        ('"dividend" = ["Ertrag"]', '"dividend" = [1]', 19, "skip.dividend is '1'"),
        ("[words]", '[all]\nkind = "coin"\n[words]', 15, "all.kind"),
        ("[words]", '[times]\nzone = "Mars"\n[words]', 15, "times.zone"),
        ("[words]", '[times]\nformat = "%Y"\n[words]', 15, "times.format"),
        ("[words]", '[numbers]\ndecimal = "x"\n[words]', 15, "numbers.decimal"),
        ("[words]", '[texts]\n"What" = "{order}{id}"\n[words]', 15, "texts.What is '{order}{id}'"),
        ("[words]", '[texts]\n"What" = "{cost}"\n[words]', 15, "texts.What has the part 'cost'"),
        ("[words]", '[texts]\n"What" = "{qty} x"\n[words]', 15, "texts.What has the part 'qty'"),
        ("[words]", '[texts]\n"Text" = "{id} x"\n[words]', 15, "texts.Text is unknown"),
        ('title = "My broker, fills"', f'title = "{"x" * 201}"', 2, "title is"),
        ("[words]", '[kinds]\ncoin = ["Coin"]\n[words]', 15, "kinds.coin is unknown"),
        ("[words]", '[words]\ntrade = ["Deal"]', 6, "columns of fills name one of sort and trade"),
        ('fee = "-Cost"', 'without = "Cost"', 6, "columns of fills hold without"),
    ],
)
def test_a_mistake_in_a_layout_file_is_refused_with_its_line(old, new, line, problem) -> None:
    assert old in MINE

    with pytest.raises(InvalidInputError) as refused:
        read_layout("mine", MINE.replace(old, new, 1))

    assert str(refused.value).startswith(f"mine.toml: line {line}: {problem}")


def test_a_layout_of_ones_own_reads_a_file_through_every_command(
    command, home, clock, tmp_path
) -> None:
    clock.advance(days=400)
    file, layout = tmp_path / "fills.csv", tmp_path / "mine.toml"
    file.write_text(ROWS)
    layout.write_text(MINE)

    checked = command(
        "--json", "layout", "check", str(file), "--with", str(layout), "--zone", "UTC"
    )
    assert (checked.json["fills"], checked.json["left_out"]) == (2, {"dividend": 1})
    assert command("learn", str(file), "--zone", "UTC").code == 2  # it is not in the home yet

    (home / "layouts").mkdir(parents=True)
    (home / "layouts/mine.toml").write_text(MINE)
    learned = command("--json", "learn", str(file), "--zone", "UTC")
    assert [one["trip"]["net"] for one in learned.json["outcomes"]] == ["19.5"]
    assert learned.json["outcomes"][0]["trip"]["venue"] == "mybroker"
    imported = command("--json", "history", "import", str(file), "--zone", "UTC")
    assert imported.code == 0
    assert command("--json", "history", "mappings", "ls").json == []
    assert command("layout", "show", "mine").out.strip() == MINE.strip()
    assert command("--json", "layout", "ls").json[0]["read_by"] == "your own"


def test_a_link_out_of_the_folder_of_layouts_is_refused(tmp_path) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text(MINE)
    (tmp_path / "home/layouts").mkdir(parents=True)
    (tmp_path / "home/layouts/mine.toml").symlink_to(secret)

    with pytest.raises(InvalidInputError, match=r"mine\.toml"):
        own_layouts(tmp_path / "home")


def test_a_row_of_a_trade_that_lacks_an_amount_refuses_the_file(tmp_path) -> None:
    sample = (SAMPLES / "bittytax-records.csv").read_text()
    file = tmp_path / "bittytax-records.csv"
    file.write_text(sample.replace("Trade,0.05,BTC,,870,GBP", "Trade,0.05,BTC,,,GBP"))

    with pytest.raises(InvalidInputError, match="line 3, column Sell Quantity"):
        lines_of(file)


def test_what_an_option_says_of_a_file_holds_for_a_known_layout_too(command, tmp_path) -> None:
    file = tmp_path / "statement.csv"
    source = (SAMPLES / "revolut-stocks.csv").read_text("utf-8")
    file.write_text(source.replace("$52.25", '"$1,052"').replace("$58.75", '"$1,058"'))
    file.write_text(file.read_text().replace("1.625", '"1,625"'))

    refused = command("layout", "check", str(file))
    assert refused.code == 2 and "--decimal . or --decimal ," in refused.err
    checked = command("--json", "learn", str(file), "--decimal", ",")

    assert checked.json["outcomes"][0]["trip"]["size"] == "1.625"


@pytest.mark.parametrize(
    ("event", "column"),
    [
        ("Buy 12 for 28.75 USD", "Event"),
        ("Tausch 12 @ 28.75 USD", "Event"),
        ("Buy many @ 28.75 USD", "Event"),
    ],
)
def test_a_text_of_another_form_refuses_the_file_where_the_row_is_a_trade(
    tmp_path, event, column
) -> None:
    sample = (SAMPLES / "saxo-transactions.csv").read_text()
    file = tmp_path / "saxo-transactions.csv"
    file.write_text(sample.replace("Buy 12 @ 28.75 USD", event))

    with pytest.raises(InvalidInputError, match=f"line 4, column {column}"):
        lines_of(file)


def test_times_without_a_date_ask_for_their_day_and_zone() -> None:
    with pytest.raises(InvalidInputError) as asked:
        read_export(SAMPLES / "das-trades.csv", Origin("das.csv", "me"))[1].__next__()

    assert "--day 2026-03-31; and --zone" in asked.value.accepted


def test_an_order_cancelled_in_part_keeps_what_it_filled(tmp_path) -> None:
    sample = (SAMPLES / "tradovate-orders.csv").read_text()
    file = tmp_path / "tradovate-orders.csv"
    file.write_text(sample.replace("904, Filled", "904, Canceled"))

    assert lines_of(file) == wanted("tradovate-orders")


def test_a_word_of_a_kind_that_a_layout_does_not_know_refuses_the_file(tmp_path) -> None:
    sample = (SAMPLES / "trade-republic-transactions.csv").read_text()
    file = tmp_path / "trade-republic-transactions.csv"
    file.write_text(sample.replace('"CRYPTO"', '"LOAN"', 1))

    with pytest.raises(InvalidInputError, match=r"line 4, column asset_class.*crypto, stock"):
        lines_of(file)


def test_a_total_below_its_fees_refuses_the_file(tmp_path) -> None:
    sample = (SAMPLES / "pytr-transactions.csv").read_text()
    file = tmp_path / "pytr-transactions.csv"
    file.write_text(sample.replace("-613.5", "-0.5"))

    with pytest.raises(InvalidInputError, match=r"line 2, column Value.*1\.0 of fees and taxes"):
        lines_of(file)


def test_fees_and_taxes_are_taken_out_of_a_total_in_columns_of_ones_own(command, tmp_path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(
        "Day,Sort,What,Way,Units,Sum,Cost,Tax\n"
        "2025-01-02,deal,AAA,buy,4,-401.5,1.5,\n"
        "2025-01-03,cash,,paid in,,500,,\n"
        "2025-01-04,deal,AAA,sell,4,435.5,1.5,3\n"
    )
    columns = (
        "time=Day,sort=Sort,trade:deal,symbol=What,side=Way,qty=Units,total=Sum,"
        "without=Cost+Tax,fee=Cost,quote:EUR"
    )

    done = command("--json", "learn", str(file), "--columns", columns, "--zone", "UTC")

    (trip,) = (one["trip"] for one in done.json["outcomes"])
    assert (Decimal(trip["gross"]), Decimal(trip["fees"])) == (40, 3)  # 440 less 400
