"""What an operator sees of the money, and the switch that stops it."""

from datetime import timedelta

import pytest

from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.fail import postpone
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.testing.command import Command
from afterword.workers.testing import NOTE_KIND


def lines_of(command: Command, name: str) -> list[list[str]]:
    """Return the words of the table's lines for one category or group."""
    lines = command("budget", "show").out.splitlines()
    return [line.split() for line in lines if line.startswith(name)]


def test_every_cap_shows_what_is_left_of_it(stores, command):
    assert lines_of(command, "learning") == [
        ["learning", "2026-01-05", "5", "0", "0", "5", "open"],
        ["learning", "2026-01", "50", "0", "0", "50", "open"],
    ]


def test_money_spent_elsewhere_is_held_and_settled(stores, command):
    uid = command("budget", "reserve", "agent", "0.5", "--model", "opus").out.strip()
    assert lines_of(command, "agent")[0][3:6] == ["0", "0.5", "19.5"]

    settled = ("budget", "settle", uid, "--cost", "0.2000001", "--input-tokens", "900")
    assert command(*settled).out == f"{uid} is settled\n"
    assert lines_of(command, "agent")[0][3:6] == ["0.200001", "0", "19.799999"]
    assert lines_of(command, "agent     opus") == [["agent", "opus", "1", "900", "0", "0.200001"]]
    assert command("budget", "settle", uid, "--json").json == {"uid": uid, "settled": False}


def test_an_unknown_cost_is_all_that_was_held(stores, command):
    held = command("budget", "reserve", "workflow", "3", "--json").json
    command("budget", "settle", held["uid"])

    assert lines_of(command, "workflow")[0][3:6] == ["3", "0", "17"]


def test_a_cap_refuses_and_says_when_it_reopens(stores, command):
    answer = command("budget", "reserve", "learning", "5.01")

    assert answer.code == 1
    assert "learning" in answer.err


def test_a_stop_is_seen_with_its_reason_and_lifted(stores, command, clock):
    assert command("budget", "stop", "--note", "runaway agent").out == "spending is stopped\n"
    clock.advance(minutes=2)

    shown = command("budget", "show").out
    since = "2026-01-05 00:00:00Z, 2 min 0 s ago"
    assert shown.startswith(f"all spending is stopped since {since}: runaway agent\n")
    assert command("budget", "reserve", "agent", "1").code == 1
    assert command("budget", "stop", "--json").json == {"stopped": True, "changed": False}
    lifted = {"stopped": False, "changed": True, "jobs_woken": 0}
    assert command("budget", "resume", "--json").json == lifted
    assert command("budget", "reserve", "agent", "1").code == 0
    assert command("budget", "show", "--json").json["stopped"] is None


def test_caps_are_shown_before_there_is_any_file_and_none_is_made(command, home, monkeypatch):
    monkeypatch.setenv("AFTERWORD_GROUP_CAPS_USD", '{"main": 2.5}')

    assert lines_of(command, "learning") == [
        ["learning", "2026-01-05", "5", "0", "0", "5", "open"],
        ["learning", "2026-01", "50", "0", "0", "50", "open"],
    ]
    assert lines_of(command, "group") == [
        ["group", "main", "2026-01-05", "2.5", "0", "0", "2.5", "open"]
    ]
    before = command("budget", "show", "--json").json
    assert not home.exists()
    command("budget", "stop")
    command("budget", "resume")
    assert command("budget", "show", "--json").json == before


@pytest.mark.parametrize("counts", [("--input-tokens", "5"), ("--output-tokens", "5")])
def test_tokens_without_a_cost_are_not_dropped_but_refused(stores, command, counts):
    uid = command("budget", "reserve", "agent", "0.5").out.strip()

    refused = command("budget", "settle", uid, *counts)
    assert refused.code == 2
    assert refused.err.startswith(f"afterword: {counts[0][2:].replace('-', '_')}: ")
    assert "--cost" in refused.err
    assert lines_of(command, "agent")[0][3:5] == ["0", "0.5"]


def test_a_stop_that_is_lifted_lets_on_what_waited_for_it(store, clock, command):
    command("budget", "stop")
    with writing(store) as conn:
        add_many(conn, NOTE_KIND, [{}] * 3, clock())
        held = [job.id for job in claim(conn, NOTE_KIND.name, 3, clock())]
        until = clock() + timedelta(days=1)
        postpone(conn, held[:2], until, "stopped", clock(), gate="budget:learning")

    assert command("budget", "resume").out == "spending is allowed again; jobs that go on: 2\n"
    assert command("budget", "resume").out == "spending was not stopped\n"
    with reading(store) as conn:
        assert [job.id for job in listing(conn, state="ready")] == held[:2]


def test_a_settlement_of_nothing_is_not_found(stores, command):
    assert command("budget", "settle", "0" * 32).code == 1


def test_a_simulation_says_cost_passes_and_the_cap_that_refuses_first(stores, command):
    line = ("budget", "simulate", "--calls", "100000", "--category", "learning")
    said = command(*line, "--in", "1200", "--out", "200", "--model", "claude-haiku-4-5")

    assert said.code == 0, said.err
    assert "claude-haiku-4-5  100,000" in said.out
    assert "USD per million  1 in, 5 out, of 2026-10-24" in said.out
    assert "USD together     220" in said.out
    assert "by AFTERWORD_LEARNING_DAILY_CAP_USD of 5 USD" in said.out
    shown = command(*line, "--in", "1200", "--out", "200", "--json").json
    assert shown["refused"]["setting"] == "AFTERWORD_LEARNING_DAILY_CAP_USD"
    assert shown["passes_today"] < shown["passes_this_month"] <= shown["calls"] == 100_000


def test_a_simulation_writes_nothing(stores, command, home):
    before = {path: path.read_bytes() for path in home.rglob("*.sqlite")}

    assert command("budget", "simulate", "--calls", "10").code == 0
    assert {path: path.read_bytes() for path in home.rglob("*.sqlite")} == before
    assert lines_of(command, "learning")[0][3:6] == ["0", "0", "5"]


def test_a_simulated_backlog_is_what_waits_in_the_group(stores, command):
    recorded = ("role", "record", "market.spot.momentum", "Buy SOL", "--asset", "SOL")
    assert command(*recorded, "--direction", "long").code == 0
    assert command("fact", "record", "The agent trades on Hyperliquid").code == 0

    said = command("budget", "simulate", "--backlog", "--json").json

    assert {one["task"]: one["calls"] for one in said["works"]} == {
        "classify_entry": 1,
        "draft_lesson": 1,
        "judge_facts": 1,
    }
    assert said["drained_on"] == said["day"]
    assert command("budget", "simulate", "--backlog", "--group", "nobody").code == 1


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ((), "calls"),
        (("--calls", "1", "--backlog"), "calls"),
        (("--calls", "0"), "--calls"),
        (("--calls", "1", "--category", "gifts"), "category"),
        (("--calls", "1", "--model", "gpt-none"), "gpt-none"),
        (("--calls", "1", "--in", "10", "--most-in", "9", "--most-out", "1"), "worst case"),
        (("--calls", "1", "--per-day", "0"), "--per-day"),
    ],
)
def test_a_simulation_of_nonsense_names_it(stores, command, line, named):
    answer = command("budget", "simulate", *line)

    assert answer.code == 2
    assert named in answer.err


def test_a_simulation_is_refused_while_spending_is_stopped(stores, command):
    command("budget", "stop", "--note", "runaway agent")

    answer = command("budget", "simulate", "--calls", "1")
    assert (answer.code, "runaway agent" in answer.err) == (1, True)
