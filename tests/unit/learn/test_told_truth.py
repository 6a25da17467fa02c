"""What a report cannot know of an account, it says: joined files, and positions known in part."""

from decimal import Decimal
from pathlib import Path

from afterword.pipeline.testing.command import Command, CommandResult

SCHWAB = '"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"'
BOUGHT = '"03/01/2024","Buy","FIHBX","FUND","10","$5.00","","-$50.00"'


def learn(command: Command, *words: str) -> CommandResult:
    done = command("learn", *words)
    assert (done.code, done.err) == (0, "")
    return done


def text_of(done: CommandResult) -> str:
    return " ".join(done.out.split())


def schwab(path: Path, *rows: str) -> str:
    path.write_text("\n".join([SCHWAB, *reversed(rows)]) + "\n")
    return str(path)


def sold(size: str, day: str = "03/04/2024") -> str:
    return f'"{day}","Sell","FIHBX","FUND","{size}","$6.00","","${6 * Decimal(size):.2f}"'


def test_a_sale_of_more_than_is_known_leaves_the_known_part_incomplete(
    command: Command, tmp_path: Path
):
    file = schwab(tmp_path / "a.csv", BOUGHT, sold("80"))
    report = learn(command, file, "--json").json

    assert [one["trip"]["is_incomplete"] for one in report["outcomes"]] == [True, True]
    assert report["trades"]["sums"] == []


def test_so_does_a_sale_that_one_day_brought_in_two_fills(command: Command, tmp_path: Path):
    report = learn(command, schwab(tmp_path / "a.csv", BOUGHT, sold("10"), sold("70")), "--json")

    assert [one["trip"]["is_incomplete"] for one in report.json["outcomes"]] == [True, True]


def test_a_rest_that_an_earlier_trip_left_is_no_missing_beginning(command: Command, tmp_path: Path):
    report = learn(command, schwab(tmp_path / "a.csv", BOUGHT, sold("10.05")), "--json").json

    assert len([one for one in report["outcomes"] if not one["trip"]["is_incomplete"]]) == 1


def test_each_file_says_its_account_and_two_of_one_venue_that_they_are_joined(
    command: Command, tmp_path: Path
):
    files = [
        schwab(tmp_path / "mine.csv", BOUGHT, sold("10")),
        schwab(tmp_path / "hers.csv", BOUGHT, sold("4")),
    ]
    said = text_of(learn(command, *files))

    assert "mine.csv: Charles Schwab, transactions: 2 fills, account schwab." in said
    assert (
        "2 files of Charles Schwab, transactions are read as one account, `schwab`, since no "
        "account was named: mine.csv; hers.csv. If they are of different accounts, read each with "
        "--keep --account NAME, or look at it alone."
    ) in said


def test_files_with_a_named_account_are_joined_without_a_word(command: Command, tmp_path: Path):
    files = [
        schwab(tmp_path / "mine.csv", BOUGHT, sold("10")),
        schwab(tmp_path / "more.csv", BOUGHT.replace("03/01", "04/01"), sold("10", "04/02/2024")),
    ]
    said = text_of(learn(command, *files, "--account", "ira"))

    assert "2 fills, account ira." in said and "read as one account" not in said
    assert "read as one account" not in text_of(learn(command, files[0]))


SPLIT = '"03/02/2024","Stock Split","FIHBX","FUND","10","","",""'


def test_a_trip_across_a_split_counts_nowhere_and_the_report_says_why(
    command: Command, tmp_path: Path
):
    file = schwab(tmp_path / "a.csv", BOUGHT, SPLIT, sold("10"))
    report = learn(command, file, "--json").json

    assert [one["trip"]["flags"] for one in report["outcomes"]] == [["days_only", "share_split"]]
    assert report["trades"]["sums"] == []
    said = text_of(learn(command, file))
    assert "1 round trip of shares that was split while held" in said


def test_trips_before_and_after_a_split_count(command: Command, tmp_path: Path):
    rows = [BOUGHT.replace("03/01", "02/01"), sold("10", "02/02/2024")]
    later = [BOUGHT.replace("03/01", "03/05"), sold("10", "03/06/2024")]
    file = schwab(tmp_path / "a.csv", *rows, SPLIT, *later)

    assert learn(command, file, "--json").json["trades"]["sums"][0]["trips"] == 2


def test_an_open_position_across_a_split_has_no_known_cost(command: Command, tmp_path: Path):
    file = schwab(tmp_path / "a.csv", BOUGHT, SPLIT, BOUGHT.replace("03/01", "03/05"))
    (one,) = learn(command, file, "--json").json["trades"]["open_sums"]

    assert (one["positions"], one["entry_unknown"]) == (1, 1)


