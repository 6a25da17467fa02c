"""Changes of a methodology's state, each with its event and its audit line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.methodologies import lifecycle_rows, score_rows
from afterword.pipeline.domain.methodologies.lifecycle_rows import NewLifecycleEvent
from afterword.pipeline.domain.methodologies.model import LifecycleKind, MethodGate

Change = Literal[
    "promising",
    "not_promising",
    "graduated",
    "demoted",
    "requantized_by_judge",
    "synthesis_auto_demote",
    "flag",
    "recover",
    "merged",
]

_DONE_AS: Final[Mapping[Change, Change]] = {
    "requantized_by_judge": "demoted",
    "synthesis_auto_demote": "demoted",
}
"""The change of the row, where it is not named like its event."""

_GATED: Final = frozenset({"promising", "not_promising", "graduated", "demoted"})


@dataclass(frozen=True, slots=True)
class StateChange:
    """A change that was decided on.

    Args:
        gate: the gate that it is about; the one in force for a judge's.
        reason: why, in plain English.
        numbers: what decided; JSON.
        said_by: `rule`, `owner`, `doctor`, `heuristic` or the name of a model.
        into: row id of the survivor of a merge.
    """

    methodology_id: int
    change: Change
    gate: MethodGate
    reason: str = ""
    numbers: Mapping[str, Any] = field(default_factory=dict)
    said_by: str = "rule"
    into: int | None = None


def apply_changes(
    conn: Connection,
    changes: Iterable[StateChange],
    in_force: MethodGate,
    now: datetime,
) -> list[StateChange]:
    """Change states in the caller's transaction; return the changes that were made.

    A change that another process made already is left out, with its event. Quarantine follows the
    gate in force.
    """
    at = to_micros(now)
    made = [
        change
        for change in changes
        if score_rows.change_state(
            conn,
            _DONE_AS.get(change.change, change.change),
            change.methodology_id,
            change.gate,
            at,
            in_force=change.gate == in_force,
            into=change.into,
        )
    ]
    lifecycle_rows.add_events(conn, [_event(change, in_force) for change in made], at)
    score_rows.follow_gate(conn, in_force)
    for change in made:
        detail = {"change": change.change, "gate": change.gate}
        touched = [ChangedRow(change.methodology_id, detail=detail)]
        audit(conn, now, "system", "methodology.change", "methodologies", touched)
    return made


def _event(change: StateChange, in_force: MethodGate) -> NewLifecycleEvent:
    kind: LifecycleKind
    if change.change in ("flag", "recover"):
        kind, reason = "reflection_adjusted", f"{change.change}: {change.reason}"
    else:
        kind, reason = change.change, change.reason  # type: ignore[assignment]  # named alike
    gate = change.gate if kind in _GATED else None
    # An event of the other gate is told, and decides no state.
    numbers = {**change.numbers, "in_force": change.gate == in_force}
    return NewLifecycleEvent(
        change.methodology_id, kind, change.said_by, numbers, gate=gate, reason_text=reason
    )
