"""Release jobs that wait for a gate (a budget or a circuit) as soon as the gate opens."""

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit

GateHeadroom = Callable[[str], int | None]
"""Returns how much the named gate lets through now: micro-USD in all, 0 while it is closed, None if
this process cannot ask it."""

REOPENED_AT_ONCE: Final = 1_000
"""Most jobs that one call releases at one gate (count)."""

REOPEN_BATCH: Final = 250
"""Jobs of one transaction (count). It takes some 5 ms, and every other writer waits for it."""

# One step along the index for each gate, whatever waits for it.
_GATES = text("""
WITH RECURSIVE awaited (gate) AS (
  SELECT min(gate) FROM jobs WHERE state = 'later' AND gate IS NOT NULL
  UNION ALL
  SELECT (SELECT min(gate) FROM jobs WHERE state = 'later' AND gate > awaited.gate)
  FROM awaited WHERE awaited.gate IS NOT NULL
)
SELECT gate FROM awaited WHERE gate IS NOT NULL
""")
# The cheapest jobs first, as many as the headroom pays for together.
_REOPEN = text("""
UPDATE jobs SET state = 'ready', available_at = :now, waits_for = NULL, gate = NULL WHERE id IN (
  SELECT id FROM (
    SELECT id, sum(asked_micro_usd) OVER (ORDER BY asked_micro_usd, id) AS together
    FROM (SELECT id, asked_micro_usd FROM jobs
          WHERE state = 'later' AND gate = :gate AND asked_micro_usd <= :headroom
          ORDER BY asked_micro_usd, id LIMIT :limit))
  WHERE together <= :headroom)
RETURNING asked_micro_usd
""")


def reopen_jobs(store: Store, headroom: GateHeadroom, clock: Clock) -> int:
    """Make the jobs of a group ready whose gate has headroom for them.

    Each gate is asked once, however many jobs wait for it. A job that its gate refuses again keeps
    its attempts. It then waits with the amount that was refused, until the gate has that headroom.

    Args:
        headroom: called outside any transaction of this store.

    Returns:
        How many jobs were made ready; at most `REOPENED_AT_ONCE` for each gate.
    """
    with reading(store) as conn:
        gates = awaited_gates(conn)
    found = [(gate, headroom(gate)) for gate in gates]
    reopened = sum(_release(store, gate, amount, clock) for gate, amount in found if amount)
    if reopened:
        emit("jobs.woken", jobs=reopened)
    return reopened


def awaited_gates(conn: Connection) -> list[str]:
    """Return the names of the gates that jobs wait for, sorted."""
    return list(conn.execute(_GATES).scalars())


def reopen(conn: Connection, gate: str, headroom: int, now: int, limit: int) -> list[int]:
    """Make jobs ready that wait for a gate, as many as it has headroom for.

    Args:
        headroom: micro-USD; a job that asks for no money always fits.
        now: microseconds.
        limit: most jobs (count).

    Returns:
        The amount that each of them asked for; micro-USD.
    """
    values = {"gate": gate, "headroom": headroom, "now": now, "limit": limit}
    return list(conn.execute(_REOPEN, values).scalars())


def _release(store: Store, gate: str, headroom: int, clock: Clock) -> int:
    reopened, is_full = 0, True
    while is_full and reopened < REOPENED_AT_ONCE:
        with writing(store) as conn:
            amounts = reopen(conn, gate, headroom, to_micros(clock()), REOPEN_BATCH)
        reopened, headroom = reopened + len(amounts), headroom - sum(amounts)
        is_full = len(amounts) == REOPEN_BATCH
    return reopened
