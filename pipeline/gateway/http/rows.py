"""SQL statements of the circuits; `circuit` has the rules."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.gateway.http.circuit import Circuit, CircuitName

_FIND = text("""
SELECT state, failures, refusals, openings, reason, epoch, reopens_at FROM circuits
WHERE service = :service AND model = :model AND setup = :setup
""")
_NOT_CLOSED = text("""
SELECT service, model, state, failures, refusals, openings, reason, epoch, reopens_at FROM circuits
WHERE state <> 'closed' ORDER BY service, model, setup
""")
_SAVE = text("""
INSERT INTO circuits (service, model, setup, state, failures, refusals, openings, reason, epoch,
  changed_at, reopens_at)
VALUES (:service, :model, :setup, :state, :failures, :refusals, :openings, :reason, :epoch, :now,
  :reopens_at)
ON CONFLICT DO UPDATE SET state = excluded.state, failures = excluded.failures,
  refusals = excluded.refusals, openings = excluded.openings, reason = excluded.reason,
  epoch = excluded.epoch, changed_at = excluded.changed_at, reopens_at = excluded.reopens_at
""")


def find(conn: Connection, name: CircuitName) -> Circuit:
    """Return the stored circuit, or a closed one."""
    row = conn.execute(_FIND, _key(name)).one_or_none()
    return Circuit() if row is None else _circuit(row)


def save(conn: Connection, name: CircuitName, circuit: Circuit, now: datetime) -> None:
    """Store the state of a circuit."""
    reopens_at = circuit.reopens_at
    conn.execute(
        _SAVE,
        _key(name)
        | {
            "state": circuit.state,
            "failures": circuit.failures,
            "refusals": circuit.refusals,
            "openings": circuit.openings,
            "reason": circuit.reason,
            "epoch": circuit.epoch,
            "now": to_micros(now),
            "reopens_at": None if reopens_at is None else to_micros(reopens_at),
        },
    )


def not_closed(conn: Connection) -> list[tuple[str, str, Circuit]]:
    """Return every circuit that is not closed, with its service and model."""
    return [(row.service, row.model, _circuit(row)) for row in conn.execute(_NOT_CLOSED)]


def _key(name: CircuitName) -> dict[str, Any]:
    return {"service": name.service, "model": name.model, "setup": name.setup}


def _circuit(row: Row[Any]) -> Circuit:
    reopens_at = None if row.reopens_at is None else from_micros(row.reopens_at)
    counts = (row.failures, row.refusals, row.openings)
    return Circuit(row.state, *counts, row.reason, row.epoch, reopens_at)
