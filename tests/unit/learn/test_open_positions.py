"""Positions that are still open are told beside the headline, and may forbid praise of the book."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.testing.command import Command, CommandResult

BEGIN = datetime(2024, 3, 1, tzinfo=UTC)
COLUMNS = "time=time,symbol=symbol,side=side,qty=qty,price=price,fee=fee,kind:perp"
HOUR = timedelta(hours=1)
WINNERS = 60
LAST = BEGIN + (5 * WINNERS + 3) * HOUR
"""The winners come to 1 % each, less fees; all of them before this moment."""


@pytest.fixture(autouse=True)
def now(clock):
    clock.set(BEGIN + timedelta(days=40))


def winners(size: str = "10") -> list[Sequence[object]]:
    """Return fills of one winner after the other: bought at 100, sold a little above 101."""
    chance = random.Random(4)
    rows: list[Sequence[object]] = []
    for number in range(WINNERS):
        at = BEGIN + 5 * number * HOUR
        rows.append((at, "ETHUSDT", "buy", size, "100", "0.1"))
        rows.append((at + HOUR, "ETHUSDT", "sell", size, f"{chance.uniform(100.5, 102):.2f}", "0"))
    return rows


def written(path: Path, rows: Sequence[Sequence[object]]) -> str:
    lines = [",".join(str(cell) for cell in row) for row in rows]
    path.write_text("\n".join(["time,symbol,side,qty,price,fee", *lines]) + "\n")
    return str(path)


def prices(path: Path, closes: Sequence[float], begin: datetime = BEGIN) -> str:
    lines = [
        f"{int((begin + place * HOUR).timestamp() * 1000)},{close},{close},{close},{close},1"
        for place, close in enumerate(closes)
    ]
    path.write_text("\n".join(["t_open_ms,open,high,low,close,volume", *lines]) + "\n")
    return str(path)


def told(command: Command, *words: str) -> CommandResult:
    done = command("learn", *words, "--columns", COLUMNS, "--zone", "UTC")
    assert (done.code, done.err) == (0, "")
    return done


def text_of(done: CommandResult) -> str:
    return " ".join(done.out.split())


@pytest.fixture
def losers(tmp_path: Path) -> str:
    """An export of winners and, from its third hour on, of a loser that is never sold."""
    rows = [*winners(), (BEGIN + 3 * HOUR, "SOLUSDT", "buy", "8", "50", "0.2")]
    return written(tmp_path / "mine.csv", rows)


@pytest.fixture
def fallen(tmp_path: Path) -> str:
    """Prices of the loser: it is at 20 when the trades end, and then at 12."""
    return prices(tmp_path / "SOLUSDT_1h.csv", [50.0] * 10 + [20.0] * 400 + [12.0] * 10)


def net(report: Any) -> Decimal:
    return Decimal(report["trades"]["sums"][0]["net"])


def test_an_open_position_is_told_beside_the_headline(command: Command, losers: str):
    said = text_of(told(command, losers))

    assert "1 position in USDT is still open. It cost 400.00 USDT and is in no result." in said
    assert said.index("still open") < said.index("What can be told apart from chance")


def test_without_a_price_its_result_is_not_known(command: Command, losers: str):
    (one,) = told(command, losers, "--json").json["trades"]["open_sums"]

    assert (one["positions"], Decimal(one["cost"]), Decimal(one["unpriced_cost"])) == (1, 400, 400)
    assert (one["worth"], one["result"], one["priced_at"], one["net_with"]) == (None,) * 4


def test_with_prices_it_stands_at_the_last_known_one(command: Command, losers: str, fallen: str):
    report = told(command, losers, fallen, "--json").json
    (one,) = report["trades"]["open_sums"]

    assert one["priced_at"] == "2024-03-18T12:00:00.000000Z"
    assert (Decimal(one["worth"]), Decimal(one["result"])) == (96, Decimal("-304.2"))
    assert Decimal(one["net_with"]) == net(report) - Decimal("304.2")
    said = text_of(told(command, losers, fallen))
    assert (
        "At the last known price (2024-03-18 12:00 UTC) it is worth 96.00 USDT, and would come to "
        "−304.20 USDT if closed there. The net with that would be"
    ) in said


def test_the_page_tells_it_too(command: Command, losers: str, tmp_path: Path):
    told(command, losers, "--html", str(tmp_path / "page.html"))

    page = " ".join((tmp_path / "page.html").read_text().split())
    assert "is still open. It cost 400.00 USDT and is in no result." in page
    assert "Not named: all your trades together." in page


def test_who_closes_winners_only_is_not_said_to_earn(command: Command, losers: str, fallen: str):
    for files in ((losers,), (losers, fallen)):
        trades = told(command, *files, "--json").json["trades"]
        assert (trades["book"]["is_named"], trades["unpraised_for"]) == (False, ["USDT"])
        said = text_of(told(command, *files))
        assert "Named: all your trades together" not in said
        assert "Not named: all your trades together. Their +1" in said
        assert "more than a quarter of what was earned" in said


def test_a_loss_that_is_small_beside_the_net_forbids_nothing(command: Command, tmp_path: Path):
    rows = [*winners(), (BEGIN + 3 * HOUR, "SOLUSDT", "buy", "8", "1", "0")]
    trades = told(command, written(tmp_path / "mine.csv", rows), "--json").json["trades"]

    assert (trades["book"]["is_named"], trades["unpraised_for"]) == (True, [])
    assert Decimal(trades["open_sums"][0]["unpriced_cost"]) == 8


def test_the_same_trades_without_an_open_position_are_named(command: Command, tmp_path: Path):
    done = told(command, written(tmp_path / "mine.csv", winners()))

    assert "Named: all your trades together." in text_of(done)
    assert "still open" not in done.out


def test_a_price_long_before_the_end_is_none(command: Command, losers: str, tmp_path: Path):
    old = prices(tmp_path / "SOLUSDT_1h.csv", [50.0] * 24)
    (one,) = told(command, losers, old, "--json").json["trades"]["open_sums"]

    assert (one["unpriced"], one["result"]) == (1, None)


def test_prices_in_other_units_are_none(command: Command, losers: str, tmp_path: Path):
    cents = prices(tmp_path / "SOLUSDT_1h.csv", [5000.0] * 400)
    (one,) = told(command, losers, cents, "--json").json["trades"]["open_sums"]

    assert (one["unpriced"], one["result"]) == (1, None)


def test_a_position_closed_in_part_keeps_what_that_part_brought(command: Command, tmp_path: Path):
    short = [
        (BEGIN, "SOLUSDT", "sell", "10", "50", "0"),
        (BEGIN + HOUR, "SOLUSDT", "buy", "4", "40", "1"),
    ]
    file = prices(tmp_path / "SOLUSDT_1h.csv", [50.0] * 10 + [60.0])
    done = told(command, written(tmp_path / "a.csv", short), file, "--json")
    (one,) = done.json["trades"]["open_sums"]

    # 6 of 10 are left: +40 of the others, -60 of these, 1 for fees.
    assert (Decimal(one["cost"]), Decimal(one["worth"]), Decimal(one["result"])) == (300, 360, -21)
    assert one["net_with"] is None


def test_what_turned_a_position_is_open_by_its_rest(command: Command, tmp_path: Path):
    turned = [
        (BEGIN, "SOLUSDT", "buy", "10", "50", "0"),
        (BEGIN + HOUR, "SOLUSDT", "sell", "14", "60", "0"),
    ]
    report = told(command, written(tmp_path / "a.csv", turned), "--json").json
    (one,) = report["trades"]["open_sums"]

    assert (len(report["outcomes"]), Decimal(one["cost"])) == (1, 240)


def test_a_position_whose_entry_is_not_in_the_file_has_no_cost(command: Command, tmp_path: Path):
    words = (
        '"coin": "SOL", "px": "50", "sz": "2", "side": "B", "time": 1709251200000, '
        '"startPosition": "5", "dir": "Open Long", "closedPnl": "0", "hash": "0x1", "oid": 7, '
        '"crossed": true, "fee": "0", "tid": 9, "feeToken": "USDC"'
    )
    path = tmp_path / "hl.json"
    path.write_text(f"[{{{words}}}]")
    done = command("learn", str(path))

    (one,) = command("learn", str(path), "--json").json["trades"]["open_sums"]
    assert (one["positions"], one["entry_unknown"], one["unpriced"]) == (1, 1, 1)
    assert "What it cost is not known: the files lack the first fills." in text_of(done)


def test_a_look_back_reads_nothing_later(command: Command, losers: str, fallen: str):
    then = "2024-03-10T00:00:00Z"
    early = told(command, losers, fallen, "--as-of", then, "--json").out
    rows = Path(losers).read_text()
    later = f"{rows}2024-03-20 00:00:00+00:00,SOLUSDT,sell,8,90,0\n"
    Path(losers).write_text(later)

    assert told(command, losers, fallen, "--as-of", then, "--json").out == early
    assert '"priced_at": "2024-03-10T00:00:00.000000Z"' in early


def test_a_kept_account_tells_and_withholds_the_same(command: Command, losers: str, fallen: str):
    look = told(command, losers, fallen, "--json").json["trades"]["open_sums"]
    kept = told(command, losers, fallen, "--keep", "--json").json["trades"]
    again = command("learn", "--json").json["trades"]

    assert kept["open_sums"] == again["open_sums"] == look
    assert not kept["book"]["is_named"] and not again["book"]["is_named"]
    past = command("learn", "--as-of", "2024-03-05T00:00:00Z", "--json").json["trades"]
    assert past["open_sums"] == []
