"""Every SQL statement of the schedules."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select, text, update

from afterword.pipeline.clock import from_micros, to_micros
from afterword.schedules.tables import cron_entries, cron_ticks

TICKS_KEPT = 1_000
"""Ticks that are kept as the history of an entry (count)."""

_KEEP_SPEC = text("""
INSERT INTO cron_specs (entry, spec, since) VALUES (:entry, :spec, :now)
ON CONFLICT (entry) DO UPDATE SET spec = excluded.spec, since = excluded.since
WHERE spec <> excluded.spec
""")
_SPECS = text("SELECT entry, spec, since FROM cron_specs")
_KEEP_ENTRY = text("""
INSERT INTO cron_entries (entry, spec, since) VALUES (:entry, :spec, :since)
ON CONFLICT (entry) DO UPDATE SET spec = excluded.spec, since = excluded.since
WHERE spec <> excluded.spec
""")
_TICK = text("""
INSERT INTO cron_ticks (entry, slot, fired_at) VALUES (:entry, :slot, :now)
ON CONFLICT DO NOTHING
""")
_CREATED = text("SELECT created_at FROM store_identity")
_ENTRIES = text("""
SELECT entry, spec, since, last_slot, missed,
  (SELECT fired_at FROM cron_ticks AS tick WHERE tick.entry = known.entry
   ORDER BY slot DESC LIMIT 1) AS fired_at
FROM cron_entries AS known ORDER BY entry
""")

_FIRED = text("SELECT entry, max(slot), fired_at FROM cron_ticks GROUP BY entry")


@dataclass(frozen=True, slots=True)
class EntryState:
    """The state of one entry in a group's file; times are aware UTC.

    Args:
        spec: cron expression and time zone.
        since: when the group first knew the entry with this spec.
        last_slot: the newest slot that was decided.
        missed: slots that never fired (count).
        fired_at: when a slot last fired.
    """

    entry: str
    spec: str
    since: datetime
    last_slot: datetime | None
    missed: int
    fired_at: datetime | None


def known_specs(conn: Connection) -> dict[str, tuple[str, datetime]]:
    """Return the spec of each entry that this installation knows, and since when it knows it.

    Args:
        conn: of the installation's own file.
    """
    return {row.entry: (row.spec, from_micros(row.since)) for row in conn.execute(_SPECS)}


def keep_spec(conn: Connection, entry: str, spec: str, now: datetime) -> None:
    """Store that this installation knows an entry with this spec from now on.

    Args:
        conn: of the installation's own file.
    """
    conn.execute(_KEEP_SPEC, {"entry": entry, "spec": spec, "now": to_micros(now)})


def keep_entry(conn: Connection, entry: str, spec: str, since: datetime) -> EntryState:
    """Return the state of an entry in a group; store the entry if it is new or has a new spec.

    Args:
        since: when a new entry begins: no slot up to then is due.
    """
    conn.execute(_KEEP_ENTRY, {"entry": entry, "spec": spec, "since": to_micros(since)})
    return next(known for known in entries(conn) if known.entry == entry)


def entries(conn: Connection) -> list[EntryState]:
    """Return every entry that ever fired in this group, sorted by name."""
    return [
        EntryState(
            row.entry,
            row.spec,
            from_micros(row.since),
            None if row.last_slot is None else from_micros(row.last_slot),
            row.missed,
            None if row.fired_at is None else from_micros(row.fired_at),
        )
        for row in conn.execute(_ENTRIES)
    ]


def fired_at(conn: Connection) -> dict[str, datetime]:
    """Return when each entry last fired in this group, by its slots or because somebody asked."""
    return {row.entry: from_micros(row.fired_at) for row in conn.execute(_FIRED)}


def created_at(conn: Connection) -> datetime:
    """Return when the group was made; earlier slots do not fire in it."""
    return from_micros(conn.execute(_CREATED).scalar_one())


def add_tick(conn: Connection, entry: str, slot: datetime, now: datetime) -> bool:
    """Store a tick; False if another dispatcher has stored it."""
    values = {"entry": entry, "slot": to_micros(slot), "now": to_micros(now)}
    return conn.execute(_TICK, values).rowcount == 1


def settle(conn: Connection, entry: str, last_slot: datetime, missed: int) -> None:
    """Store which slots of an entry are decided, and remove its oldest ticks."""
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
