"""The line that a refusal proposes never gives a wrong number: it reads the file right, or asks."""

import shlex
from decimal import Decimal

import pytest

from tests.unit.exports.answered import in_utc


@pytest.fixture
def proposed(command, tmp_path):
    """Read a text by the line that its refusal prints; return the report, or what it asks."""

    def run(text: str, *more: str) -> tuple[list, str]:
        file = tmp_path / "mine.csv"
        file.write_text(text)
        told = command("learn", str(file)).err
        accepted = in_utc(told.strip().rpartition("accepted: ")[2]).partition(" with ")[0]
        done = command("--json", "learn", str(file), *shlex.split(accepted), *more)
        return (done.json["outcomes"] if done.code == 0 else []), told + done.err

    return run


def sums(outcomes: list) -> list[tuple]:
    trips = [outcome["trip"] for outcome in outcomes]
    return [(one["symbol"], one["direction"], Decimal(one["net"]), one["quote"]) for one in trips]


HEAD = "Date,Pair,Type,Amount,Price,Fee"


def test_cancelled_orders_are_left_out_and_told(proposed):
    rows = (
        "2026-01-02 10:00:00,SOL/USDT,buy,1,100,0,{}\n"
        "2026-01-02 12:00:00,SOL/USDT,sell,1,110,0,{}\n"
    )
    cancelled = "2026-01-02 11:00:00,SOL/USDT,sell,1,150,0,{}\n"

    outcomes, told = proposed(
        f"{HEAD},Status\n" + rows.replace("{}", "Filled") + cancelled.format("Cancelled")
    )
    assert sums(outcomes) == [("SOL/USDT", "long", 10, "USDT")]
    assert "left out: cancelled 1" in told and "status=Status" in told

    outcomes, told = proposed(
        f"{HEAD},Status\n" + rows.replace("{}", "Filled") + cancelled.format("Partially Filled")
    )
    assert not outcomes and "done: or skip: for each of 'Partially Filled'" in told
    # A column of another name that says so is no other column.
    outcomes, told = proposed(
        f"{HEAD},Result of order\n" + rows.replace("{}", "Filled") + cancelled.format("Rejected")
    )
    assert sums(outcomes) == [("SOL/USDT", "long", 10, "USDT")]


def test_a_cancelled_order_is_asked_about_where_its_executed_units_are_not_0(proposed):
    head = "Date,Pair,Side,Filled Qty,Avg Price,Fee,Status"
    rows = "2026-01-02 10:00:00,SOL/USDT,buy,1,100,0,Filled\n"

    outcomes, told = proposed(
        f"{head}\n{rows}2026-01-02 11:00:00,SOL/USDT,sell,0.5,9,0,Cancelled\n"
    )

    assert not outcomes and "done:Cancelled where such rows were executed" in told


def test_a_mapping_without_the_column_of_statuses_is_refused(command, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD},Status\n2026-01-02 10:00:00,SOL/USDT,buy,1,100,0,Working\n")
    line = ["--zone", "UTC", "--columns"]
    columns = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"

    done = command("learn", str(file), *line, columns)
    assert done.code == 2 and "column Status: is 'Working'; accepted: status=Status" in done.err
    done = command("--json", "learn", str(file), *line, f"{columns},status=Status,done:Working")
    assert done.code == 0 and done.json["files"][0]["fills"] == 1


@pytest.mark.parametrize(
    ("price", "currency"),
    [
        ('"9,000.50 SEK"', "SEK"),
        ("SEK 9000.50", "SEK"),
        ("€9000.50", "EUR"),
        ("9000.50€", "EUR"),
        ("£9000.50", "GBP"),
        ("$9000.50", "USD"),
        ("C$9000.50", "CAD"),
        ("9000.50 PLN", "PLN"),
    ],
)
def test_the_unit_of_a_price_is_its_currency(proposed, price, currency):
    rows = "".join(
        f"2026-01-02 1{hour}:00,AAPL,{side},10,{price},0\n"
        for hour, side in enumerate(("buy", "sell"))
    )

    outcomes, _ = proposed(f"{HEAD}\n{rows}")

    assert sums(outcomes) == [("AAPL", "long", 0, currency)]


