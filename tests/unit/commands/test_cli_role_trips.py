"""`afterword role record ROLE --from-trips`: imported trips become decisions, once."""

import json

import pytest

ROLE = "market.spot.momentum"


def fill(minute: int, start: str, size: str, side: str, **changes: object) -> dict[str, object]:
    return {
        "coin": "SOL",
        "px": "100.0",
        "sz": size,
        "side": side,
        "time": 1_766_000_000_000 + minute * 60_000,
        "startPosition": start,
        "dir": "any",
        "closedPnl": "0.0",
        "hash": "0x0",
        "oid": minute + 1,
        "crossed": True,
        "fee": "0.1",
        "feeToken": "USDC",
        "tid": minute + 1,
    } | changes


@pytest.fixture
def imported(command, tmp_path):
    file = tmp_path / "fills.json"
    file.write_text(
        json.dumps(
            [
                fill(0, "0.0", "2.0", "B"),
                fill(9, "2.0", "2.0", "A"),
                fill(20, "5.0", "5.0", "A", coin="ETH"),
            ]
        )
    )
    assert command("history", "import", str(file), "--account", "main").code == 0


def test_trips_are_recorded_once_and_shown_as_decisions(command, imported):
    done = command("role", "record", ROLE, "--from-trips")
    assert done.code == 0, done.err
    assert done.out.startswith("1 trip recorded, 0 known before\n1 trip left out, incomplete: ")
    again = command("role", "record", ROLE, "--from-trips", "--json").json
    assert (again["recorded"], again["known"], again["left_out"]) == (0, 1, {"incomplete": 1})
    assert "Opened a long of 2 SOL at 100 USDC" in command("role", "list", ROLE, "--json").out


def test_trips_of_which_only_the_day_is_known_are_left_out_and_told(command, tmp_path):
    """A midnight that nobody named would decide what the role is judged by."""
    file = tmp_path / "activity.csv"
    file.write_text(
        "Activity Date,Process Date,Settle Date,Instrument,Description,Trans Code,Quantity,Price,"
        "Amount\n"
        "3/5/2024,3/5/2024,3/6/2024,AAPL,Apple,Sell,2,$260.00,$520.00\n"
        "3/3/2024,3/3/2024,3/4/2024,AAPL,Apple,Buy,2,$250.00,($500.00)\n"
    )
    assert command("history", "import", str(file)).code == 0

    done = command("role", "record", ROLE, "--from-trips")

    assert done.out.startswith(
        "0 trips recorded, 0 known before\n1 trip left out, no time of day: its file says the day"
    )
    assert command("role", "list", ROLE, "--json").json == []


def test_only_one_account_or_time_is_taken(command, imported):
    other = command("role", "record", ROLE, "--from-trips", "--account", "other")
    assert other.out == "0 trips recorded, 0 known before\n"
    late = command("role", "record", ROLE, "--from-trips", "--since", "2026-01-01T00:00:00Z")
    assert late.out == "0 trips recorded, 0 known before\n"


@pytest.mark.parametrize(
    "line",
    [
        (ROLE, "Buy SOL", "--from-trips"),
        (ROLE, "--from-trips", "--method", "m"),
        (ROLE, "--from-trips", "--file", "-"),
        (ROLE, "Buy SOL", "--account", "main"),
        ("nobody.here", "--from-trips"),
        (ROLE, "--from-trips", "--since", "soon"),
    ],
)
def test_what_contradicts_it_is_refused_before_a_store_is_made(command, home, line):
    refused = command("role", "record", *line)
    assert refused.code != 0
    assert not list(home.glob("groups/*.sqlite"))
