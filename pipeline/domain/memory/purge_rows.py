"""SQL over memories whose retention is over."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import Connection, text

# Facts of the fact layer stay: its events refer to them. A row that is both deleted and superseded
# is removed when the first retention ends.
_REMOVABLE: Final = "NOT (category = 'fact' AND type IS NULL)"
_EXPIRED: Final = f"""
SELECT id, deleted_at FROM memories WHERE deleted_at < :deleted_before AND {_REMOVABLE}
UNION SELECT id, deleted_at FROM memories WHERE superseded_at < :superseded_before AND {_REMOVABLE}
"""
_IDS: Final = text(f"SELECT id FROM ({_EXPIRED}) ORDER BY id")
_COUNT: Final = text(f"""
SELECT count(*) FILTER (WHERE deleted_at < :deleted_before), count(*) FROM ({_EXPIRED})
""")
_FIRST: Final = text(f"""
SELECT (SELECT min(deleted_at) FROM memories WHERE deleted_at IS NOT NULL AND {_REMOVABLE}),
  (SELECT min(superseded_at) FROM memories WHERE superseded_at IS NOT NULL AND {_REMOVABLE})
""")
# Triggers and foreign keys remove index entries, vectors, edges and absences. A row that was
# restored since its id was read stays.
_REMOVE: Final = text(f"""
DELETE FROM memories WHERE id IN (SELECT value FROM json_each(:ids))
  AND (deleted_at < :deleted_before OR superseded_at < :superseded_before) AND {_REMOVABLE}
RETURNING deleted_at, superseded_at
""")
_KEEP: Final = text("""
INSERT INTO memory_purges (at, deleted, superseded, horizon)
VALUES (:at, :deleted, :superseded, :horizon) RETURNING id
""")


@dataclass(frozen=True, slots=True)
class PurgeCounts:
    """Rows removed because they were deleted, and because they were superseded; counts."""

    deleted: int
    superseded: int

    @property
    def rows(self) -> int:
        """Their sum."""
        return self.deleted + self.superseded

    def __add__(self, other: "PurgeCounts") -> "PurgeCounts":
        return PurgeCounts(self.deleted + other.deleted, self.superseded + other.superseded)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Rows deleted, or superseded, before these moments are removed; microseconds."""

    deleted_before: int
    superseded_before: int


def count(conn: Connection, bounds: Bounds) -> PurgeCounts:
    """Return how many rows are past their retention."""
    deleted, all_of_them = conn.execute(_COUNT, asdict(bounds)).one()
    return PurgeCounts(deleted, all_of_them - deleted)


def first_hidden(conn: Connection) -> tuple[int | None, int | None]:
    """Return when the earliest removable row was deleted, and when one was superseded.

    Returns:
        Microseconds; None where there is no such row.
    """
    deleted_at, superseded_at = conn.execute(_FIRST).one()
    return deleted_at, superseded_at


def expired_ids(conn: Connection, bounds: Bounds) -> list[int]:
    """Return the ids of the rows past their retention."""
    return list(conn.execute(_IDS, asdict(bounds)).scalars())


def remove(conn: Connection, ids: Sequence[int], bounds: Bounds) -> tuple[PurgeCounts, int]:
    """Remove those of the rows that are still past their retention.

    Returns:
        How many, and the latest moment at which one of them was hidden; microseconds.
    """
    rows = conn.execute(_REMOVE, asdict(bounds) | {"ids": json.dumps(ids)}).all()
    deleted = sum(row[0] is not None and row[0] < bounds.deleted_before for row in rows)
    horizon = max((min(moment for moment in row if moment is not None) for row in rows), default=0)
    return PurgeCounts(deleted, len(rows) - deleted), horizon


def keep(conn: Connection, purged: PurgeCounts, horizon: int, now: int) -> int:
    """Store a purge (microseconds), and return its id."""
    values = {
        "at": now,
        "deleted": purged.deleted,
        "superseded": purged.superseded,
        "horizon": horizon,
    }
    row_id: int = conn.execute(_KEEP, values).scalar_one()
    return row_id
