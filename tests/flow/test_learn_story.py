"""A trader hands over an export: one page later the result is known, each line with its trades."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command, CommandResult
from afterword.pipeline.testing.trade_files import TradeFiles, write_trade_files

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[3] / "shared")
LEADERS = SHARED / "data" / "fills" / "hl_userfillsbytime_2026-07_leaders.json"
STRONG = re.compile(r"\b(habits?|edges?|costs? you|works?|failing)\b", re.IGNORECASE)

needs_leaders = pytest.mark.skipif(not LEADERS.exists(), reason="no shared fills")


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Looks lie in a folder of this test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture
def made(tmp_path: Path) -> TradeFiles:
    return write_trade_files(folder(tmp_path, "made"), 120)


def folder(top: Path, name: str) -> Path:
    path = top / name
    path.mkdir()
    return path


def learn(command: Command, made: TradeFiles, *options: str) -> CommandResult:
    done = command("learn", str(made.trades), *map(str, made.prices), *options)
    assert (done.code, done.err) == (0, "")
    return done


def leader(tmp_path: Path, account: str) -> Path:
    path = tmp_path / f"{account}.json"
    path.write_text(json.dumps(json.loads(LEADERS.read_text())[account]["fills"]))
    return path


def uids(report: Mapping[str, Any]) -> set[str]:
    return {one["trip"]["trip_uid"] for one in report["outcomes"]}


def test_one_look_tells_the_result_and_stores_nothing(
    command: Command, made: TradeFiles, temporary: Path
):
    said = " ".join(learn(command, made).out.split())

    assert f"{made.trips} round trips, {made.winners} won (" in said
    assert "By luck alone 1 report in 25 shows any difference here." in said
    assert "nothing was stored" in said
    assert not command.home.exists() and list(temporary.iterdir()) == []


def test_sums_are_those_of_the_file_to_the_last_digit_and_follow_from_the_trips(
    command: Command, made: TradeFiles
):
    report = learn(command, made, "--json").json
    (sums,) = report["trades"]["sums"]
    trips = [one["trip"] for one in report["outcomes"]]

    assert (Decimal(sums["net"]), Decimal(sums["fees"])) == (made.net, made.fees)
    assert sum(Decimal(one["net"]) for one in trips) == made.net
    assert sum(Decimal(one["net"]) > 0 for one in trips) == sums["winners"] == made.winners
    for one in trips:
        assert Decimal(one["gross"]) - Decimal(one["fees"]) == Decimal(one["net"])


def test_every_number_of_a_cell_follows_from_its_trades(command: Command, made: TradeFiles):
    report = learn(command, made, "--json").json
    result = {
        one["trip"]["trip_uid"]: float(Decimal(one["trip"]["gross"]) / Decimal(one["put_in"]))
        for one in report["outcomes"]
        if one["put_in"] is not None
    }
    net = {one["trip"]["trip_uid"]: Decimal(one["trip"]["net"]) for one in report["outcomes"]}
    cells = [one for one in report["trades"]["looked_at"] if one["n_eff"] == one["trips"]]

    assert len(cells) > 10
    for one in cells:
        own = [result[uid] for uid in one["trip_uids"]]
        assert one["mean"] == pytest.approx(sum(own) / len(own))
        total = sum(net[uid] for uid in one["trip_uids"])
        assert one["net_micro_usd"] == round(total * 1_000_000)


def test_a_line_leads_to_its_trades(command: Command, made: TradeFiles):
    report = learn(command, made, "--json").json
    line = next(one for one in report["trades"]["looked_at"] if one["attribute"] == "direction")
    found = learn(command, made, "--cell", f"direction={line['value']}", "--json").json

    assert {one["trip"]["trip_uid"] for one in found} == set(line["trip_uids"])
    refused = command("learn", str(made.trades), "--cell", "moon=full")
    assert refused.code == 2 and "direction=…" in refused.err


def test_what_is_planted_is_named_on_text_and_page_and_leads_to_its_trades(
    command: Command, tmp_path: Path
):
    made = write_trade_files(folder(tmp_path, "flaw"), 600, flaw=0.02)
    page = tmp_path / "page.html"
    said = " ".join(learn(command, made, "--html", str(page)).out.split())
    html = page.read_text()

    named = r"Named: trips entered from 12-16 h\. Before costs, \d+ trips came out −\d"
    assert re.search(named, said)
    assert "--cell hour=12-16" in said
    links = set(re.findall(r'href="#([^"]+)"', html))
    assert links and links <= set(re.findall(r'id="([^"]+)"', html))


@pytest.mark.parametrize("seed", range(4))
def test_no_strong_word_is_said_of_what_is_not_named(command: Command, tmp_path: Path, seed: int):
    made = write_trade_files(folder(tmp_path, "luck"), 80, seed=seed)
    page = tmp_path / "page.html"
    said = learn(command, made, "--html", str(page)).out
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", page.read_text(), flags=re.DOTALL)

    assert "Nothing differs by more than chance." in said
    assert STRONG.findall(said) + STRONG.findall(text) == []


def test_the_order_of_files_and_a_file_given_twice_change_no_number(
    command: Command, made: TradeFiles
):
    once = learn(command, made, "--json").json
    files = [*map(str, reversed(made.prices)), str(made.trades), str(made.trades)]
    again = command("learn", *files, "--json").json

    assert again["trades"] == once["trades"]
    assert again["outcomes"] == once["outcomes"]


def test_rows_after_the_moment_change_no_byte(command: Command, made: TradeFiles, tmp_path: Path):
    at = "2024-01-25T00:00:00Z"
    past = folder(tmp_path, "past")
    header, *rows = made.trades.read_text().splitlines()
    early = [row for row in rows if row.split(",")[1] <= "24-01-25 00:00:00"]
    assert 10 < len(early) < len(rows) - 10
    cut = past / made.trades.name
    cut.write_text("\n".join([header, *early]) + "\n")
    pages = [past / "whole.html", past / "cut.html"]

    whole, less = (
        command("learn", str(path), *map(str, made.prices), "--as-of", at, "--html", str(page))
        for path, page in zip((made.trades, cut), pages, strict=True)
    )

    def report_of(done: CommandResult) -> str:
        return done.out.partition("\nNext\n")[0]

    assert (whole.code, less.code) == (0, 0)
    assert report_of(whole) == report_of(less)
    assert "as it was known at" in " ".join(whole.out.split())
    names = [
        page.read_text().replace(str(path), "FILE")
        for page, path in zip(pages, (made.trades, cut), strict=True)
    ]
    assert names[0] == names[1]


def test_trades_that_are_kept_are_judged_more_strictly_and_can_be_read_again(
    command: Command, made: TradeFiles
):
    first = learn(command, made, "--keep").out
    again = command("learn")

    assert "By luck alone 1 verdict in 100" in " ".join(first.split())
    assert again.out.splitlines()[:4] == first.splitlines()[:4]
    assert f"\n{made.trips:,} round trips, " in again.out


def test_trades_are_listed_shown_tagged_and_summed_up(command: Command, made: TradeFiles):
    learn(command, made, "--keep")
    listed = command("trades", "ls", "--asset", "SOL", "--limit", "5", "--json").json
    uid = listed[0]["trip"]["trip_uid"]

    assert len(listed) == 5 and {one["trip"]["symbol"] for one in listed} == {"SOLUSDT"}
    shown = command("trades", "show", uid[:12])
    assert "went against" in shown.out and shown.out.count("USDT") > 4
    assert len(command("trades", "show", uid, "--json").json["fills"]) == 2
    assert command("trades", "tag", uid[:12], "Breakout").code == 0
    assert [one["trip"]["trip_uid"] for one in tagged(command)] == [uid]
    assert command("trades", "untag", uid[:12], "breakout").code == 0
    assert tagged(command) == []
    profile = command("trades", "stats", "--json").json
    assert profile["sums"][0]["trips"] == made.trips
    # They are of 2024: nothing of them is in the last 30 days.
    recent = command("trades", "profile", "--json").json["perps"]
    assert (recent["trips"], recent["win_rate_fills"]) == (0, None)
    assert "No trade of the last 30 days is known" in command("trades", "profile").out
    said = command("trades", "stats").out
    report = command("learn").out
    lines = [line for line in said.splitlines() if line.startswith(("  per trip", "  worst"))]
    assert len(lines) == 2 and all(line in report for line in lines)


def tagged(command: Command) -> list[Any]:
    found: list[Any] = command("trades", "ls", "--tag", "breakout", "--json").json
    return found


def test_a_bad_file_is_refused_and_nothing_of_the_others_is_kept(
    command: Command, made: TradeFiles, tmp_path: Path
):
    lines = made.trades.read_text().splitlines()
    bad = tmp_path / f"copy {made.trades.name}"
    bad.write_text("\n".join([*lines[:30], lines[30].replace(lines[30].split(",")[4], "x", 1)]))

    done = command("learn", str(made.trades), str(bad), "--keep")

    assert done.code == 2 and "line 31, column Price" in done.err
    assert command("trades", "ls", "--json").json == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("learn",), "an export of your venue"),
        (("learn", "none.csv"), "cannot be read"),
        (("learn", "--zone", "Mars", "x.csv"), "America/New_York"),
        (("learn", "--as-of", "yesterday", "x.csv"), "date, time and zone"),
        (("learn", "--keep", "--as-of", "2024-01-01T00:00:00Z", "x.csv"), "--as-of without"),
        (("learn", "--html", "/no/such/folder/x.html", "x.csv"), "there is no such folder"),
        (("learn", "--mapping", "mine", "x.csv"), "--columns time=Date"),
        (("learn", "--contract-size", "ETH", "x.csv"), "ETH-USDT-SWAP=0.1"),
    ],
)
def test_bad_input_is_refused_with_what_is_accepted(
    command: Command, line: tuple[str, ...], said: str
):
    done = command(*line)

    assert done.code == 2 and said in done.err and done.err.count("\n") == 1


@pytest.fixture
def in_august(home: Path, ids: IdSource) -> Command:
    """The command line after the shared fills."""
    return Command(home, lambda: datetime(2026, 8, 1, tzinfo=UTC), ids)


@needs_leaders
def test_a_real_account_wins_most_fills_and_loses(in_august: Command, tmp_path: Path):
    done = in_august("learn", str(leader(tmp_path, "acc2")))

    said = " ".join(done.out.split())
    assert "5 round trips, 2 won (40 %), net −22.84 USDC." in said
    assert "By closing fill, as venues count: 20 of 24 won (83 %), before fees." in said
    assert "fees took 46.69 USDC of 5 trips" in said
    assert "together 196 % of the gross profit of 23.85 USDC" in said


@needs_leaders
def test_trades_of_the_future_are_told_and_left_out(command: Command, tmp_path: Path):
    said = " ".join(command("learn", str(leader(tmp_path, "acc2"))).out.split())

    assert "No round trip was found" in said
    assert "5 round trips close in the future and are left out; is the zone right?" in said


@needs_leaders
def test_every_trip_of_an_account_without_its_beginning_is_incomplete(
    in_august: Command, tmp_path: Path
):
    report = in_august("learn", str(leader(tmp_path, "acc10")), "--json").json

    assert report["outcomes"] and all(one["trip"]["is_incomplete"] for one in report["outcomes"])
    assert report["trades"]["sums"] == []


def test_a_look_that_was_killed_goes_on_and_says_the_same(
    command: Command, made: TradeFiles, monkeypatch: pytest.MonkeyPatch, temporary: Path
):
    whole = learn(command, made).out

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("afterword.pipeline.operations.learn.learn.measure_trips", die)
        killed = command("learn", str(made.trades), *map(str, made.prices))
    left = list(temporary.iterdir())

    assert killed.code == 130 and len(left) == 1
    assert learn(command, made).out == whole
    assert list(temporary.iterdir()) == []


SHORT_FIRST = """Executed at,Pair,Way,Amount,Price,Fee
2024-02-10 08:00:00,ETHUSDT,sell,1,2500,1
2024-02-10 10:00:00,ETHUSDT,buy,1,2400,1
"""
COLUMNS = "time=Executed at,symbol=Pair,side=Way,qty=Amount,price=Price,fee=Fee"


def test_a_mapped_file_of_shorts_says_what_to_add(command: Command, tmp_path: Path):
    file = tmp_path / "mine.csv"
    file.write_text(SHORT_FIRST)
    said, then = (
        " ".join(command("learn", str(file), "--zone", "UTC", "--columns", columns).out.split())
        for columns in (COLUMNS, f"{COLUMNS},kind:perp")
    )

    assert "1 sale has no purchase before it in the files: ETHUSDT 2024-02-10 08:00." in said
    assert "add kind:perp to --columns" in said
    assert "1 round trip, 1 won (100 %), net +98.00 USDT." in then and "no purchase" not in then


def test_prices_that_the_venue_no_longer_has_are_not_offered(command: Command, tmp_path: Path):
    file = tmp_path / "mine.csv"
    file.write_text(SHORT_FIRST)
    given = ("learn", str(file), "--zone", "UTC", "--columns", f"{COLUMNS},kind:perp")
    old = command(*given).out

    assert "Name files of prices behind the export" in old and "prices fetch" not in old


def test_what_is_kept_after_a_moment_changes_no_byte_of_the_report_of_it(
    command: Command, clock: ManualClock, made: TradeFiles, tmp_path: Path
):
    header, *rows = made.trades.read_text().splitlines()  # the newest first

    def part(name: str, some: Sequence[str]) -> str:
        path = folder(tmp_path, name) / made.trades.name
        path.write_text("\n".join([header, *some]) + "\n")
        return str(path)

    def report(at: datetime) -> list[str]:
        page = tmp_path / "page.html"
        line = ("learn", "--as-of", at.isoformat())
        answers = [command(*line, "--html", str(page)), command(*line, "--json")]
        assert [told.code for told in answers] == [0, 0], answers
        return [*(told.out for told in answers), page.read_text()]

    third = len(rows) // 3
    middle = rows[third : 2 * third]
    prices = [str(path) for path in made.prices]
    assert command("learn", part("middle", middle), *prices[:1], "--keep").code == 0
    uid = command("trades", "ls", "--json").json[0]["trip"]["trip_uid"]
    assert command("trades", "tag", uid, "early").code == 0
    clock.advance(hours=1)
    at = clock()
    known = report(at)

    clock.advance(hours=1)
    for name, some in (
        ("later", rows[:third]),
        ("earlier", rows[2 * third :]),
        ("over", rows[third // 2 : 2 * third + third // 2]),
        ("whole", rows),
    ):
        assert command("learn", part(name, some), *prices, "--keep").code == 0
        clock.advance(days=1)
        assert report(at) == known, name
    assert command("trades", "tag", uid, "late").code == 0
    assert command("trades", "untag", uid, "early").code == 0
    assert len(uids(command("learn", "--json").json)) == made.trips
    assert report(at) == known
