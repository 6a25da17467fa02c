"""Every SQL statement of the schedules."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, func, select, text, update

from pipeline.clock import from_micros, to_micros
from schedules.tables import cron_entries, cron_ticks

TICKS_KEPT = 1_000
"""Ticks of one entry kept as its history (count)."""

_KNOW = text("""
INSERT INTO cron_entries (entry, spec, since) VALUES (:entry, :spec, :now)
ON CONFLICT (entry) DO UPDATE SET spec = excluded.spec, since = excluded.since
WHERE spec <> excluded.spec
""")
_TICK = text("""
INSERT INTO cron_ticks (entry, slot, fired_at) VALUES (:entry, :slot, :now)
ON CONFLICT DO NOTHING
""")


@dataclass(frozen=True, slots=True)
class Known:
    """What a group's file says of one entry; moments are aware UTC."""

    entry: str
    since: datetime
    last_slot: datetime | None
    missed: int
    fired_at: datetime | None


def know(conn: Connection, entry: str, spec: str, now: datetime) -> Known:
    """Return what is known of an entry; one that is new or reads differently begins now."""
    conn.execute(_KNOW, {"entry": entry, "spec": spec, "now": to_micros(now)})
    return next(known for known in entries(conn) if known.entry == entry)


def entries(conn: Connection) -> list[Known]:
    """Return every entry this file knows, sorted by name."""
    last = (
        select(func.max(cron_ticks.c.fired_at))
        .where(cron_ticks.c.entry == cron_entries.c.entry)
        .scalar_subquery()
    )
    rows = conn.execute(select(cron_entries, last.label("fired_at")).order_by("entry"))
    return [
        Known(
            row.entry,
            from_micros(row.since),
            None if row.last_slot is None else from_micros(row.last_slot),
            row.missed,
            None if row.fired_at is None else from_micros(row.fired_at),
        )
        for row in rows
    ]


def add_tick(conn: Connection, entry: str, slot: datetime, now: datetime) -> bool:
    """Write a tick down; False if another dispatcher did."""
    values = {"entry": entry, "slot": to_micros(slot), "now": to_micros(now)}
    return conn.execute(_TICK, values).rowcount == 1


def settle(conn: Connection, entry: str, last_slot: datetime, missed: int) -> None:
    """Move an entry past the slots that were decided on, and forget its oldest ticks."""
    conn.execute(
        update(cron_entries)
        .where(cron_entries.c.entry == entry)
        .values(last_slot=to_micros(last_slot), missed=cron_entries.c.missed + missed)
    )
    oldest = (
        select(cron_ticks.c.slot)
        .where(cron_ticks.c.entry == entry)
        .order_by(cron_ticks.c.slot.desc())
        .offset(TICKS_KEPT)
        .limit(1)
        .scalar_subquery()
    )
    conn.execute(delete(cron_ticks).where(cron_ticks.c.entry == entry, cron_ticks.c.slot <= oldest))
