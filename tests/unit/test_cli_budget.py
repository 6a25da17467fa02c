"""What an operator sees of the money, and the switch that stops it."""

from pipeline.testing.command import Command


def lines_of(command: Command, name: str) -> list[list[str]]:
    """Return the words of the table's lines for one category or group."""
    lines = command("budget", "show").out.splitlines()
    return [line.split() for line in lines if line.startswith(name)]


def test_every_cap_shows_what_is_left_of_it(shelf, command):
    assert lines_of(command, "learning") == [
        ["learning", "2026-01-05", "5", "0", "0", "5", "open"],
        ["learning", "2026-01", "50", "0", "0", "50", "open"],
    ]


def test_money_spent_elsewhere_is_held_and_settled(shelf, command):
    uid = command("budget", "reserve", "agent", "0.5", "--model", "opus").out.strip()
    assert lines_of(command, "agent")[0][3:6] == ["0", "0.5", "19.5"]

    settled = ("budget", "settle", uid, "--cost", "0.2000001", "--input-tokens", "900")
    assert command(*settled).out == f"{uid} is settled\n"
    assert lines_of(command, "agent")[0][3:6] == ["0.200001", "0", "19.799999"]
    assert lines_of(command, "agent     opus") == [["agent", "opus", "1", "900", "0", "0.200001"]]
    assert command("budget", "settle", uid, "--json").json == {"uid": uid, "settled": False}


def test_an_unknown_cost_is_all_that_was_held(shelf, command):
    held = command("budget", "reserve", "workflow", "3", "--json").json
    command("budget", "settle", held["uid"])

    assert lines_of(command, "workflow")[0][3:6] == ["3", "0", "17"]


def test_a_cap_refuses_and_says_when_it_reopens(shelf, command):
    answer = command("budget", "reserve", "learning", "5.01")

    assert answer.code == 1
    assert "learning" in answer.err


def test_a_stop_is_seen_with_its_reason_and_lifted(shelf, command, clock):
    assert command("budget", "stop", "--note", "runaway agent").out == "spending is stopped\n"
    clock.advance(minutes=2)

    shown = command("budget", "show").out
    assert shown.startswith("all spending is stopped since 2 min 0 s ago: runaway agent\n")
    assert command("budget", "reserve", "agent", "1").code == 1
    assert command("budget", "stop", "--json").json == {"stopped": True, "changed": False}
    assert command("budget", "resume", "--json").json == {"stopped": False, "changed": True}
    assert command("budget", "reserve", "agent", "1").code == 0
    assert command("budget", "show", "--json").json["stopped"] is None


def test_a_settlement_of_nothing_is_not_found(shelf, command):
    assert command("budget", "settle", "0" * 32).code == 1
