"""What `afterword replay run` takes, and what it refuses: one line, and no file left behind."""

import gzip
import json
from datetime import UTC, datetime, timedelta

import pytest

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.operations.replay.run import status_of
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


@pytest.fixture
def zoneless(tmp_path):
    """An export whose times name no zone: one round trip of KAS."""
    path = tmp_path / "mexc.csv"
    path.write_text(
        "Pairs,Time,Side,Filled Price,Executed Amount,Total,Fee,Role\n"
        "KAS_USDT,2024-02-12 08:15:09,SELL,0.1312,5000,656,0.656,Taker\n"
        "KAS_USDT,2024-02-11 21:40:31,BUY,0.1250,5000,625,0,Maker\n"
    )
    return str(path)


def test_an_export_without_a_zone_is_refused_by_the_option_and_replayed_with_it(
    command, stores, zoneless
):
    refused = command("replay", "run", "mine", "--trades", zoneless)

    assert refused.err == (
        "afterword: mexc.csv: does not say the time zone of its times; accepted: --zone UTC, "
        "--zone UTC+8 or --zone America/New_York\n"
    )
    assert (refused.code, stores.replays()) == (2, [])
    assert command("replay", "run", "mine", "--trades", zoneless, "--zone", "UTC+8").code == 0
    with reading(stores.replay("mine")) as conn:
        bought_at = conn.exec_driver_sql("SELECT decided_at FROM role_memory").scalar_one()
    assert from_micros(bought_at) == datetime(2024, 2, 11, 13, 40, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    ("option", "one", "other"),
    [
        ("--zone", "UTC", "UTC+8"),
        ("--symbol", "KASUSDT", "KAS"),
        ("--contract-size", "KAS-USDT-SWAP=10", "KAS-USDT-SWAP=100"),
        ("--time-format", "dmy", "mdy"),
    ],
)
def test_what_was_said_of_an_export_is_a_setting_of_its_replay(
    command, stores, zoneless, option, one, other
):
    def run(name, *said):
        done = command("replay", "run", name, "--trades", zoneless, "--zone", "UTC", *said)
        assert done.code == 0, done.err
        return status_of(stores.replay(name)).settings

    first, again, second = run("a", option, one), run("b", option, one), run("c", option, other)

    assert first.digest == again.digest != second.digest
    assert f"{option} {other}" in second.inputs[0].reading


def test_a_table_of_no_known_venue_is_replayed_by_its_named_columns(command, stores, tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(
        "When;What;Amount;Price\n01.02.2024 10:00;buy;2;10,5\n02.02.2024 10:00;sell;2;11,5\n"
    )
    columns = "time=When,side=What,qty=Amount,price=Price,symbol:SOL,quote:USD"
    given = ("--trades", str(path), "--zone", "UTC", "--time-format", "dmy", "--decimal", ",")

    assert "accepted: --columns time=When," in command("replay", "run", "mine", *given).err
    done = command("replay", "run", "mine", *given, "--columns", columns)

    assert done.code == 0, done.err
    with reading(stores.replay("mine")) as conn:
        assert conn.exec_driver_sql("SELECT asset FROM role_memory").scalar_one() == "SOL"


def test_columns_that_a_group_keeps_are_used_and_are_the_same_setting(command, tmp_path):
    """`learn --keep` has kept them: neither `learn` nor a replay asks for them again."""
    path = tmp_path / "own.csv"
    path.write_text(
        "When,What,Amount,Price\n2024-02-01 10:00,buy,2,10\n2024-02-02 10:00,sell,2,11\n"
    )
    columns = "time=When,side=What,qty=Amount,price=Price,symbol:SOL,quote:USD"
    named = ("--columns", columns, "--zone", "UTC")
    assert command("learn", str(path), *named, "--keep").code == 0

    def run(name, *said):
        done = command("replay", "run", name, "--trades", str(path), *said, "--json")
        return done.json["replay"]

    kept, said = run("kept"), run("said", *named)

    assert kept["settings"] == said["settings"]
    assert kept["state_hash"] == said["state_hash"] != ""


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


def test_an_export_given_as_prices_is_sent_to_the_option_for_trades(command, stores, zoneless):
    done = command("replay", "run", "mine", "--prices", zoneless)

    assert done.err == (
        "afterword: mexc.csv: holds trades (MEXC spot, trade history), not prices; accepted: "
        "--trades FILE\n"
    )
    assert (done.code, stores.replays()) == (2, [])


def test_prices_that_name_no_market_are_those_of_the_named_one(command, stores, prices, tmp_path):
    """A table of another program, whose name says nothing."""
    days = [f"2024-01-{day:02},{100 + day % 3},110,90,{100 + day % 5},1" for day in range(1, 31)]
    (tmp_path / "table.csv").write_text("\n".join(["Date,Open,High,Low,Close,Volume", *days, ""]))
    given = ("--prices", str(tmp_path / "table.csv"), "--rule", "momentum:lookback_hours=96")

    assert "accepted: --symbol" in command("replay", "run", "mine", *given).err
    done = command("replay", "run", "mine", *given, "--symbol", "SOLUSDT")

    assert done.code == 0, done.err
    with reading(stores.replay("mine")) as conn:
        assert conn.exec_driver_sql("SELECT symbol FROM price_series").scalar_one() == "SOLUSDT"
    assert status_of(stores.replay("mine")).settings.inputs[0].reading == "--symbol SOLUSDT"


MODEL = {"AFTERWORD_LLM_PROVIDER": "anthropic", "AFTERWORD_LLM_CASSETTE": "answers.jsonl"}
NO_JUDGE = {
    "no cassette": (
        {"AFTERWORD_LLM_CASSETTE": None},
        "AFTERWORD_LLM_CASSETTE: is not set; accepted",
    ),
    "no provider": ({"AFTERWORD_LLM_PROVIDER": "disabled"}, "AFTERWORD_LLM_PROVIDER: is disabled"),
    "no price": ({"AFTERWORD_LLM_MODEL": "another"}, "AFTERWORD_LLM_USD_PER_MILLION_INPUT_TOKENS"),
    "a folder as cassette": ({"AFTERWORD_LLM_CASSETTE": "."}, ". is not a cassette"),
    "no recorded answers": ({"AFTERWORD_LLM_PROVIDER": "cassette"}, "no cassette at answers.jsonl"),
}
"""What a model lacks that is to judge, and how the message begins."""


@pytest.mark.parametrize("lacks", NO_JUDGE)
def test_a_model_that_cannot_judge_is_refused_before_anything_is_written(
    command, home, prices, lacks
):
    changed, begin = NO_JUDGE[lacks]
    before = sorted(home.rglob("*"))

    line = ("replay", "run", "mine", "--prices", prices, "--judge", "model")
    done = command(*line, env=MODEL | changed)

    assert (done.code != 0, done.out, done.err.count("\n")) == (True, "", 1)
    assert done.err.startswith(f"afterword: {begin}"), done.err
    assert sorted(home.rglob("*")) == before


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
    "a zone that is none": (("--trades", "{trades}", "--zone", "Moon"), "zone: 'Moon' is not"),
    "columns that are none": (("--trades", "{trades}", "--columns", "when"), "columns: "),
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
