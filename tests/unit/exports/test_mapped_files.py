"""Tables of unknown programs, read by the columns their owner named."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.exports.read import read_export
from afterword.pipeline.domain.fills.model import ClosedTrade, Fill
from afterword.pipeline.domain.layouts.layout import LeftOut, Origin
from afterword.pipeline.errors import InvalidInputError

PLAIN = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"
HEAD = "Date,Pair,Type,Amount,Price,Fee"
ROW = "2024-03-05 10:00:00,BTC/USDT,BUY,0.5,60000,30"


def items(path: Path, text: str | bytes, columns: str = PLAIN, symbol=None, **options):
    file = path / "mine.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    options = {"zone": "UTC", **options}
    mapping = ColumnMapping.parse(columns, **options)
    _, found = read_export(file, Origin("mine.csv", "me", symbol=symbol), mapping)
    return list(found)


def refused(path: Path, text: str | bytes, columns: str = PLAIN, **options) -> str:
    with pytest.raises(InvalidInputError) as told:
        items(path, text, columns, **options)
    return str(told.value)


def test_a_row_becomes_a_fill_by_the_names_of_its_columns(tmp_path):
    text = f"{HEAD},Note\n{ROW},=HYPERLINK(1)\n2024-03-05 11:30:15.25,ETH/EUR,sell,2,3100.5,0,\n"

    first, second = items(tmp_path, text)

    assert isinstance(first, Fill)
    assert (first.symbol, first.side, first.sz, first.px) == (
        "BTC/USDT",
        "B",
        Decimal("0.5"),
        60000,
    )
    assert (first.fee, first.quote, first.fee_token, first.kind) == (30, "USDT", None, "spot")
    assert first.time_ms == 1_709_632_800_000  # date -u -d '2024-03-05 10:00' +%s000
    assert (first.venue, first.account, first.line) == ("csv", "me", 2)
    assert '"Note":"=HYPERLINK(1)"' in first.raw
    assert (second.side, second.quote, second.time_ms) == ("A", "EUR", 1_709_638_215_250)


@pytest.mark.parametrize(
    ("zone", "hours"), [("UTC", 0), ("UTC+8", -8), ("UTC--6", 6), ("America/New_York", 5)]
)
def test_the_zone_places_times_that_say_none(tmp_path, zone, hours):
    (fill,) = items(tmp_path, f"{HEAD}\n{ROW}\n", zone=zone)

    assert fill.time_ms == 1_709_632_800_000 + hours * 3_600_000


def test_a_file_without_zone_is_refused_before_a_row_is_read(tmp_path):
    assert "--zone" in refused(tmp_path, f"{HEAD}\n{ROW}\n", zone=None)


def test_a_zone_in_the_cell_outranks_the_option(tmp_path):
    text = f"{HEAD}\n2024-03-05T10:00:00+02:00,A,BUY,1,1,0\n2024-03-05T08:00:00Z,A,BUY,1,1,0\n"

    first, second = items(tmp_path, text, zone="Asia/Tokyo")

    assert first.time_ms == second.time_ms == 1_709_625_600_000


def test_without_a_column_of_sides_the_sign_of_the_quantity_is_the_side(tmp_path):
    text = "t,sym,n,p\n1709632800,A,-3,10\n1709632801000,A,2,11\n1709632802000000,A,0,11\n"

    sold, bought, nothing = items(tmp_path, text, "time=t,symbol=sym,qty=n,price=p", zone=None)

    assert (sold.side, sold.sz, bought.side, bought.sz) == ("A", 3, "B", 2)
    assert bought.time_ms == sold.time_ms + 1000
    assert nothing == LeftOut(4, "size 0")


def test_a_unit_of_numbers_is_believed(tmp_path):
    text = "t,n,p\n86400,1,5\n"

    (fill,) = items(tmp_path, text, "time=t,qty=n,price=p,symbol:A", time_unit="s")

    assert fill.time_ms == 86_400_000
    assert "column t" in refused(tmp_path, text, "time=t,qty=n,price=p,symbol:A")


def test_a_table_with_semicolons_and_decimal_commas_is_read(tmp_path):
    text = "Datum;Paar;Art;Menge;Kurs;Gebühr\n05.03.2024 10:00;BTCEUR;Kauf;0,5;60.000,50;1,25\n"
    columns = (
        "time=Datum,symbol=Paar,side=Art,qty=Menge,price=Kurs,fee=Gebühr,buy:Kauf,sell:Verkauf"
    )

    for encoding in ("utf-8", "utf-8-sig", "cp1252", "utf-16"):
        (fill,) = items(tmp_path, text.encode(encoding), columns)
        assert (fill.sz, fill.px, fill.fee) == (
            Decimal("0.5"),
            Decimal("60000.50"),
            Decimal("1.25"),
        )
        assert fill.time_ms == 1_709_632_800_000


def test_numbers_that_can_be_read_in_two_ways_are_asked_about(tmp_path):
    text = f'{HEAD}\n2024-03-05,A,BUY,"1,234",2,0\n'

    assert "--decimal" in refused(tmp_path, text)
    assert items(tmp_path, text, decimal=".")[0].sz == 1234
    assert items(tmp_path, text, decimal=",")[0].sz == Decimal("1.234")
    later = text + '2024-03-05,A,BUY,"1,234.5",2,0\n'
    assert [one.sz for one in items(tmp_path, later)] == [1234, Decimal("1234.5")]


def test_days_and_months_are_found_by_the_whole_column_or_asked_about(tmp_path):
    text = f"{HEAD}\n03/05/2024 10:00,A,BUY,1,2,0\n"

    assert "--time-format" in refused(tmp_path, text)
    # the 3rd of May
    assert items(tmp_path, text, time_format="dmy")[0].time_ms == 1_714_730_400_000
    assert items(tmp_path, text, time_format="%m/%d/%Y %H:%M")[0].time_ms == 1_709_632_800_000
    later = text + "03/05/2024 11:00,A,BUY,1,2,0\n" * 100 + "03/13/2024 10:00,A,BUY,1,2,0\n"
    assert items(tmp_path, later)[0].time_ms == 1_709_632_800_000
    other = later + "13/03/2024 10:00,A,BUY,1,2,0\n"
    assert "line 104, column Date" in refused(tmp_path, other)


def test_times_that_no_clock_showed_are_refused_and_the_first_of_two_counts(tmp_path):
    text = f"{HEAD}\n2024-11-03 01:30:00,A,BUY,1,2,0\n"
    (fill,) = items(tmp_path, text, zone="America/New_York")
    assert fill.time_ms == 1_730_611_800_000  # 05:30 UTC, still summer time

    told = refused(tmp_path, text.replace("11-03 01", "03-10 02"), zone="America/New_York")
    assert "line 2, column Date" in told and "skipped" in told


def test_fees_carry_their_sign_and_their_token(tmp_path):
    rows = "".join(f"2024-03-05,BTCUSDT,BUY,1,100,{fee}\n" for fee in ("-1", "-2", "-0.5 BNB"))

    told = refused(tmp_path, f"{HEAD}\n{rows}")
    assert "fee=-Fee" in told and "fee=+Fee" in told
    paid = items(tmp_path, f"{HEAD}\n{rows}", PLAIN.replace("fee=", "fee=-"))
    assert [(one.fee, one.fee_token) for one in paid] == [
        (1, None),
        (2, None),
        (Decimal("0.5"), "BNB"),
    ]
    rebates = items(tmp_path, f"{HEAD}\n{rows}", PLAIN.replace("fee=", "fee=+"))
    assert [one.fee for one in rebates] == [-1, -2, Decimal("-0.5")]


def test_rows_that_are_no_trades_are_named_once_and_left_out(tmp_path):
    text = f"{HEAD}\n{ROW}\n2024-03-06,BTC,Deposit,1,0,0\n"

    assert "line 3, column Type: is 'Deposit'" in refused(tmp_path, text)
    _, left = items(tmp_path, text, f"{PLAIN},skip:Deposit|Reward")
    assert left == LeftOut(3, "deposit")


def test_columns_may_be_named_by_their_place_and_parted_over_two(tmp_path):
    text = "2024-03-05,10:00,A,-1,5\n"

    (fill,) = items(tmp_path, text, "time=#1+#2,symbol=#3,qty=#4,price=#5")

    assert (fill.side, fill.time_ms) == ("A", 1_709_632_800_000)
    (fill,) = items(tmp_path, f"a,b,c,d,e\n{text}", "time=a+b,symbol=c,qty=d,price=e")
    assert (fill.line, fill.time_ms) == (2, 1_709_632_800_000)


def test_fixed_values_hold_for_all_rows(tmp_path):
    columns = (
        "time=Date,side=Type,qty=Amount,price=Price,symbol:ES,kind:future,quote:USD,multiplier:50"
    )

    (fill,) = items(tmp_path, f"{HEAD}\n{ROW}\n", columns)

    assert (fill.symbol, fill.kind, fill.quote, fill.multiplier) == ("ES", "future", "USD", 50)


def test_ids_keep_all_their_digits(tmp_path):
    text = "t,n,p,o,i\n1709632800000,1,5,9007199254740993,18446744073709551617\n"

    (fill,) = items(tmp_path, text, "time=t,qty=n,price=p,symbol:A,order=o,id=i")

    assert (fill.oid, fill.tid) == ("9007199254740993", "18446744073709551617")


def test_a_closed_trade_is_read_by_its_net_or_its_gross_or_its_prices(tmp_path):
    text = "in,out,m,d,n,e,x,g,f,net\n2024-01-01,2024-01-03,SOL,Long,2,100,110,20,1.5,18.5\n"
    base = "opened=in,closed=out,symbol=m,direction=d,qty=n,entry=e,exit=x"

    (full,) = items(tmp_path, text, f"{base},pnl=g,fee=f,net=net")
    (gross,) = items(tmp_path, text, f"{base},pnl=g,fee=f")
    (prices,) = items(tmp_path, text, base)
    (alone,) = items(tmp_path, text, f"{base},pnl=g")

    assert isinstance(full, ClosedTrade)
    assert (full.net, full.gross, full.fees, full.net_is_after) == (
        Decimal("18.5"),
        20,
        Decimal("1.5"),
        "fees",
    )
    assert full.closed_at - full.opened_at == timedelta(days=2)
    assert full.closed_at == datetime(2024, 1, 3, tzinfo=UTC)
    assert (gross.net, gross.net_is_after) == (Decimal("18.5"), "fees")
    assert (prices.net, prices.gross, prices.net_is_after) == (20, 20, "nothing")
    assert (alone.net, alone.gross, alone.net_is_after) == (20, None, "unknown")


def test_a_short_that_rose_lost(tmp_path):
    text = "out,m,n,e,x\n2024-01-03,ES,-2,100,110\n"

    (trade,) = items(tmp_path, text, "closed=out,symbol=m,qty=n,entry=e,exit=x,multiplier:50")

    assert (trade.direction, trade.size, trade.net, trade.opened_at) == ("short", 2, -1000, None)


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ("x,A,BUY,1,2,0", "line 2, column Date"),
        ("2024-13-05,A,BUY,1,2,0", "line 2, column Date"),
        ("2024-03-05,,BUY,1,2,0", "line 2, column Pair: is empty"),
        ("2024-03-05,=HYPERLINK(1),BUY,1,2,0", "line 2, column Pair"),
        ("2024-03-05,+cmd|x,BUY,1,2,0", "line 2, column Pair"),
        ("2024-03-05,A,,1,2,0", "line 2, column Type: is empty"),
        ("2024-03-05,A,BUY,NaN,2,0", "line 2, column Amount: is 'NaN'"),
        ("2024-03-05,A,BUY,-1,2,0", "line 2, column Amount"),
        ("2024-03-05,A,BUY,1,-2,0", "line 2, column Price"),
        ("2024-03-05,A,BUY,1,,0", "line 2, column Price: is empty"),
        ("2024-03-05,A,BUY,1,2,?", "line 2, column Fee: is '?'"),
        ("2024-03-05,A,BUY,1٠,2,0", "line 2, column Amount"),
        ("2024-03-05,A,BUY,1,2,000,0", "line 2: has 7 cells, and its header 6"),
    ],
)
def test_a_bad_cell_is_refused_with_its_line_and_column(tmp_path, row, named):
    assert named in refused(tmp_path, f"{HEAD}\n{row}\n")


@pytest.mark.parametrize(
    ("columns", "options", "named"),
    [
        ("", {}, "lack time, qty, price"),
        ("time=Date,qty=Amount", {}, "lack price"),
        ("time=Date,time=Date,qty=A,price=P", {}, "time is given twice"),
        ("tme=Date", {}, "tme=Date"),
        ("time:2024,qty=A,price=P", {}, "time:2024"),
        ("Date", {}, "'Date'"),
        ("time=,qty=A", {}, "'time='"),
        ('time="Date', {}, "columns"),
        ("time=D,qty=A,price=P,entry=E", {}, "of fills hold entry"),
        ("closed=D,qty=A,net=N,price=P", {}, "of closed trades hold price"),
        ("closed=D,qty=A", {}, "lack entry, exit"),
        ("time=D,qty=A,price=P,kind:coin", {}, "kind is 'coin'"),
        ("time=D,qty=A,price=P,multiplier:0", {}, "multiplier is '0'"),
        (PLAIN, {"zone": "Mars/Base"}, "zone"),
        (PLAIN, {"time_unit": "min"}, "time-unit"),
        (PLAIN, {"decimal": ";"}, "decimal"),
        (PLAIN, {"time_format": "%H:%M"}, "time-format"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(columns, options, named):
    with pytest.raises(InvalidInputError, match=named.replace("?", r"\?")):
        ColumnMapping.parse(columns, **options)


def test_a_mapping_is_written_as_it_is_read():
    columns = 'time=Date+Time,qty=n,price=p,"fee=-Fee, USD",symbol:A,skip:x|y'

    mapping = ColumnMapping.parse(columns, zone="UTC+8", time_unit="ms")

    assert mapping.columns["fee"] == "Fee, USD"
    again = ColumnMapping.parse(mapping.text(), zone="UTC+8", time_unit="ms")
    assert again == mapping
    assert mapping.zone_of_times() == timezone(timedelta(hours=8))


def test_a_column_that_is_not_there_is_named_beside_those_that_are(tmp_path):
    told = refused(tmp_path, f"{HEAD}\n{ROW}\n", PLAIN.replace("Fee", "Costs"))

    assert "line 1: has no column 'Costs'" in told
    assert "Date, Pair, Type, Amount, Price, Fee" in told


@pytest.mark.parametrize("place", ["#0", "#12345"])
def test_a_place_that_no_table_has_is_refused(tmp_path, place):
    told = refused(tmp_path, f"{HEAD}\n{ROW}\n", f"time={place},symbol=Pair,qty=Amount,price=Price")

    assert f"line 1: has no column '{place}'; accepted: its columns: 'Date, Pair" in told


def test_a_place_beyond_the_last_column_is_an_empty_cell(tmp_path):
    told = refused(tmp_path, f"{ROW}\n", "time=#1,symbol=#2,side=#3,qty=#40,price=#5,fee=#41")

    assert "column #40: is empty" in told
