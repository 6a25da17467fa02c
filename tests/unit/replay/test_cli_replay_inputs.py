"""What `afterword replay run` takes, and what it refuses: one line, and no file left behind."""

import gzip
import json
from datetime import timedelta

import pytest

from afterword.pipeline.core.store import reading
from tests.unit.replay.worlds import BEGIN, HOUR, NOW, export_of, price_file, rows_of, trader

ROLE = "market.spot.momentum"


def decision(hour: int, **changes: object) -> dict[str, object]:
    """Return a recorded decision of so many hours after the begin of the prices."""
    said = {"role": ROLE, "decision": "Buy SOL.", "asset": "SOL", "direction": "long"}
    return {**said, "decided_at": (BEGIN + hour * HOUR).isoformat(), **changes}


def lines_of(*rows: dict[str, object]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


@pytest.fixture
def prices(tmp_path):
    return str(price_file(tmp_path, days=12))


@pytest.fixture
def lines(tmp_path):
    """Write recorded decisions; return their file."""

    def write(*rows: dict[str, object]) -> str:
        path = tmp_path / "decisions.jsonl"
        path.write_text(lines_of(*rows))
        return str(path)

    return write


def test_recorded_decisions_are_judged_at_their_own_moments(command, stores, prices, lines):
    file = lines(*(decision(hour, key=f"at {hour}") for hour in (200, 176)))

    done = command("replay", "run", "mine", "--prices", prices, "--decisions", file)

    assert done.code == 0, done.err
    query = "SELECT record_key, decided_at, known_at, reflected_at FROM role_memory ORDER BY 2"
    with reading(stores.replay("mine")) as conn:
        early, late = (tuple(row) for row in conn.exec_driver_sql(query))
    assert (early[0], late[0]) == ("at 176", "at 200")
    assert early[1] == early[2] < early[3] < late[3]


def test_a_decision_without_its_moment_is_refused(command, stores, prices, lines):
    file = lines(decision(176), decision(200, decided_at=None))

    done = command("replay", "run", "mine", "--prices", prices, "--decisions", file)

    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "afterword: decisions[1].decided_at: is missing; accepted: when it was decided, with its "
        "zone\n"
    )
    assert stores.replays() == []


def test_each_mistake_of_a_recorded_decision_is_one_line(command, stores, prices, lines):
    file = lines(decision(176, direction="up"), decision(200, role="nobody.here"))

    done = command("replay", "run", "mine", "--prices", prices, "--decisions", file)

    first, second = done.err.splitlines()
    assert (done.code, done.out) == (2, "")
    assert first.startswith("afterword: decisions[0].direction: ")
    assert second.startswith("afterword: decisions[1].role: ")
    assert stores.replays() == []


def test_round_trips_decide_in_the_role_that_is_named_and_are_no_cases(command, stores, tmp_path):
    export = export_of(trader(hours=48), tmp_path / "fills.json")

    done = command("replay", "run", "mine", "--trades", str(export), "--role", ROLE)

    assert done.code == 0, done.err
    store = stores.replay("mine")
    with reading(store) as conn:
        found = conn.exec_driver_sql(
            "SELECT DISTINCT role_id, from_trip_uid <> '' FROM role_memory"
        )
        assert [tuple(row) for row in found] == [(ROLE, 1)]
    assert rows_of(store, ["methodology_cases"]) == {"methodology_cases": []}


def test_a_group_is_only_read_byte_for_byte(command, clock, stores, home, prices):
    for hour in (100, 124, 148):
        clock.set(BEGIN + hour * HOUR)
        command("role", "record", ROLE, "Buy SOL.", "--asset", "SOL", "--direction", "long")
    clock.set(NOW)
    assert command("prices", "import", prices).code == 0
    before = {path.name: path.read_bytes() for path in (home / "groups").iterdir()}

    done = command("replay", "run", "mine", "--from-group", "main")

    assert done.code == 0, done.err
    assert {path.name: path.read_bytes() for path in (home / "groups").iterdir()} == before
    with reading(stores.replay("mine")) as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM role_memory").scalar_one() == 3


