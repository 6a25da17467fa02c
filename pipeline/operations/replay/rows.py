"""SQL of the tables of a replay: its settings and cursor, its prepared decisions, its chain."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.operations.replay.model import ReplayLink, ReplaySettings, ReplayState

_CREATE: Final = text("""
INSERT INTO replay_runs (only, settings, settings_hash, begins_at, ends_at, cursor, state)
VALUES (1, :settings, :digest, :begins_at, :ends_at, :cursor, 'preparing')
""")
# A link reads what became known in its span. Rows come in that order, so an index costs little.
_INDEXES: Final = (
    "CREATE INDEX replay_decisions_known ON role_memory (known_at)",
    "CREATE INDEX replay_verdicts_known ON role_memory (classified_at)"
    " WHERE classified_at IS NOT NULL",
    "CREATE INDEX replay_reflections_known ON role_memory (reflected_at)"
    " WHERE reflected_at IS NOT NULL",
    "CREATE INDEX replay_lessons_ended ON role_memory (lesson_superseded_at)"
    " WHERE lesson_superseded_at IS NOT NULL",
    "CREATE INDEX replay_outcomes_known ON outcomes (known_at)",
)
_ADVANCE: Final = text("""
UPDATE replay_runs SET cursor = :cursor, state = :state, state_hash = :state_hash, ids = :ids
WHERE only = 1 AND cursor = :before
""")
_START: Final = """
UPDATE replay_runs SET state = 'running', ids = ? WHERE only = 1 AND state = 'preparing'
"""
_SYMBOLS: Final = """
SELECT min(symbol) FROM price_series WHERE interval_us > 0 GROUP BY asset ORDER BY asset
"""
_DECISIONS: Final = """
SELECT body FROM replay_decisions WHERE at >= ? AND at < ? ORDER BY at, seq
"""
_COUNT: Final = "SELECT count(*), coalesce(sum(at < ?), 0) FROM replay_decisions"
_EVENTS: Final = "SELECT coalesce(sum(events), 0) FROM replay_links"


class RunRow(NamedTuple):
    """The settings and the cursor of a replay; moments in microseconds.

    Args:
        ids: how many ids were drawn so far; count.
    """

    settings: str
    state: ReplayState
    begins_at: int
    ends_at: int
    cursor: int
    state_hash: str
    ids: int


class PreparedDecision(NamedTuple):
    """A decision that waits for its moment.

    Args:
        at: when it becomes known; microseconds.
        key: its name, also beside those of another replay.
        maker: who decides.
        body: the checked row, as JSON.
    """

    at: int
    key: str
    maker: str
    role_id: str
    body: str


_RUN: Final = Codec(RunRow)
_PREPARED: Final = Codec(PreparedDecision)
_LINK: Final = Codec(ReplayLink)

_READ_RUN: Final = f"SELECT {_RUN.columns} FROM replay_runs WHERE only = 1"
_ADD_DECISION: Final = _PREPARED.insert("replay_decisions")
_KEEP_LINK: Final = _LINK.insert("replay_links")
_LINKS: Final = f"SELECT {_LINK.columns} FROM replay_links ORDER BY number"
_LAST_LINK: Final = f"{_LINKS} DESC LIMIT 1"


def create(conn: Connection, settings: ReplaySettings, cursor: int) -> None:
    """Write the settings of a new replay, and make the indexes that only replays need.

    Args:
        cursor: the last pass before it begins; microseconds.
    """
    values = {"settings": settings.as_json(), "digest": settings.digest, "cursor": cursor}
    values |= {"begins_at": cursor, "ends_at": settings.ends_at}
    conn.execute(_CREATE, values)
    for statement in _INDEXES:
        driver_cursor(conn).execute(statement)


def run(conn: Connection) -> RunRow | None:
    """Return the settings and the cursor; None of a file that was not prepared."""
    cursor = driver_cursor(conn)
    cursor.execute(_READ_RUN)
    row = cursor.fetchone()
    return None if row is None else _RUN.read(row)


def start(conn: Connection, ids: int) -> None:
    """Say that the replay is prepared.

    Args:
        ids: how many ids were drawn so far; count.
    """
    driver_cursor(conn).execute(_START, (ids,))


def symbols(conn: Connection) -> list[str]:
    """Return a symbol of each asset with bars, by asset."""
    return [symbol for (symbol,) in driver_cursor(conn).execute(_SYMBOLS) or ()]


def advance(
    conn: Connection, before: int, cursor: int, state: ReplayState, state_hash: str, ids: int
) -> bool:
    """Move the cursor on; False if another process has moved it."""
    values: dict[str, Any] = {"before": before, "cursor": cursor, "state": state}
    values |= {"state_hash": state_hash, "ids": ids}
    return conn.execute(_ADVANCE, values).rowcount == 1


def add_decisions(conn: Connection, prepared: Sequence[PreparedDecision]) -> None:
    """Add prepared decisions, in the order in which those of one moment are made."""
    driver_cursor(conn).executemany(_ADD_DECISION, prepared)


def decisions(conn: Connection, from_at: int, to_at: int) -> Iterator[str]:
    """Yield the prepared decisions from a moment to before another one, as JSON."""
    for (body,) in driver_cursor(conn).execute(_DECISIONS, (from_at, to_at)) or ():
        yield body


def count_decisions(conn: Connection, by: int) -> tuple[int, int]:
    """Return how many decisions are prepared, and how many of them are before a moment."""
    cursor = driver_cursor(conn)
    cursor.execute(_COUNT, (by,))
    every, done = cursor.fetchone() or (0, 0)
    return every, done


def keep_link(conn: Connection, link: ReplayLink) -> None:
    """Write a link of the chain."""
    driver_cursor(conn).execute(_KEEP_LINK, _LINK.write(link))


def last_link(conn: Connection) -> ReplayLink | None:
    """Return the last link of the chain; None before the first one."""
    cursor = driver_cursor(conn)
    cursor.execute(_LAST_LINK)
    row = cursor.fetchone()
    return None if row is None else _LINK.read(row)


def count_events(conn: Connection) -> int:
    """Return how many rows became known in the links of the chain."""
    cursor = driver_cursor(conn)
    cursor.execute(_EVENTS)
    (events,) = cursor.fetchone() or (0,)
    return int(events)


def links(conn: Connection) -> Sequence[ReplayLink]:
    """Return the chain."""
    return [_LINK.read(row) for row in driver_cursor(conn).execute(_LINKS) or ()]
