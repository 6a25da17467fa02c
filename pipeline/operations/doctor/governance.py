"""Check for tasks that are switched off, open circuits and stopped spending."""

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
    """Check that budget windows are equal to their calls, and whether spending is stopped."""
    budget = Budget(file.store, caps_of(file.settings), file.clock, file.ids)
    budget.check_counted()
    yield Finding("budget", "fine", "the windows are equal to the sum of the calls")
    stopped = budget.overview().stopped
    if stopped is not None:
        said = f"all spending is stopped since {iso(stopped.since)}"
        yield _noted("budget", said, stopped.note, "`afterword budget resume`")


def check_switches(file: SoundFile) -> Iterator[Finding]:
    """Yield a note for each task that is not on."""
    with reading(file.store) as conn:
        switches = all_switches(conn, tasks_of(all_areas()))
    for switch in switches:
        if switch.mode is not Mode.ON and switch.changed_at is not None:
            said = f"{switch.task} is {_WORDS[switch.mode]} since {iso(switch.changed_at)}"
            remedy = f"`afterword switch set {switch.task} on`"
            yield _noted("switches", said, switch.note, remedy)


def check_circuits(file: SoundFile) -> Iterator[Finding]:
    """Yield a note for each circuit that is not closed."""
    with reading(file.store) as conn:
        circuits = not_closed(conn)
    for service, model, circuit in circuits:
        until = "" if circuit.reopens_at is None else f" until {iso(circuit.reopens_at)}"
        said = f"the circuit of {service} {model} is open{until}"
        yield Finding("circuits", "note", _because(said, circuit.reason), "`afterword llm check`")


_WORDS = {Mode.OFF: "off", Mode.SHADOW: "in shadow mode"}


def _noted(subject: str, said: str, note: str, remedy: str) -> Finding:
    """Return a finding with the note of an operator, which an anonymous report hides."""
    private = (note,) if note else ()
    return Finding(subject, "note", _because(said, note), remedy, private)


def _because(said: str, why: str) -> str:
    return f"{said}: {why}" if why else said
