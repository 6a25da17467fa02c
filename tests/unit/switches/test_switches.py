"""A task is on until a switch is set, and every process sees the change at once."""

from datetime import timedelta

import pytest

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import writing
from afterword.pipeline.errors import CircuitOpenError, InvalidInputError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import CircuitName
from afterword.pipeline.gateway.http.model import SetupError
from afterword.pipeline.gateway.switches import Mode, Switches, tasks_of
from afterword.pipeline.settings import Settings

TASKS = tasks_of(all_areas())
TASK = next(iter(TASKS))


@pytest.fixture
def switches(instance, clock):
    return Switches(instance, clock, TASKS)


def test_what_nobody_set_is_on(switches):
    assert [(one.task, one.mode) for one in switches.all()] == [(task, Mode.ON) for task in TASKS]
    assert switches.mode(TASK) is Mode.ON


def test_what_one_process_sets_the_others_read(instance, clock, switches):
    switches.set(TASK, Mode.SHADOW, "compare first")

    assert Switches(instance, clock, TASKS).mode(TASK) is Mode.SHADOW
    assert switches.all()[0].note == "compare first"


def test_a_note_is_one_line_without_secrets_and_not_endless(switches):
    switches.set(TASK, Mode.OFF, "leaked:\npassword: hunter2secret")

    assert switches.all()[0].note == "leaked: password: [masked:password]"
    with pytest.raises(InvalidInputError, match="note: has 501 characters"):
        switches.set(TASK, Mode.ON, "x" * 501)
    assert switches.mode(TASK) is Mode.OFF


@pytest.mark.parametrize(
    ("mode", "runs", "counts"),
    [(Mode.ON, True, True), (Mode.SHADOW, True, False), (Mode.OFF, False, False)],
)
def test_the_shadow_computes_and_changes_nothing(mode, runs, counts):
    assert (mode.is_enabled, mode.has_effect) == (runs, counts)


def test_a_misspelt_task_is_refused_and_not_silently_switched(switches):
    with pytest.raises(InvalidInputError, match=TASK):
        switches.set("juge_facts", Mode.OFF)
    with pytest.raises(InvalidInputError):
        switches.mode("juge_facts")


def test_the_command_sets_and_shows(stores, command, clock):
    assert command("switch", "set", TASK, "off", "--note", "costs").out == f"{TASK} does not run\n"
    clock.advance(minutes=2)

    line = command("switch", "ls").out.splitlines()[1]
    assert line.startswith(f"{TASK}")
    assert "off" in line and "2 min 0 s ago" in line and "costs" in line
    assert command("switch", "ls", "--json").json[0]["mode"] == "off"


def test_who_turned_what_off_and_why_is_kept(instance, switches, stores, command):
    switches.set(TASK, Mode.OFF, "costs too much")
    switches.set(TASK, Mode.ON, "the cap is lower now")

    told = [(one["mode"], one["note"]) for one in command("switch", "log", "--json").json]
    assert told == [("on", "the cap is lower now"), ("off", "costs too much")]
    assert "costs too much" in command("switch", "log").out
    for edit in (
        "DELETE FROM switch_changes",
        "UPDATE switch_changes SET mode = 'on'",
        "UPDATE switch_changes SET note = 'another'",  # it may be forgotten, never changed
    ):
        with pytest.raises(Exception, match="append-only"), writing(instance) as conn:
            conn.exec_driver_sql(edit)


def test_the_doctor_says_what_is_held_back_and_how_it_runs_again(
    instance, switches, clock, ids, stores, command
):
    def told():
        found = command("doctor", "--json").json
        return [(one["says"], one["remedy"]) for one in found if one["state"] == "note"]

    assert not [says for says, _ in told() if "since" in says or "left alone" in says]
    switches.set(TASK, Mode.SHADOW, "compare first")
    Budget(instance, caps_of(Settings()), clock, ids).stop("too dear")
    breaker = Breaker(instance, CircuitName("anthropic", "m", "s"), clock, 60)
    with pytest.raises(CircuitOpenError):
        breaker.guard(_locked)

    since = iso(clock())
    assert [one for one in told() if "since" in one[0] or "circuit" in one[0]] == [
        (f"all spending is stopped since {since}: too dear", "`afterword budget resume`"),
        (
            f"{TASK} is in shadow mode since {since}: compare first",
            f"`afterword switch set {TASK} on`",
        ),
        (
            f"the circuit of anthropic m is open until {iso(clock() + timedelta(seconds=15))}: "
            "the key is wrong",
            "`afterword llm check`",
        ),
    ]


def _locked():
    raise SetupError("the key is wrong")


@pytest.mark.parametrize("line", [("nothing", "off"), (TASK, "maybe")])
def test_the_command_refuses_what_it_does_not_know(stores, command, line):
    answer = command("switch", "set", *line)

    assert answer.code == 2
    assert answer.err.count("\n") == 1


def test_switches_are_shown_before_there_is_any_file_and_none_is_made(command, home):
    found = command("switch", "ls", "--json").json

    assert [(one["task"], one["mode"]) for one in found] == [(task, "on") for task in TASKS]
    assert command("switch", "ls").code == command("switch", "log").code == 0
    assert not home.exists()


@pytest.mark.parametrize(("mode", "chosen"), [("on", "real"), ("shadow", "shadow"), ("off", "off")])
def test_a_mode_chooses_which_effects_a_task_is_given(mode, chosen):
    assert Mode(mode).choose("real", shadow="shadow", off="off") == chosen
