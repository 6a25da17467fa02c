"""What is held back: tasks not on, circuits not closed, spending that is stopped."""

from collections.abc import Iterator

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import reading
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.http.rows import not_closed
from afterword.pipeline.gateway.switches import Mode, tasks_of
from afterword.pipeline.gateway.switches.rows import all_switches
from afterword.pipeline.operations.doctor.model import Finding, SoundFile


def check_budget(file: SoundFile) -> Iterator[Finding]:
    """Look whether the ledger of money adds up, and whether spending is stopped."""
    budget = Budget(file.store, caps_of(file.settings), file.clock, file.ids)
    budget.check_counted()
    yield Finding("budget", "fine", "its windows are the sum of its calls")
    stopped = budget.overview().stopped
    if stopped is not None:
        said = f"all spending is stopped since {iso(stopped.since)}"
        yield Finding("budget", "note", _because(said, stopped.note), "`afterword budget resume`")


def check_switches(file: SoundFile) -> Iterator[Finding]:
    """Look at the tasks that are not on; nothing is said where all are."""
    with reading(file.store) as conn:
        switches = all_switches(conn, tasks_of(all_areas()))
    for switch in switches:
        if switch.mode is not Mode.ON and switch.changed_at is not None:
            said = f"{switch.task} is {_WORDS[switch.mode]} since {iso(switch.changed_at)}"
            remedy = f"`afterword switch set {switch.task} on`"
            yield Finding("switches", "note", _because(said, switch.note), remedy)


def check_circuits(file: SoundFile) -> Iterator[Finding]:
    """Look at the circuits that are not closed; nothing is said where all are."""
    with reading(file.store) as conn:
        circuits = not_closed(conn)
    for service, model, circuit in circuits:
        until = "" if circuit.reopens_at is None else f", asked again at {iso(circuit.reopens_at)}"
        said = f"{service} {model} is left alone{until}"
        yield Finding("circuits", "note", _because(said, circuit.reason), "`afterword llm check`")


_WORDS = {Mode.OFF: "off", Mode.SHADOW: "in the shadow"}


def _because(said: str, why: str) -> str:
    return f"{said}: {why}" if why else said
