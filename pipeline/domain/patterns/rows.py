"""SQL of patterns: the outcomes and lessons they count, and what they were weighed from."""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.decisions.lateness import in_time
from afterword.pipeline.domain.outcomes.counting import COUNTED_THEN, COUNTS
from afterword.pipeline.domain.outcomes.model import (
    RULE_VERSION,
    MeasuredVerdict,
    PlanResult,
    TrendBefore,
)
from afterword.pipeline.domain.patterns.form_rows import count_current
from afterword.pipeline.domain.patterns.model import PatternKey, PatternMember, PersonNote
from afterword.pipeline.domain.patterns.numbers import SHARE_PPB
from afterword.pipeline.rules.market.outcome import Stance

# From the decisions of a role to the outcome of each: `CROSS JOIN` keeps this order. Late decisions
# count nowhere.
_COUNTED: Final = f"""
FROM role_memory AS m CROSS JOIN outcomes AS o
WHERE m.role_id = :role AND o.subject_kind = 'decision' AND o.subject_id = m.id
  AND o.window_hours = :window AND o.rule_version = :version AND {in_time("m", ":window")}
"""
_STANDS: Final = f"AND {COUNTED_THEN} AND o.known_at <= :as_of"
_CAST: Final = (
    "o.id, o.subject_id, o.asset_key, o.asset_class, o.direction, o.trend, o.entry_at, o.exit_at,"
    " o.move_ppb, o.band_ppb, o.base_ppb, o.setup_base_ppb, o.setup_votes, o.residual_ppb,"
    " o.result_micro_usd, o.window_verdict, o.verdict, o.plan, m.confidence"
)
# By id: an index on the subjects would read those of all times.
_NEW: Final = f"""
FROM outcomes AS o NOT INDEXED CROSS JOIN role_memory AS m
WHERE o.id > :after AND o.subject_kind = 'decision' AND o.window_hours = :window
  AND o.rule_version = :version AND m.id = o.subject_id AND m.role_id = :role
  AND {in_time("m", ":window")}
"""
_VOTES: Final = f"SELECT {_CAST} {_COUNTED} {_STANDS} ORDER BY o.entry_at, o.subject_id"
_NEW_VOTES: Final = f"SELECT {_CAST} {_NEW} {_STANDS} ORDER BY o.entry_at, o.subject_id"
_NEW_COUNTED: Final = f"""
SELECT {COUNTS}, {_CAST} {_NEW} ORDER BY o.entry_at, o.subject_id
"""
_NEWEST: Final = "SELECT coalesce(max(id), 0) FROM outcomes"
_LESSONS_SINCE: Final = """
SELECT reflected_at, id, mark IS NULL AND lesson_superseded_at IS NULL FROM role_memory
WHERE role_id = ? AND lesson IS NOT NULL AND reflected_at >= ? ORDER BY reflected_at, id
"""
_SEEN = text(f"""
SELECT count(*), coalesce(max(o.id), 0), count(*) FILTER (WHERE NOT {COUNTS}) {_COUNTED}
""")
_SEEN_LESSONS = text("""
SELECT count(*), coalesce(max(reflected_at), 0) FROM role_memory
WHERE role_id = :role AND lesson IS NOT NULL
""")
_WEIGHED: Final = "SELECT seen FROM role_weighings WHERE role_id = ?"
_KEEP_WEIGHED: Final = """
INSERT INTO role_weighings (role_id, seen, weighed_at) VALUES (?, ?, ?)
ON CONFLICT (role_id) DO UPDATE SET seen = excluded.seen, weighed_at = excluded.weighed_at
"""
_FORGET_WEIGHED = text("DELETE FROM role_weighings WHERE role_id = :role")
_LESSONS = text("""
SELECT id, uid, session_id FROM role_memory
WHERE role_id = :role AND lesson IS NOT NULL AND lesson_superseded_at IS NULL AND mark IS NULL
ORDER BY id
""")
_SUPERSEDE_LESSONS = text("""
UPDATE role_memory SET lesson_superseded_at = :now
WHERE id IN (SELECT value FROM json_each(:ids)) AND lesson IS NOT NULL
  AND lesson_superseded_at IS NULL AND mark IS NULL
RETURNING id
""")
_MEMBER: Final = Codec(
    PatternMember,
    moments=("decided_at", "entry_at", "exit_at"),
    codings=dict.fromkeys(("move", "band", "base", "result", "residual"), SHARE_PPB),
)
_MEMBERS = text(f"""
SELECT m.id, m.uid, o.asset_key, m.decided_at, o.entry_at, o.exit_at, o.move_ppb, o.band_ppb,
  coalesce(o.setup_base_ppb, o.base_ppb), o.window_verdict, o.result_ppb,
  o.result_micro_usd, o.residual_ppb, o.volatility
{_COUNTED} {_STANDS} AND o.asset_class = :asset_class AND o.direction = :direction
  AND o.trend = :trend
ORDER BY o.entry_at DESC, o.subject_id DESC LIMIT :limit
""")
_NOTE: Final = Codec(
    PersonNote, names={"decision_id": "id", "note": "mark_note"}, moments=("marked_at",)
)
_NOTES = text(f"""
SELECT {_NOTE.columns} FROM role_memory
WHERE (:roles IS NULL OR role_id IN (SELECT value FROM json_each(:roles)))
  AND mark_note IS NOT NULL AND marked_at <= :as_of
  AND (superseded_at IS NULL OR superseded_at > :as_of)
ORDER BY marked_at DESC, id DESC LIMIT :limit
""")
_ROLES = text("SELECT role_id, seen FROM role_weighings ORDER BY role_id")

