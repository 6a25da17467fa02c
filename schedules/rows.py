"""Every SQL statement of the schedules."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select, text, update

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.schedules.tables import cron_entries, cron_ticks

TICKS_KEPT = 1_000
"""Ticks of one entry kept as its history (count)."""

_KNOW_SPEC = text("""
INSERT INTO cron_specs (entry, spec, since) VALUES (:entry, :spec, :now)
ON CONFLICT (entry) DO UPDATE SET spec = excluded.spec, since = excluded.since
WHERE spec <> excluded.spec
""")
_SPECS = text("SELECT entry, spec, since FROM cron_specs")
_KNOW = text("""
INSERT INTO cron_entries (entry, spec, since) VALUES (:entry, :spec, :since)
ON CONFLICT (entry) DO UPDATE SET spec = excluded.spec, since = excluded.since
WHERE spec <> excluded.spec
""")
_TICK = text("""
INSERT INTO cron_ticks (entry, slot, fired_at) VALUES (:entry, :slot, :now)
ON CONFLICT DO NOTHING
""")


_CREATED = text("SELECT created_at FROM store_identity")


@dataclass(frozen=True, slots=True)
class EntryState:
    """What a group's file says of one entry; moments are aware UTC."""

    entry: str
    spec: str
    since: datetime
    last_slot: datetime | None
    missed: int
    fired_at: datetime | None


def know_specs(instance: Store, specs: Mapping[str, str], now: datetime) -> dict[str, datetime]:
    """Return since when this installation knows each entry; one that reads differently begins now.

    Args:
        instance: the installation's own file.
        specs: cron expression and time zone of each entry, by its name.
    """
    with reading(instance) as conn:
        known = {row.entry: (row.spec, row.since) for row in conn.execute(_SPECS)}
    new = [name for name, spec in specs.items() if known.get(name, ("",))[0] != spec]
    if new:
        with writing(instance) as conn:
            for name in new:
                values = {"entry": name, "spec": specs[name], "now": to_micros(now)}
                conn.execute(_KNOW_SPEC, values)
            known = {row.entry: (row.spec, row.since) for row in conn.execute(_SPECS)}
    return {name: from_micros(known[name][1]) for name in specs}


def know(conn: Connection, entry: str, spec: str, since: datetime) -> EntryState:
    """Return what a group knows of an entry; one that is new to it, or was changed, begins.

    Args:
        since: when it begins: no slot up to then is due.
    """
    conn.execute(_KNOW, {"entry": entry, "spec": spec, "since": to_micros(since)})
    return next(known for known in entries(conn) if known.entry == entry)


def entries(conn: Connection) -> list[EntryState]:
    """Return every entry that ever fired in this group, sorted by name."""
    last = (
        select(cron_ticks.c.fired_at)
        .where(cron_ticks.c.entry == cron_entries.c.entry)
        .order_by(cron_ticks.c.slot.desc())
        .limit(1)
        .scalar_subquery()
    )
    rows = conn.execute(select(cron_entries, last.label("fired_at")).order_by("entry"))
    return [
        EntryState(
            row.entry,
            row.spec,
            from_micros(row.since),
            None if row.last_slot is None else from_micros(row.last_slot),
            row.missed,
            None if row.fired_at is None else from_micros(row.fired_at),
        )
        for row in rows
    ]


def created_at(conn: Connection) -> datetime:
    """Return when the group was made; earlier slots do not concern it."""
    return from_micros(conn.execute(_CREATED).scalar_one())


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
