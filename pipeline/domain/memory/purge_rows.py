"""SQL over memories whose retention is over."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import Connection, insert, text

from afterword.pipeline.domain.memory.tables import memory_purges

# Facts of the fact layer stay for good: its trail names them. What was deleted and superseded both
# goes with whichever is over first.
_GOES: Final = "NOT (category = 'fact' AND type IS NULL)"
_EXPIRED: Final = f"""
SELECT id, deleted_at FROM memories WHERE deleted_at < :deleted_before AND {_GOES}
UNION SELECT id, deleted_at FROM memories WHERE superseded_at < :superseded_before AND {_GOES}
"""
_IDS: Final = text(f"SELECT id FROM ({_EXPIRED}) ORDER BY id")
_COUNT: Final = text(f"""
SELECT count(*) FILTER (WHERE deleted_at < :deleted_before), count(*) FROM ({_EXPIRED})
""")
_FIRST: Final = text(f"""
SELECT (SELECT min(deleted_at) FROM memories WHERE deleted_at IS NOT NULL AND {_GOES}),
  (SELECT min(superseded_at) FROM memories WHERE superseded_at IS NOT NULL AND {_GOES})
""")
# Triggers and foreign keys take words, vectors, edges and absences along. A row that was put back
# since its id was read stays.
_REMOVE: Final = text(f"""
DELETE FROM memories WHERE id IN (SELECT value FROM json_each(:ids))
  AND (deleted_at < :deleted_before OR superseded_at < :superseded_before) AND {_GOES}
RETURNING deleted_at, superseded_at
""")


@dataclass(frozen=True, slots=True)
class PurgeCounts:
    """How many rows went because they were deleted, and how many because superseded; counts."""

    deleted: int
    superseded: int

    @property
    def rows(self) -> int:
        """All of them."""
        return self.deleted + self.superseded

    def __add__(self, other: "PurgeCounts") -> "PurgeCounts":
        return PurgeCounts(self.deleted + other.deleted, self.superseded + other.superseded)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Moments before which a deletion, and a supersession, are over; microseconds."""

    deleted_before: int
    superseded_before: int


def count(conn: Connection, bounds: Bounds) -> PurgeCounts:
    """Return how many rows are over."""
    deleted, all_of_them = conn.execute(_COUNT, asdict(bounds)).one()
    return PurgeCounts(deleted, all_of_them - deleted)


def first_gone(conn: Connection) -> tuple[int | None, int | None]:
    """Return when the first row that will go was deleted, and when one was superseded; None: none.

    Returns:
        Microseconds.
    """
    deleted_at, superseded_at = conn.execute(_FIRST).one()
    return deleted_at, superseded_at


def expired_ids(conn: Connection, bounds: Bounds) -> list[int]:
    """Return the ids of the rows that are over."""
    return list(conn.execute(_IDS, asdict(bounds)).scalars())


def remove(conn: Connection, ids: Sequence[int], bounds: Bounds) -> tuple[PurgeCounts, int]:
    """Remove those of the rows that are still over.

    Returns:
        How many went, and the latest moment at which one of them ceased to be alive.
    """
    gone = conn.execute(_REMOVE, asdict(bounds) | {"ids": json.dumps(ids)}).all()
    deleted = sum(row[0] is not None and row[0] < bounds.deleted_before for row in gone)
    horizon = max((min(moment for moment in row if moment is not None) for row in gone), default=0)
    return PurgeCounts(deleted, len(gone) - deleted), horizon


def keep(conn: Connection, purged: PurgeCounts, horizon: int, now: int) -> int:
    """Remember a purge (microseconds), and return its id."""
    values = {
        "at": now,
        "deleted": purged.deleted,
        "superseded": purged.superseded,
        "horizon": horizon,
    }
    added = insert(memory_purges).values(values).returning(memory_purges.c.id)
    row_id: int = conn.execute(added).scalar_one()
    return row_id