EARLY, LATE = "2024-01-05T00:00:00Z", "2024-01-09T00:00:00Z"
REFUSED = {
    "no prices": ((), "prices: none are given; accepted: --prices FILE"),
    "an unknown role": (
        ("--prices", "{prices}", "--trades", "{trades}", "--role", "nobody.here"),
        "no skill declares the role 'nobody.here'; there are ",
    ),
    "an unknown rule": (("--prices", "{prices}", "--rule", "astrology"), "rule: "),
    "an unknown parameter": (("--prices", "{prices}", "--rule", "momentum:moon=3"), "momentum: "),
    "a parameter that is no number": (
        ("--prices", "{prices}", "--rule", "momentum:lookback_hours=long"),
        "lookback_hours: ",
    ),
    "a horizon without a unit": (("--prices", "{prices}", "--horizon", "7"), "horizon: "),
    "a horizon that is no window": (("--prices", "{prices}", "--horizon", "5d"), "horizon: "),
    "a step of minutes": (("--prices", "{prices}", "--every", "30m"), "every: "),
    "since after until": (
        ("--prices", "{prices}", "--since", LATE, "--until", EARLY),
        "since and until: ",
    ),
    "a moment without a zone": (("--prices", "{prices}", "--since", "2024-01-09"), "since: "),
    "a date that is none": (("--prices", "{prices}", "--known-until", "soon"), "known_until: "),
    "a folder as prices": (("--prices", "{folder}"), "prices: "),
    "prices that are not there": (("--prices", "{folder}/none.csv"), "prices: "),
    "a corrupt archive": (("--prices", "{corrupt}"), "SOLUSDT_2024_4h.csv.gz: cannot be read"),
    "trades as prices": (("--prices", "{trades}"), "fills.json: holds trades"),
    "a folder as trades": (("--trades", "{folder}"), "trades: "),
    "an unknown export": (("--trades", "{odd}"), "odd.json: "),
    "a folder as decisions": (
        ("--prices", "{prices}", "--decisions", "{folder}"),
        "decisions: ",
    ),
    "a group that is not there": (("--from-group", "none"), "group 'none' does not exist"),
}
"""Lines of options, and how the message begins."""


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_one_line_that_names_it_and_leaves_no_file(
    command, stores, tmp_path, prices, case
):
    corrupt = tmp_path / "corrupt" / "SOLUSDT_2024_4h.csv.gz"
    corrupt.parent.mkdir()
    corrupt.write_bytes(gzip.compress(b"t_open_ms,open,high,low,close,volume\n" * 999)[:-20])
    (tmp_path / "odd.json").write_text('[{"my": "own"}]')
    files = {
        "prices": prices,
        "trades": export_of(trader(hours=2), tmp_path / "fills.json"),
        "folder": tmp_path,
        "corrupt": corrupt,
        "odd": tmp_path / "odd.json",
    }
    options, begin = REFUSED[case]

    done = command("replay", "run", "mine", *(one.format(**files) for one in options))

    assert done.out == ""
    assert done.err.startswith(f"afterword: {begin}"), done.err
    is_gone = "accepted: " not in done.err  # what it names does not exist
    assert (done.code, done.err.count("\n")) == (1 if is_gone else 2, 1)
    assert is_gone == (case in ("an unknown role", "a group that is not there"))
    assert stores.replays() == []
    assert command("replay", "ls").out.startswith("no replay yet")


@pytest.mark.parametrize("name", ["../mine", "", "a b", "x" * 65])
def test_a_name_that_is_none_is_refused(command, stores, prices, name):
    done = command("replay", "run", name, "--prices", prices)

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "is not a replay name; accepted: 1-64 of" in done.err
    assert stores.replays() == []


def test_a_name_that_exists_is_refused_and_the_replay_stays(command, prices):
    lines = ("--prices", prices, "--rule", "momentum:lookback_hours=48", "--no-placebos")
    assert command("replay", "run", "mine", *lines).code == 0
    before = command("replay", "ls", "--json").json

    done = command("replay", "run", "mine", "--prices", prices)

    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "afterword: name: 'mine' exists; accepted: another name, or `afterword replay rm mine`\n"
    )
    assert command("replay", "ls", "--json").json == before


def test_nobody_who_decides_in_the_span_is_refused(command, stores, prices, lines):
    before = (BEGIN - timedelta(days=9)).isoformat()
    file = lines(decision(0, decided_at=before))

    done = command(
        *("replay", "run", "mine", "--prices", prices, "--decisions", file),
        *("--since", BEGIN.isoformat()),
    )

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("afterword: prices: nobody decides from 2024-01-01 to 2024-01-13")
    assert stores.replays() == []
