"""SQL over what tags and texts of the profile come from."""

from collections.abc import Collection
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.profile.observed_rows import IS_LEVERAGED, OWN, TradeWindow
from afterword.pipeline.rules.user_tags.schema import TagSource

_TAG: Final = "SELECT id, dimension, value, source, since FROM user_tags"
_TAGS: Final = text(f"""
{_TAG} WHERE dimension = :dimension AND since <= :at
  AND (superseded_at IS NULL OR superseded_at > :at) ORDER BY id
""")
_TAG_BY_ID: Final = text(f"{_TAG} WHERE id = :id")
_TAG_BEFORE: Final = text("""
SELECT id FROM user_tags AS b
WHERE b.id < :id AND (b.dimension, b.source) = (SELECT dimension, source FROM user_tags AS t
  WHERE t.id = :id) ORDER BY b.id DESC LIMIT 1
""")
_ANSWER: Final = text("""
SELECT id FROM onboarding_answers
WHERE question = :dimension AND answer = :value AND answered_at <= :since
  AND (superseded_at IS NULL OR superseded_at > :since) ORDER BY id DESC LIMIT 1
""")
_ANSWER_BY_ID: Final = text("""
SELECT question, answer, answered_at, memory_id FROM onboarding_answers WHERE id = :id
""")
_FILLS: Final = text(f"""
SELECT id, symbol FROM perps_fills
WHERE ts_ms >= :since / 1000 AND ts_ms <= :until / 1000 AND created_at <= :as_of AND {OWN}
ORDER BY ts_ms DESC, id DESC
""")
_KNOWN_TRIPS: Final = (
    "closed_at >= :since AND closed_at <= :until AND known_at <= :as_of"
    f" AND (superseded_at IS NULL OR superseded_at > :as_of) AND {OWN}"
)
_TRIPS: Final = text(
    f"SELECT trip_uid FROM round_trips WHERE {_KNOWN_TRIPS} ORDER BY closed_at DESC, trip_uid"
)
# Those that show the sign come first: 20 causes are followed.
_RISKY: Final = text(f"""
SELECT trip_uid FROM round_trips WHERE {_KNOWN_TRIPS} AND {IS_LEVERAGED}
ORDER BY liquidated DESC, losing_adds > 0 DESC, closed_at DESC, trip_uid
""")
_STRATEGIES: Final = text("""
SELECT strategy FROM strategy_runs
WHERE started_at <= :at AND (stopped_at IS NULL OR stopped_at > :at) ORDER BY strategy
""")
_PROFILE_BEFORE: Final = """
SELECT id, {column}, updated_at FROM financial_profile AS p
WHERE {column} IS NOT NULL AND updated_at <= :at AND (:under IS NULL OR id < :under)
  AND {column} IS NOT (SELECT {column} FROM financial_profile AS b
    WHERE b.id < p.id ORDER BY b.id DESC LIMIT 1)
ORDER BY id DESC LIMIT 1
"""


class StoredTag(NamedTuple):
    """What one source said of a dimension from a moment on."""

    id: int
    dimension: str
    value: str
    source: TagSource
    since: int


class AnswerRow(NamedTuple):
    """An answer of the onboarding."""

    question: str
    answer: str
    answered_at: int
    memory_id: int | None


class ProfileText(NamedTuple):
    """A text of the profile, from the row on that first had it."""

    row_id: int
    words: str
    since: datetime


def tags_of(conn: Connection, dimension: str, at: int) -> list[StoredTag]:
    """Return what each source said of a dimension at a moment (microseconds)."""
    values = {"dimension": dimension, "at": at}
    return [StoredTag(*row) for row in conn.execute(_TAGS, values)]


def tag_row(conn: Connection, row_id: int) -> StoredTag | None:
    """Return a row of the tags."""
    row = conn.execute(_TAG_BY_ID, {"id": row_id}).one_or_none()
    return None if row is None else StoredTag(*row)


def tag_before(conn: Connection, row_id: int) -> int | None:
    """Return the row of the same source that a tag took the place of."""
    found: int | None = conn.execute(_TAG_BEFORE, {"id": row_id}).scalar()
    return found


def answer_of(conn: Connection, tag: StoredTag) -> int | None:
    """Return the row of the answer that declared a tag; None if none did."""
    found: int | None = conn.execute(_ANSWER, tag._asdict()).scalar()
    return found


def answer_row(conn: Connection, row_id: int) -> AnswerRow | None:
    """Return an answer of the onboarding."""
    row = conn.execute(_ANSWER_BY_ID, {"id": row_id}).one_or_none()
    return None if row is None else AnswerRow(*row)


def fills_of(conn: Connection, trades: TradeWindow, symbols: Collection[str]) -> list[int]:
    """Return the row ids of the fills in some markets, the newest first."""
    rows = conn.execute(_FILLS, trades._asdict())
    return [row_id for row_id, symbol in rows if symbol in symbols]


def trips_of(conn: Connection, trades: TradeWindow, *, leveraged: bool) -> list[str]:
    """Return the names of the trips of a window; of the leveraged ones, the risky come first."""
    statement = _RISKY if leveraged else _TRIPS
    return list(conn.execute(statement, trades._asdict()).scalars())


def strategies_at(conn: Connection, at: int) -> list[str]:
    """Return the names of the strategies that ran at a moment (microseconds)."""
    return list(conn.execute(_STRATEGIES, {"at": at}).scalars())


def profile_text(
    conn: Connection, column: str, at: int, under: int | None = None
) -> ProfileText | None:
    """Return a text of the profile at a moment (microseconds), as it was first written.

    Args:
        column: one of the program's names, never given by a caller.
        under: only rows before this one.
    """
    statement = text(_PROFILE_BEFORE.format(column=column))
    row = conn.execute(statement, {"at": at, "under": under}).one_or_none()
    return None if row is None else ProfileText(row[0], row[1], from_micros(row[2]))
