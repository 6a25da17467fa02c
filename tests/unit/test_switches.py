"""A task is on until somebody says otherwise, and every process hears of it at once."""

import pytest

from pipeline.errors import InvalidInputError
from pipeline.switches import TASKS, Mode, Switches

TASK = next(iter(TASKS))


@pytest.fixture
def switches(instance, clock):
    return Switches(instance, clock)


def test_what_nobody_set_is_on(switches):
    assert [(one.task, one.mode) for one in switches.all()] == [(task, Mode.ON) for task in TASKS]
    assert switches.mode(TASK) is Mode.ON


def test_what_one_process_sets_the_others_read(instance, clock, switches):
    switches.set(TASK, Mode.SHADOW, "compare first")

    assert Switches(instance, clock).mode(TASK) is Mode.SHADOW
    assert switches.all()[0].note == "compare first"


@pytest.mark.parametrize(
    ("mode", "runs", "counts"),
    [(Mode.ON, True, True), (Mode.SHADOW, True, False), (Mode.OFF, False, False)],
)
def test_the_shadow_computes_and_changes_nothing(mode, runs, counts):
    assert (mode.runs, mode.counts) == (runs, counts)


def test_a_misspelt_task_is_refused_and_not_silently_switched(switches):
    with pytest.raises(InvalidInputError, match=TASK):
        switches.set("juge_facts", Mode.OFF)
    with pytest.raises(InvalidInputError):
        switches.mode("juge_facts")


def test_the_command_sets_and_shows(shelf, command, clock):
    assert command("switch", "set", TASK, "off", "--note", "costs").out == f"{TASK} stands still\n"
    clock.advance(minutes=2)

    line = command("switch", "ls").out.splitlines()[1]
    assert line.startswith(f"{TASK}")
    assert "off" in line and "2 min 0 s ago" in line and "costs" in line
    assert command("switch", "ls", "--json").json[0]["mode"] == "off"


@pytest.mark.parametrize("line", [("nothing", "off"), (TASK, "maybe")])
def test_the_command_refuses_what_it_does_not_know(shelf, command, line):
    answer = command("switch", "set", *line)

    assert answer.code == 2
    assert answer.err.count("\n") == 1