_ALWAYS: Final = (1 << 63) - 1
"""Later than any moment; microseconds."""


class OutcomeRow(NamedTuple):
    """An own-window outcome of a decision, as the votes are made from it.

    Args:
        id: of the outcome; later ones are larger.
        trend: None where it is unknown.
    """

    id: int
    subject_id: int
    asset_key: str
    asset_class: str
    direction: Stance
    trend: TrendBefore | None
    entry_at: int
    exit_at: int
    move_ppb: int
    band_ppb: int
    base_ppb: int | None
    setup_base_ppb: int | None
    setup_votes: int | None
    residual_ppb: int | None
    result_micro_usd: int | None
    window_verdict: MeasuredVerdict
    verdict: MeasuredVerdict
    plan: PlanResult | None
    confidence: float | None


def votes(
    conn: Connection, role_id: str, window_hours: int, as_of: int | None = None
) -> list[OutcomeRow]:
    """Return the outcomes of a role by entry, as they were known at a moment (microseconds).

    Only those of the newest rules that count; see `counting`.
    """
    outcomes = driver_cursor(conn)
    outcomes.execute(_VOTES, _counted(role_id, window_hours, as_of))
    return list(map(OutcomeRow._make, outcomes.fetchall()))


def new_votes(conn: Connection, role_id: str, window_hours: int, after: int) -> list[OutcomeRow]:
    """Return the outcomes of a role with a larger id that count, by entry."""
    outcomes = driver_cursor(conn)
    outcomes.execute(_NEW_VOTES, _counted(role_id, window_hours, None) | {"after": after})
    return list(map(OutcomeRow._make, outcomes.fetchall()))


def new_counted(
    conn: Connection, role_id: str, window_hours: int, after: int
) -> list[tuple[bool, OutcomeRow]]:
    """Return the outcomes of a role with a larger id, by entry, with whether each casts a vote.

    Those that cast none are counted in `seen`.
    """
    outcomes = driver_cursor(conn)
    outcomes.execute(_NEW_COUNTED, _counted(role_id, window_hours, None) | {"after": after})
    return [(bool(counts), OutcomeRow(*row)) for counts, *row in outcomes.fetchall()]