@pytest.mark.parametrize(
    ("head", "pair", "price", "asked"),
    [
        (HEAD, "SOL/USDT", "100 EUR", "in 'USDT' and in 'EUR'"),
        (HEAD, "VOLV", "100 kr", "in which currency 'VOLV' is priced"),
        (HEAD, "7203", "¥100", "in which currency '7203' is priced"),
        (HEAD.replace("Fee", "Fee (SEK)"), "VOLV", "100", "in which currency 'VOLV' is priced"),
        (HEAD, "BTC", "60k", "column Price: is '60k'"),
        (HEAD.replace("Amount", "Amount (USDT)"), "SOL/USDT", "100", "not an amount of money"),
        (HEAD.replace("Amount", "Amount (ETH)"), "SOL/USDT", "100", "units of SOL/USDT"),
        (HEAD, "SOL/USDT", "0", "column Price: is '0'; accepted: a number above 0"),
        (HEAD, "ESH6", "5000", "units of price one contract of 'ESH6' is"),
        (HEAD, "/NQ", "5000", "units of price one contract of '/NQ' is"),
        (HEAD.replace("Amount", "Lots"), "EURUSD", "1.1", "one lot of 'EURUSD' is"),
    ],
)
def test_what_is_not_known_is_asked(proposed, head, pair, price, asked):
    outcomes, told = proposed(f"{head}\n2026-01-02 10:00,{pair},buy,1,{price},0\n")

    assert not outcomes and asked in told


def test_two_currencies_of_one_market_are_refused(proposed):
    rows = "2026-01-02 10:00,AAPL,buy,1,100 USD,0\n2026-01-02 11:00,AAPL,sell,1,100 EUR,0\n"

    outcomes, told = proposed(f"{HEAD}\n{rows}")

    assert not outcomes and "prices 'AAPL' in 'USD' and in 'EUR'" in told


def test_a_contract_size_is_said_once(proposed):
    rows = "2026-01-02 10:00,ESH6,buy,1,5000,2\n2026-01-02 11:00,ESH6,sell,1,5010,2\n"

    outcomes, _ = proposed(f"{HEAD}\n{rows}", "--contract-size", "ESH6=50")

    assert sums(outcomes) == [("ESH6", "long", 496, "USD")]


@pytest.mark.parametrize(
    ("sale", "cover"),
    [("SS", "BC"), ("SSHORT", "BCOV"), ("Sell short", "Buy to cover"), ("short", "cover")],
)
def test_short_sales_are_sides(proposed, sale, cover):
    text = (
        f"{HEAD}\n2026-01-02 10:00,RBLX,{sale},50,49.88,0\n"
        f"2026-01-02 11:00,RBLX,{cover},50,49.65,0\n"
        "2026-01-02 12:00,SQ,B,50,82.07,0\n2026-01-02 13:00,SQ,S,50,81.82,0\n"
    )

    outcomes, told = proposed(text)

    assert sums(outcomes) == [
        ("RBLX", "short", Decimal("11.5"), "USD"),
        ("SQ", "long", Decimal("-12.5"), "USD"),
    ]
    assert "skip:" not in told


def test_an_unknown_word_of_a_side_is_asked_about_and_never_left_out(proposed):
    rows = "2026-01-02 10:00,RBLX,buy,50,49.88,0\n2026-01-02 11:00,RBLX,XCHG,50,49.65,0\n"

    outcomes, told = proposed(f"{HEAD}\n{rows}")

    assert not outcomes
    assert "buy:, sell:, short:, cover: or skip: for each of 'XCHG'" in told


def test_the_market_is_not_the_exchange(proposed):
    text = (
        "Market,Code,Type,Date,Quantity,Price *,Brokerage *,Currency\n"
        "NASDAQ,FOO,Buy,2020-09-01,10,250,5,USD\nNASDAQ,BAZ,Buy,2020-10-14,20,80,5,USD\n"
        "NASDAQ,FOO,Sell,2020-11-01,-10,300,5,USD\nNASDAQ,BAZ,Sell,2020-11-03,-20,70,5,USD\n"
    )

    outcomes, told = proposed(text)

    assert sums(outcomes) == [("FOO", "long", 490, "USD"), ("BAZ", "long", -210, "USD")]
    assert "4 fills of FOO, BAZ, from 2020-09-01 00:00 to 2020-11-03 00:00 UTC" in told
    outcomes, told = proposed(
        text.replace("Code", "Note").replace("FOO,", ",").replace("BAZ,", ",")
    )
    assert not outcomes and "--symbol MARKET" in told


