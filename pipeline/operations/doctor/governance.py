"""Check for tasks that are switched off, open circuits and stopped spending."""

from collections.abc import Iterator

from sqlalchemy import Connection

from afterword.pipeline.clock import iso
from afterword.pipeline.gateway.budget.model import SpendingStop
from afterword.pipeline.gateway.http.rows import not_closed
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.gateway.switches.rows import all_switches
from afterword.pipeline.operations.doctor.model import Finding


def examine_governance(conn: Connection, stopped: SpendingStop | None) -> Iterator[Finding]:
    """Yield a note for each switch, circuit or stop that prevents work; none if nothing does."""
    if stopped is not None:
        said = f"all spending is stopped since {iso(stopped.since)}"
        yield Finding("budget", "note", _because(said, stopped.note), "`afterword budget resume`")
    for switch in all_switches(conn):
        if switch.mode is not Mode.ON and switch.changed_at is not None:
            said = f"{switch.task} is {_WORDS[switch.mode]} since {iso(switch.changed_at)}"
            remedy = f"`afterword switch set {switch.task} on`"
            yield Finding("switches", "note", _because(said, switch.note), remedy)
    for service, model, circuit in not_closed(conn):
        until = "" if circuit.reopens_at is None else f" until {iso(circuit.reopens_at)}"
        said = f"the circuit of {service} {model} is open{until}"
        yield Finding("circuits", "note", _because(said, circuit.reason), "`afterword llm check`")


_WORDS = {Mode.OFF: "off", Mode.SHADOW: "in shadow mode"}


def _because(said: str, why: str) -> str:
    return f"{said}: {why}" if why else said