def test_a_venue_that_states_another_profit_is_told_with_both_numbers(
    command: Command, tmp_path: Path
):
    header = (
        "Uid,Time,Symbol,Side,Price,Quantity,Amount,Fee,Realized Profit,Buyer,Maker,Trade ID,"
        "Order ID"
    )
    rows = [
        "1,2024-03-01 00:00:00,SOLUSDT,BUY,100,1,100,0,0,true,false,1,1",
        "1,2024-03-02 00:00:00,SOLUSDT,SELL,110,1,110,0,-7,false,false,2,2",
    ]
    path = tmp_path / "Binance-Futures-Trade-History-202412310000(UTC+0).csv"
    path.write_text("\n".join([header, *reversed(rows)]) + "\n")

    assert (
        "1 round trip whose profit differs from what the venue says; ours counts: SOLUSDT "
        "2024-03-02 00:00: the venue -7 USDT, the fills 10."
    ) in text_of(learn(command, str(path)))


def test_a_stated_profit_that_counts_is_not_said_to_give_way(command: Command, tmp_path: Path):
    path = tmp_path / "backtest.json"
    path.write_text(
        '{"strategy":{"Mine":{"trades":[{"pair":"ETH/USDT","amount":2,'
        '"open_date":"2024-03-01 00:00:00+00:00","close_date":"2024-03-02 00:00:00+00:00",'
        '"open_rate":100,"close_rate":110,"fee_open":0,"fee_close":0,"profit_abs":-7,'
        '"is_open":false,"is_short":false}]}}}'
    )

    report = text_of(learn(command, str(path)))

    assert "net −7.00 USDT" in report
    assert (
        "1 round trip whose profit is not that of its prices, size and fees; the profit that the "
        "file states counts: ETH/USDT 2024-03-02 00:00."
    ) in report
    assert "ours counts" not in report


def test_what_was_bought_and_sold_on_one_day_is_one_trip_in_a_file_of_days(
    command: Command, tmp_path: Path
):
    """The newest row is first, and the day is all that the file says of the moment."""
    rows = [BOUGHT, sold("10", "03/01/2024")]
    later = [BOUGHT.replace("03/01", "03/05"), sold("10", "03/05/2024")]
    report = learn(command, schwab(tmp_path / "a.csv", *rows, *later), "--json").json

    assert [one["trip"]["is_incomplete"] for one in report["outcomes"]] == [False, False]
    assert report["trades"]["open_sums"] == []


def test_a_file_of_days_says_nothing_of_minutes_and_hours(command: Command, tmp_path: Path):
    """Five losses and entries after them on each of five days: nobody knows what came first."""
    rows = [
        row
        for day in ("04", "05", "06", "07", "08")
        for row in (
            BOUGHT.replace("03/01", f"03/{day}"),
            f'"03/{day}/2024","Sell","FIHBX","FUND","10","$4.00","","$40.00"',
        )
        * 5
    ]
    file = schwab(tmp_path / "a.csv", *rows)

    report = learn(command, file, "--json").json

    trips = [outcome["trip"] for outcome in report["outcomes"]]
    assert len(trips) == 25
    assert all("days_only" in trip["flags"] for trip in trips)
    assert {outcome["held_us"] for outcome in report["outcomes"]} == {None}
    (rule,) = (one for one in report["trades"]["mistakes"] if one["rule"] == "larger_re_entry")
    assert (rule["trips"], rule["of"]) == (0, 0)
    assert "25 round trips are known by their days" in text_of(learn(command, file))


def test_a_trade_over_several_days_without_hours_was_held_for_whole_days(
    command: Command, tmp_path: Path
):
    """Clocks were set forward on 10 March 2024, so that these three days are an hour short."""
    file = schwab(tmp_path / "a.csv", BOUGHT.replace("03/01", "03/08"), sold("10", "03/11/2024"))

    (outcome,) = learn(command, file, "--json").json["outcomes"]

    assert outcome["held_us"] == 3 * 86_400_000_000


def test_what_is_kept_of_a_day_tells_no_seconds(command: Command, tmp_path: Path):
    file = schwab(tmp_path / "a.csv", BOUGHT, sold("10", "03/01/2024"))
    learn(command, file, "--keep")

    (memory,) = command("memory", "read", "--category", "trade_outcome", "--json").json

    assert "opened and closed on one day" in memory["content"]
    assert "its days are known, not their hours" in memory["content"]


def test_the_accounts_that_a_file_names_belong_to_the_one_it_is_kept_under(
    command: Command, tmp_path: Path
):
    path = tmp_path / "mine.csv"
    path.write_text(
        "Time,Sym,Side,Qty,Price,Fee,Acct\n"
        "2025-02-01 00:00:00,ETH,buy,1,100,0.1,sub1\n"
        "2025-02-01 12:00:00,ETH,sell,1,110,0.1,sub1\n"
    )
    columns = "time=Time,symbol=Sym,side=Side,qty=Qty,price=Price,fee=Fee,account=Acct"
    words = (str(path), "--columns", columns, "--zone", "UTC", "--keep", "--account", "mine")

    report = learn(command, *words, "--json").json

    assert report["accounts"] == ["mine/sub1"]
    assert [each["net"] for each in report["trades"]["sums"]] == ["9.8"]
    kept = command("trades", "ls", "--account", "mine", "--json").json
    assert [trade["trip"]["account"] for trade in kept] == ["mine/sub1"]
    assert command("trades", "ls", "--account", "min", "--json").json == []