def test_days_that_can_be_read_in_two_ways_are_named_both_ways(proposed):
    rows = (
        '"1/6/2025, 10:55:49 PM",SOL/USDT,buy,1,100,0\n'
        '"1/7/2025, 10:55:11 PM",SOL/USDT,sell,1,110,0\n'
    )

    outcomes, told = proposed(f"{HEAD}\n{rows}")
    assert not outcomes
    assert "is 1 June 2025 by dmy, 6 January 2025 by mdy" in told

    outcomes, _ = proposed(f"{HEAD}\n{rows}", "--time-format", "mdy")
    assert outcomes[0]["trip"]["opened_at"].startswith("2025-01-06T22:55:49")


def test_a_rest_that_is_open_is_told_before_the_file_is_read(proposed):
    _, told = proposed(f"{HEAD}\n2026-01-02 10:00,AAPL,buy,3,100,1\n")

    assert "1 fill of AAPL, from 2026-01-02 10:00" in told and "open at the end: 3 AAPL" in told


def test_fees_without_a_column_or_a_cell_are_not_known(proposed):
    rows = "2026-01-02 10:00,AAPL,buy,3,130\n2026-01-03 10:00,AAPL,sell,3,140.5\n"

    outcomes, told = proposed(f"{HEAD.removesuffix(',Fee')}\n{rows}")
    assert "fees of 2 not known" in told
    assert outcomes[0]["trip"]["fees"] is None and outcomes[0]["trip"]["net"] == "31.5"

    rows = "2026-01-02 10:00,AAPL,buy,3,130,1\n2026-01-03 10:00,AAPL,sell,3,140.5,\n"
    outcomes, told = proposed(f"{HEAD}\n{rows}")
    assert "fees of 1 not known" in told and outcomes[0]["trip"]["fees"] is None


def test_all_columns_of_fees_are_added_up(proposed):
    head = "T/D,Exec Time,Symbol,Side,Qty,Price,Comm,SEC,TAF,NSCC,Currency"
    rows = (
        "08/18/2022,09:47:59,RBLX,B,50,49.65,1,0,0.01,0.02,USD\n"
        "08/18/2022,09:48:22,RBLX,S,50,49.88,1,0.05,0.01,0.02,USD\n"
    )

    outcomes, _ = proposed(f"{head}\n{rows}")

    trip = outcomes[0]["trip"]
    assert (Decimal(trip["gross"]), Decimal(trip["fees"])) == (Decimal("11.5"), Decimal("2.11"))
    assert trip["opened_at"].startswith("2022-08-18T09:47:59")


def test_rows_with_blank_cells_can_be_left_out(command, tmp_path):
    file = tmp_path / "mine.csv"
    rows = "2026-01-02 10:00,AAPL,buy,3,130,1\n2026-01-03 10:00,AAPL,sell,3,,1\n"
    file.write_text(f"{HEAD}\n{rows}")
    columns = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"

    done = command("learn", str(file), "--zone", "UTC", "--columns", columns)
    assert done.code == 2 and "skip:blank" in done.err
    done = command(
        "--json", "learn", str(file), "--zone", "UTC", "--columns", f"{columns},skip:blank"
    )
    assert done.json["files"][0]["left_out"] == {"blank cell": 1}


CLOSED = "closed=Closed,symbol=Symbol,qty=Qty,entry=Entry,exit=Exit,net=Net"


@pytest.mark.parametrize(
    ("net", "direction"), [("-146.68", "short"), ("143.20", "long"), ("20", None)]
)
def test_a_direction_that_no_column_says_follows_from_the_profit_or_is_asked(
    command, tmp_path, net, direction
):
    file = tmp_path / "mine.csv"
    file.write_text(f"Closed,Symbol,Qty,Entry,Exit,Net\n2026-01-02 10:00,SOL,10,145.5,160,{net}\n")

    done = command("--json", "learn", str(file), "--zone", "UTC", "--columns", CLOSED)

    if direction is None:
        assert done.code == 2 and "direction:long" in done.err
    else:
        assert done.json["outcomes"][0]["trip"]["direction"] == direction