def newest(conn: Connection) -> int:
    """Return the largest id of an outcome."""
    cursor = driver_cursor(conn)
    cursor.execute(_NEWEST)
    (outcome,) = cursor.fetchone() or (0,)
    return int(outcome)


def lessons_since(conn: Connection, role_id: str, since: int) -> list[tuple[int, int, bool]]:
    """Return the lessons of a role written from a moment on (microseconds), by moment.

    Returns:
        Of each its moment, the id of its decision, and whether it may be superseded; see `lessons`.
    """
    lessons = driver_cursor(conn)
    lessons.execute(_LESSONS_SINCE, (role_id, since))
    return [(at, row_id, bool(may_end)) for at, row_id, may_end in lessons.fetchall()]


def seen(conn: Connection, role_id: str, window_hours: int) -> list[int]:
    """Return what patterns of a role would be weighed from: counts and newest ids."""
    counted = conn.execute(_SEEN, _counted(role_id, window_hours, None)).one()
    lessons = conn.execute(_SEEN_LESSONS, {"role": role_id}).one()
    return [*counted, *lessons, count_current(conn, role_id)]


def weighed(conn: Connection, role_id: str) -> str | None:
    """Return what the patterns of a role were last weighed from."""
    cursor = driver_cursor(conn)
    cursor.execute(_WEIGHED, (role_id,))
    row = cursor.fetchone()
    return None if row is None else str(row[0])


def keep_weighed(conn: Connection, role_id: str, seen: str, now: int) -> None:
    """Write what the patterns of a role were weighed from."""
    driver_cursor(conn).execute(_KEEP_WEIGHED, (role_id, seen, now))


def forget_weighed(conn: Connection, role_id: str) -> None:
    """Forget what a role was weighed from, so that it is weighed anew."""
    conn.execute(_FORGET_WEIGHED, {"role": role_id})


def all_weighed(conn: Connection) -> list[tuple[str, str]]:
    """Return every role that was weighed, with what it was weighed from."""
    return [(role, found) for role, found in conn.execute(_ROLES)]


def lessons(conn: Connection, role_id: str) -> list[tuple[int, str, str | None]]:
    """Return the lessons of a role that may be superseded: id, uid and session of the decision.

    A person's mark has a note: such a case is told in the person's words, and stays.
    """
    return [tuple(row) for row in conn.execute(_LESSONS, {"role": role_id})]


def supersede_lessons(conn: Connection, ids: Sequence[int], now: int) -> set[int]:
    """Supersede lessons; return the ids of the decisions whose lesson it ended."""
    if not ids:
        return set()
    values = {"ids": json.dumps(list(ids)), "now": now}
    return set(conn.execute(_SUPERSEDE_LESSONS, values).scalars())


def members(
    conn: Connection, key: PatternKey, window_hours: int, limit: int, as_of: int | None
) -> list[PatternMember]:
    """Return the decisions that a pattern counts, the latest first."""
    values = _counted(key.role_id, window_hours, as_of) | {
        "asset_class": key.asset_class,
        "direction": key.direction,
        "trend": key.trend,
        "limit": limit,
    }
    return [_MEMBER.read(row) for row in conn.execute(_MEMBERS, values)]


def notes(
    conn: Connection, role_ids: Sequence[str] | None, limit: int, as_of: int | None
) -> list[PersonNote]:
    """Return what people said of decisions of roles, the latest first."""
    roles = None if role_ids is None else json.dumps(list(role_ids))
    values = {"roles": roles, "limit": limit, "as_of": _moment(as_of)}
    return [_NOTE.read(row) for row in conn.execute(_NOTES, values)]


def _counted(role_id: str, window_hours: int, as_of: int | None) -> dict[str, Any]:
    return {
        "role": role_id,
        "window": window_hours,
        "version": RULE_VERSION,
        "as_of": _moment(as_of),
    }


def _moment(as_of: int | None) -> int:
    return _ALWAYS if as_of is None else as_of
