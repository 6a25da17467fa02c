"""The one rule for which memories a read sees, now or as of a moment; every read uses it.

A memory is visible unless it is deleted, superseded, or stale (derived from a row that is no
longer visible). A read of the past also leaves out what became known later. Deletions and
supersessions can be undone: `memory_absences` keeps when they began and ended.
"""

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import checked_moment, from_micros, iso, to_micros
from afterword.pipeline.errors import InvalidInputError

_REPLACED: Final = ("superseded_at", "stale_at")
_ABSENT: Final = "gone_at <= :as_of AND (back_at IS NULL OR back_at > :as_of)"


_HORIZON: Final = text("SELECT max(horizon) FROM memory_purges")


def _none_set(columns: tuple[str, ...]) -> str:
    return " AND ".join(f"memories.{name} IS NULL" for name in columns)


def _known_without(absence: str) -> str:
    return (
        "memories.known_at <= :as_of AND NOT EXISTS (SELECT 1 FROM memory_absences"
        f" WHERE memory_id = memories.id AND {absence})"
    )


def _ids_where(condition: str, columns: tuple[str, ...]) -> str:
    """Return the ids of rows with one of some columns set.

    Each column has an index of its own; UNION ALL, since UNION reads whole tables instead.
    """
    return " UNION ALL ".join(
        f"SELECT id FROM memories WHERE {name} {condition}" for name in columns
    )


NOT_DELETED: Final = _none_set(("deleted_at",))
"""Condition: the row is not deleted, though it may be superseded or stale."""

NOT_DELETED_AT: Final = _known_without(f"{_ABSENT} AND cause = 'deleted'")
"""`NOT_DELETED` as of `:as_of`; microseconds, here and below."""

VISIBLE: Final = f"{NOT_DELETED} AND {_none_set(_REPLACED)}"
"""Condition: a read sees the row."""

VISIBLE_AT: Final = " AND ".join(
    (
        _known_without(_ABSENT),
        *(f"(memories.{name} IS NULL OR memories.{name} > :as_of)" for name in _REPLACED),
    )
)
"""`VISIBLE` as of `:as_of`."""

DELETED: Final = _ids_where("IS NOT NULL", ("deleted_at",))
"""Ids of the deleted rows: few beside the others, so leaving them out is fast."""

DELETED_AT: Final = f"SELECT memory_id FROM memory_absences WHERE {_ABSENT} AND cause = 'deleted'"
"""`DELETED` as of `:as_of`."""

_HIDDEN: Final = f"{DELETED} UNION ALL {_ids_where('IS NOT NULL', _REPLACED)}"
"""Ids of the rows that are not visible, some of them twice."""

HIDDEN_AT: Final = (
    f"SELECT memory_id FROM memory_absences WHERE {_ABSENT}"
    f" UNION ALL {_ids_where('<= :as_of', _REPLACED)}"
)
"""Ids of the rows known at `:as_of` that were not visible then, some of them twice."""

CHANGED_SINCE: Final = " OR ".join(
    (
        "EXISTS (SELECT 1 FROM memories WHERE known_at > :as_of)",
        *(
            f"EXISTS (SELECT 1 FROM memories WHERE {name} > :as_of)"
            for name in ("deleted_at", *_REPLACED)
        ),
        "EXISTS (SELECT 1 FROM memory_absences WHERE back_at > :as_of)",
    )
)
"""Whether any row became known, hidden or visible again after `:as_of`.

If none did, the rows visible at that moment are those visible now.
"""


def visible(as_of: int | None, include_superseded: bool = False) -> str:
    """Return the condition that a read sees a row.

    Args:
        as_of: the moment of the read, in microseconds, the value of `:as_of`; None is now.
        include_superseded: let superseded and stale rows through as well.
    """
    if as_of is None:
        return NOT_DELETED if include_superseded else VISIBLE
    return NOT_DELETED_AT if include_superseded else VISIBLE_AT


def hidden(as_of: int | None, include_superseded: bool = False) -> str:
    """Return the SELECT of the ids of all rows known at a moment that `visible` leaves out."""
    if as_of is None:
        return DELETED if include_superseded else _HIDDEN
    return DELETED_AT if include_superseded else HIDDEN_AT


def read_moment(conn: Connection, as_of: datetime | None) -> int | None:
    """Return the moment of a read in microseconds; None for a read of the present.

    Raises:
        InvalidInputError: not a moment, no time zone, or rows visible then are purged.
    """
    if as_of is None:
        return None
    moment = to_micros(checked_moment(as_of, "as_of"))
    horizon = conn.execute(_HORIZON).scalar_one()
    if horizon is not None and moment < horizon:
        from_then_on = f"a moment from {iso(from_micros(horizon))} on"
        raise InvalidInputError("as_of", "rows that stood then were purged", from_then_on)
    return moment