def test_the_profit_before_fees_is_the_net_and_the_fees(command, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text(
        "Closed,Symbol,Qty,Entry,Exit,Net,Fee\n2025-01-10 12:00,ETHUSDT,2,3100,3150,96.59,3.41\n"
    )

    done = command("--json", "learn", str(file), "--zone", "UTC", "--columns", f"{CLOSED},fee=Fee")

    trip = done.json["outcomes"][0]["trip"]
    assert (Decimal(trip["gross"]), trip["flags"]) == (100, ["closed_trade"])


@pytest.mark.parametrize("turned", [False, True])
def test_the_same_fills_with_and_without_seconds_count_once(command, tmp_path, turned):
    days = range(1, 13)
    for name, seconds, part in (("a", ":27", days[:8]), ("b", "", days[4:])):
        rows = "".join(
            f"2025-01-{day:02} 10:00{seconds},SOL/USDT,{('sell', 'buy')[day % 2]},1,{day},0.1\n"
            for day in part
        )
        (tmp_path / f"{name}.csv").write_text(f"{HEAD}\n{rows}")
    files = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    columns = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"

    done = command(
        "--json",
        "learn",
        *(files[::-1] if turned else files),
        "--zone",
        "UTC",
        "--columns",
        columns,
    )

    nets = [Decimal(outcome["trip"]["net"]) for outcome in done.json["outcomes"]]
    assert nets == [Decimal("0.8")] * 6


def test_a_split_that_no_row_names_is_told_as_one(command, tmp_path):
    rows = "2024-06-03 14:00:00,NVDA,buy,10,1150,1\n2024-06-12 14:00:00,NVDA,sell,100,125,1\n"
    (tmp_path / "mine.csv").write_text(f"{HEAD}\n{rows}")
    columns = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"

    done = command("--json", "learn", f"{tmp_path}/mine.csv", "--zone", "UTC", "--columns", columns)

    assert all(outcome["trip"]["is_incomplete"] for outcome in done.json["outcomes"])
    (told,) = done.json["unread"]
    assert "were the shares split" in told["words"] and "kind:perp" not in told["remedy"]
    assert "--splits FILE" in told["remedy"]


def test_the_word_market_of_a_proposal_is_no_market(command, tmp_path):
    (tmp_path / "mine.csv").write_text(f"{HEAD}\n")

    done = command("learn", str(tmp_path / "mine.csv"), "--symbol", "MARKET")

    assert done.code == 2 and "symbol: is MARKET" in done.err


@pytest.mark.parametrize(
    ("first", "then", "kind", "realised"),
    [("buy", "sell", "", "+40.00"), ("sell", "buy", ",kind:perp", "−40.00")],
)
def test_the_closed_part_of_an_open_position_is_told(
    command, tmp_path, first, then, kind, realised
):
    rows = f"2025-01-02 10:00,SOL/USDT,{first},10,100,1\n2025-01-02 12:00,SOL/USDT,{then},4,110,1\n"
    (tmp_path / "mine.csv").write_text(f"{HEAD}\n{rows}")
    columns = f"time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee{kind}"

    done = command("learn", str(tmp_path / "mine.csv"), "--zone", "UTC", "--columns", columns)

    assert f"Parts of it that were closed brought {realised} USDT before fees" in done.out


def test_bars_of_months_are_refused_as_months_and_not_as_30_days(command, tmp_path):
    days = ("2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30")
    rows = "".join(f"{day},10,12,9,11\n" for day in days)
    (tmp_path / "BTCUSD.csv").write_text(f"Date,Open,High,Low,Close\n{rows}")

    done = command("prices", "import", str(tmp_path / "BTCUSD.csv"))

    assert done.code == 2 and "bars of months" in done.err


def test_a_profit_that_is_a_multiple_of_its_prices_counts_and_is_no_share_of_them(proposed):
    text = (
        "Open,Close,Pair,Side,Qty,Entry,Exit,PnL,Fee\n"
        "2026-01-02 10:00,2026-01-02 11:00,ES,long,1,5000,4990,($500.00),$4.20\n"
        "2026-01-02 12:00,2026-01-02 13:00,ES,long,1,5000,5010,$500.00,$4.20\n"
    )

    outcomes, _ = proposed(text)

    assert [net for _, _, net, _ in sums(outcomes)] == [Decimal("-504.2"), Decimal("495.8")]
    assert all(one["put_in"] is None and one["trip"]["notional"] is None for one in outcomes)


ABROAD = {
    "Japanese": """約定日,銘柄コード,銘柄,売買,約定数量,約定単価,手数料
2024/03/01,7203,トヨタ,買付,100,3500,275
2024/03/15,7203,トヨタ,売付,100,3650,275
""",
    "Chinese": """成交日期,成交时间,证券代码,操作,成交数量,成交均价,手续费
2024-03-01,09:31:05,600519,买入,100,1700.5,25.5
2024-03-15,10:00:00,600519,卖出,100,1720.5,25.8
""",
    "Russian": """Дата сделки;Инструмент;Операция;Количество;Цена;Комиссия
01.03.2024 10:00:05;SBER;Покупка;10;290,5;0,87
15.03.2024 11:00:05;SBER;Продажа;10;301,2;0,90
""",
    "Dutch": """Datum;Transactie;Product;Type mutatie;Aantal;Koers;Kosten
01-03-2024 10:00:05;1;ASML;Koop;10;890,5;2,5
15-03-2024 11:00:05;2;ASML;Verkoop;10;901,2;2,5
""",
}


@pytest.mark.parametrize("language", ABROAD)
def test_a_table_in_another_language_is_proposed_and_its_currency_asked(
    command, tmp_path, language
) -> None:
    file = tmp_path / "export.csv"
    file.write_text(ABROAD[language], encoding="utf-8")

    refused = command("learn", str(file))
    assert refused.code == 2 and "in which currency" in refused.err
    columns = shlex.split(refused.err.split("--columns ")[1].split(" --zone")[0])[0]
    learned = command(
        "--json", "learn", str(file), "--columns", f"{columns},quote:EUR", "--zone=UTC"
    )

    (outcome,) = learned.json["outcomes"]
    entry, leave, size, fees = {
        "Japanese": (3500, 3650, 100, 550),
        "Chinese": (1700.5, 1720.5, 100, 51.3),
        "Russian": (290.5, 301.2, 10, 1.77),
        "Dutch": (890.5, 901.2, 10, 5),
    }[language]
    assert float(outcome["trip"]["net"]) == pytest.approx((leave - entry) * size - fees)


PROFITS = """Instrument,Market pos.,Qty,Entry time,Exit time,Entry,Exit,Profit,Commission
FOO,Long,{0},2026-07-20 09:12:00,2026-07-20 09:13:00,100,125,{1},{2}
FOO,Short,{0},2026-07-20 09:17:00,2026-07-20 09:18:00,90,110,{3},{2}
FOO,Long,{0},2026-07-20 09:23:00,2026-07-20 09:24:00,80,75,{4},{2}
"""


@pytest.mark.parametrize(
    ("cells", "keys"),
    [
        (("1", "25", "0.50", "-20", "-5"), "pnl=Profit,fee=Commission"),  # before costs
        (("1", "24.50", "0.50", "-20.50", "-5.50"), "net=Profit,fee=Commission"),
        (("1", "48.10", "0.78", "-41.90", "-11.90"), "net=Profit"),  # two a point; more than fees
        (("2", "98", "1", "-82", "-22"), "net=Profit"),
        (("1", "24.50", "0.50", "-20.50", "-5.90"), "pnl=Profit,fee=Commission"),  # nothing fits
    ],
)
def test_a_profit_that_lacks_the_same_cost_in_every_row_is_proposed_as_net(
    command, tmp_path, cells, keys
) -> None:
    file = tmp_path / "closed.csv"
    file.write_text(PROFITS.format(*cells))

    refused = command("learn", str(file))

    columns = refused.err.split("--columns ")[1].split("'")[1]
    assert {part for part in columns.split(",") if part.split("=")[0] in ("pnl", "net", "fee")} == (
        set(keys.split(","))
    )


def test_a_zone_that_nothing_says_is_asked_for(command, tmp_path):
    rows = "2026-01-02 10:00:00,SOL/USDT,buy,1,100,0\n2026-01-02 12:00:00,SOL/USDT,sell,1,110,0\n"
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD}\n{rows}")
    told = command("learn", str(file)).err
    line = told.strip().rpartition("accepted: ")[2].partition(" with ")[0]

    assert "--zone" not in line
    assert "with --zone UTC, --zone UTC+8 or --zone America/New_York" in told
    assert "2 fills of SOL/USDT" in told and "shown as if they were in UTC" in told
    assert command("learn", str(file), *shlex.split(line)).code == 2

    file.write_text(f"{HEAD.replace('Date', 'Date (UTC+8)')}\n{rows}")
    told = command("learn", str(file)).err
    assert "--zone UTC+8" in told and "say no zone" not in told
