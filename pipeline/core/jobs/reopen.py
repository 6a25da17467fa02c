"""Jobs that wait for a gate go on when it opens, and not only when their time comes."""

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit

GateRoom = Callable[[str], int | None]
"""Returns what a gate lets through now: micro-USD in all, 0 while it is closed, None where it
cannot be asked here."""

WOKEN_AT_ONCE: Final = 1_000
"""Jobs one look lets through one gate (count)."""

BATCH: Final = 250
"""Jobs of one transaction, which takes some 5 ms: every writer waits for it (count)."""

# One step along the index for each gate, whatever waits for it.
_GATES = text("""
WITH RECURSIVE held (gate) AS (
  SELECT min(gate) FROM jobs WHERE state = 'later' AND gate IS NOT NULL
  UNION ALL
  SELECT (SELECT min(gate) FROM jobs WHERE state = 'later' AND gate > held.gate)
  FROM held WHERE held.gate IS NOT NULL
)
SELECT gate FROM held WHERE gate IS NOT NULL
""")
# The cheapest first, as many as the room would pay for together.
_WAKE = text("""
UPDATE jobs SET state = 'ready', available_at = :now, waits_for = NULL, gate = NULL WHERE id IN (
  SELECT id FROM (
    SELECT id, sum(asked_micro_usd) OVER (ORDER BY asked_micro_usd, id) AS together
    FROM (SELECT id, asked_micro_usd FROM jobs
          WHERE state = 'later' AND gate = :gate AND asked_micro_usd <= :room
          ORDER BY asked_micro_usd, id LIMIT :limit))
  WHERE together <= :room)
RETURNING asked_micro_usd
""")


def wake_jobs(store: Store, room: GateRoom, clock: Clock) -> int:
    """Look once at what the waiting jobs of a group wait for, and let go on what has room.

    Each gate is asked once, however many jobs wait for it. A job that is refused again has paid
    no attempt, and now says what it asked for: it goes on when there is room for that.

    Args:
        room: asked outside any transaction of this store.

    Returns:
        How many jobs are ready now; up to `WOKEN_AT_ONCE` for each gate.
    """
    with reading(store) as conn:
        gates = held_gates(conn)
    found = [(gate, room(gate)) for gate in gates]
    woken = sum(_let_through(store, gate, amount, clock) for gate, amount in found if amount)
    if woken:
        emit("jobs.woken", jobs=woken)
    return woken


def held_gates(conn: Connection) -> list[str]:
    """Return the names of the gates that jobs wait for, sorted."""
    return list(conn.execute(_GATES).scalars())


def wake(conn: Connection, gate: str, room: int, now: int, limit: int) -> list[int]:
    """Make jobs ready that wait for a gate, as many as it has room for.

    Args:
        room: micro-USD; what asks for no money always fits.
        now: microseconds.

    Returns:
        What each of them asked for; micro-USD.
    """
    values = {"gate": gate, "room": room, "now": now, "limit": limit}
    return list(conn.execute(_WAKE, values).scalars())


def _let_through(store: Store, gate: str, room: int, clock: Clock) -> int:
    woken, full = 0, True
    while full and woken < WOKEN_AT_ONCE:
        with writing(store) as conn:
            asked = wake(conn, gate, room, to_micros(clock()), BATCH)
        woken, room, full = woken + len(asked), room - sum(asked), len(asked) == BATCH
    return woken
