"""A file of no known layout is refused with a mapping that works when it is copied."""

import shlex
from decimal import Decimal
from pathlib import Path

import pytest

from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.exports.read import read_export
from afterword.pipeline.domain.fills.model import ClosedTrade, Fill
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.moments import read_zone
from tests.unit.exports.answered import in_utc


def refusal(file: Path) -> InvalidInputError:
    with pytest.raises(InvalidInputError) as told:
        read_export(file, Origin(file.name, "me"))
    return told.value


def tried(file: Path) -> list:
    """Apply what the refusal says, as a shell would read it."""
    words = shlex.split(in_utc(refusal(file).accepted))
    options = dict(zip(words[::2], words[1::2], strict=True))
    mapping = ColumnMapping.parse(
        options["--columns"],
        zone=options.get("--zone"),
        decimal=options.get("--decimal"),
        time_format=options.get("--time-format"),
    )
    zone = read_zone(options["--zone"]) if "--zone" in options else None
    origin = Origin(file.name, "me", zone, options.get("--symbol"))
    return list(read_export(file, origin, mapping)[1])


@pytest.mark.parametrize(
    ("text", "fills"),
    [
        (
            "Executed at;Pair;Way;Amount;Price;Fee;Fee coin\n"
            "05.03.2024 10:00;BTC-EUR;Kauf;1.000,5;60.000,25;1,5;EUR\n",
            [("BTC-EUR", "B", "1000.5", "60000.25", "1.5", 1_709_632_800_000)],
        ),
        (
            "# my broker\nDate,Time,Ticker,Type,Shares,Price/Share,Commission\n"
            '2024-03-05,10:00:00,AAPL,Market sell,"1,000",170.5,-1\n'
            "2024-03-06,10:00:00,AAPL,Deposit,5,1,0\n",
            [("AAPL", "A", "1000", "170.5", "1", 1_709_632_800_000)],
        ),
        (
            "Time (UTC+8),Contract,Direction,Filled Qty,Avg. Filled Price,Trading Fee\n"
            "2024-03-05 18:00:00,ETH_USDT,Long,2,3000,0.5\n",
            [("ETH_USDT", "B", "2", "3000", "0.5", 1_709_632_800_000)],
        ),
        (
            "timestamp\tsymbol\tqty\tpx\n1709632800\tSOL/USDT:USDT\t-3\t120.5\n",
            [("SOL/USDT:USDT", "A", "3", "120.5", "0", 1_709_632_800_000)],
        ),
        (
            'Date,"What, exactly",Side,N,"Price, USD"\n13/03/2024 10:00,A,BUY,1,5\n',
            [("MARKET", "B", "1", "5", "0", 1_710_324_000_000)],
        ),
    ],
)
def test_the_mapping_that_a_refusal_names_reads_the_file(tmp_path, text, fills):
    (tmp_path / "mine.csv").write_text(text)

    found = [one for one in tried(tmp_path / "mine.csv") if isinstance(one, Fill)]

    assert [(one.symbol, one.side, one.sz, one.px, one.fee, one.time_ms) for one in found] == [
        (name, side, Decimal(size), Decimal(px), Decimal(fee), at)
        for name, side, size, px, fee, at in fills
    ]


def test_closed_trades_are_guessed_too(tmp_path):
    (tmp_path / "mine.csv").write_text(
        "Symbol,Side,Entry Time,Exit Time,Quantity,Entry Price,Exit Price,Fees,Net P&L\n"
        "ES,Short,2024-03-05 10:00,2024-03-05 11:00,2,5000,4990,4,996\n"
    )

    (trade,) = tried(tmp_path / "mine.csv")

    assert isinstance(trade, ClosedTrade)
    assert (trade.direction, trade.size, trade.entry_px, trade.exit_px) == ("short", 2, 5000, 4990)
    assert (trade.fees, trade.net, trade.net_is_after) == (4, 996, "fees")
    assert trade.closed_at.hour == 11 and trade.opened_at.hour == 10


def test_a_table_without_a_header_is_named_by_places(tmp_path):
    (tmp_path / "mine.csv").write_text("2024-03-05 10:00:00,BTCUSDT,buy,1,5\n")

    told = refusal(tmp_path / "mine.csv")

    assert "line 1: has a first row of no known layout" in str(told)
    assert "qty=COLUMN" in told.accepted and "time=#1,symbol=#2,side=#3" in told.accepted


def test_numbers_are_never_guessed_by_what_they_look_like(tmp_path):
    (tmp_path / "mine.csv").write_text("time,pair,side,alpha,beta\n2024-03-05,A,buy,1,5\n")

    told = refusal(tmp_path / "mine.csv")

    assert "qty=COLUMN,price=COLUMN" in told.accepted
    assert "the columns of qty, price for COLUMN" in told.accepted


def test_the_nearest_layout_is_named_with_what_differs(tmp_path):
    (tmp_path / "mine.csv").write_text(
        "Uid,Time,Symbol,Side,Price,Quantity,Amount,Fee,Profit,Buyer,Maker,Trade ID,Order ID\n"
        "1,2024-03-05 10:00:00,BTCUSDT,BUY,1,1,1,0,0,true,true,1,2\n"
    )

    told = str(refusal(tmp_path / "mine.csv"))

    assert "mine.csv: line 1: has a header of no known layout (Uid, Time, Symbol, " in told
    assert "the nearest is Binance futures, Trade History (binance-futures-trades)" in told
    assert "lacks Realized Profit and also has Profit" in told


def test_a_header_is_shown_without_secrets_and_control_characters(tmp_path):
    secret = "sk-ant-api03-" + "aB3dE5fG7h" * 8
    (tmp_path / "mine.csv").write_text(f"Date,{secret},a\x1b[31mb\n2024-03-05,1,2\n")

    told = str(refusal(tmp_path / "mine.csv"))

    assert "aB3dE5fG7h" not in told
    assert "\x1b" not in told


def test_json_and_pages_are_refused_by_their_keys(tmp_path):
    (tmp_path / "mine.json").write_text('[{"foo": 1, "bar": 2}]')

    told = str(refusal(tmp_path / "mine.json"))

    assert "is JSON of no known layout with the keys foo, bar" in told


def test_prices_of_metatrader_are_a_table_of_prices_and_no_page(tmp_path):
    file = tmp_path / "EURUSD_H1.csv"
    file.write_text("<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\n2024.01.02\t1\t2\t0.5\t1.5\n")

    assert "holds prices; accepted: afterword prices import FILE" in str(refusal(file))
