"""SQL that reads decisions, their contexts, evidence, lessons and counts."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import read_value, run_sql
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.decisions.model import (
    Decision,
    DecisionVerdict,
    Lesson,
    RoleStat,
    ShadowVerdict,
    without_repeats,
)
from afterword.pipeline.domain.decisions.plan import DecisionPlan, stored_plan
from afterword.pipeline.domain.memory.checks import is_name
from afterword.pipeline.domain.memory.flag_rows import not_flagged

# json.dumps would make one for each verdict.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True)

DECISION_VERDICT: Final = Codec(
    DecisionVerdict,
    names={"by": "classified_by"},
    codings={"measured": Coding(json.loads, _ENCODER.encode)},
)
_DECISION: Final = Codec(
    Decision,
    names={"key": "record_key"},
    given=("inputs", "verdict", *DecisionPlan._fields),
    moments=(
        *("decided_at", "known_at", "superseded_at", "state_at", "retry_at", "marked_at"),
        *("classified_at", "reflected_at", "corrected_at"),
    ),
    items=("methods",),
)
_NAMES: Final = (*_DECISION.names, *DECISION_VERDICT.names, "inputs", *DecisionPlan._fields)
_DIRECTION_AT: Final = _NAMES.index("direction")
_VERDICT_AT: Final = len(_DECISION.names)
_INPUTS_AT: Final = _NAMES.index("inputs")


def decision_columns(table: str = "") -> str:
    """Return the columns that `to_decision` reads.

    Args:
        table: an alias and a point, such as `m.`, where a SELECT reads several tables.
    """
    return ", ".join(f"{table}{name}" for name in _NAMES)


_COLUMNS: Final = decision_columns()
_UNFLAGGED: Final = {is_now: not_flagged("role_memory", is_now=is_now) for is_now in (True, False)}
_FIND: Final = f"SELECT {_COLUMNS} FROM role_memory WHERE uid = :name OR id = :id"
_LIST: Final = f"""
SELECT {_COLUMNS} FROM role_memory
WHERE (:role_id IS NULL OR role_id = :role_id) AND (:state IS NULL OR state = :state)
  AND (:as_of IS NULL OR known_at <= :as_of)
  AND (:after_at IS NULL OR (decided_at, id) < (:after_at, :after_id))
ORDER BY decided_at DESC, id DESC LIMIT :limit
"""
_RECORDED: Final = f"""
SELECT {_COLUMNS} FROM role_memory
WHERE (role_id, record_key) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))
"""
_OF_TRIPS: Final = f"""
SELECT {_COLUMNS} FROM role_memory WHERE role_id = ? AND from_trip_uid IS NOT NULL ORDER BY id
"""
_OF_TRADE: Final = f"""
SELECT {_COLUMNS} FROM role_memory WHERE from_trip_uid = :trip
UNION ALL SELECT {_COLUMNS} FROM role_memory WHERE uid IN (SELECT value FROM json_each(:uids))
ORDER BY decided_at, id
"""
_REPLACED_BY: Final = "SELECT id FROM role_memory WHERE superseded_by = ? ORDER BY id"
_CONTEXTS: Final = """
SELECT hash, body FROM decision_contexts WHERE hash IN (SELECT value FROM json_each(?))
"""
_EVIDENCE: Final = "SELECT body FROM judge_evidence WHERE hash = ?"

_NOW: Final = f"superseded_at IS NULL AND {_UNFLAGGED[True]}"
_THEN: Final = f"""
reflected_at <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of) AND {_UNFLAGGED[False]}
"""
_LESSON: Final = Codec(
    Lesson,
    names={"text": "lesson", "by": "lesson_by"},
    moments=("decided_at", "reflected_at"),
)
_LESSONS: Final = f"""
SELECT {_LESSON.columns} FROM role_memory
WHERE role_id IN (SELECT value FROM json_each(:roles)) AND lesson IS NOT NULL AND {{known}}
ORDER BY reflected_at DESC, id DESC LIMIT :limit
"""
_LESSONS_NOW: Final = _LESSONS.format(known=f"lesson_superseded_at IS NULL AND {_NOW}")
_LESSONS_THEN: Final = _LESSONS.format(
    known=f"(lesson_superseded_at IS NULL OR lesson_superseded_at > :as_of) AND {_THEN}"
)
_REPEATS: Final = 20  # copies of one lesson that are read before they could hide another one
_ABOUT: Final = f"""
SELECT {_COLUMNS} FROM role_memory
WHERE asset_key = :asset AND reflected_at IS NOT NULL AND {{known}}
ORDER BY reflected_at DESC, id DESC LIMIT :limit
"""
_ABOUT_NOW: Final = _ABOUT.format(known=_NOW)
_ABOUT_THEN: Final = _ABOUT.format(known=_THEN)

_IS_ANY_TOLD: Final = "SELECT EXISTS (SELECT 1 FROM lesson_prompts)"
_TOLD: Final = """
SELECT p.role_id, p.occasion, p.place, s.body
FROM json_each(?) AS asked
CROSS JOIN lesson_prompts AS p ON p.role_id = asked.value ->> 0 AND p.occasion = asked.value ->> 1
JOIN lesson_sets AS s ON s.digest = p.digest
"""
_SETS: Final = """
SELECT digest, body FROM lesson_sets WHERE digest IN (SELECT value FROM json_each(?))
"""
_CITED: Final = """
SELECT id, lessons_hash FROM role_memory INDEXED BY role_memory_lesson_sets
WHERE role_id = ? AND lessons_hash IS NOT NULL
"""

_SHADOW: Final = Codec(ShadowVerdict, names={"by": "said_by"}, moments=("at",))
_SHADOWS: Final = f"""
SELECT {_SHADOW.columns} FROM role_shadows WHERE role_memory_id = ? ORDER BY id
"""
_SHADOWED: Final = """
SELECT role_memory_id FROM role_shadows
WHERE role_memory_id IN (SELECT value FROM json_each(:ids)) AND task = :task
"""

_STAT: Final = Codec(RoleStat)
_STATS: Final = f"SELECT {_STAT.columns} FROM role_stats"
_COUNTS: Final = """
SELECT role_id, state, coalesce(nullif(reason, ''), nullif(classification, ''), outcome),
  sum(decisions)
FROM role_stats WHERE decisions > 0 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""
_OUTCOMES: Final = """
SELECT role_id, outcome, sum(decisions) FROM role_stats
WHERE state = 'reflected' AND decisions > 0 GROUP BY 1, 2 ORDER BY 1, 2
"""
# Every decision began as a pending one.
_ERASED: Final = """
SELECT coalesce(sum(iif(state = 'pending', ever, 0) - decisions), 0) FROM role_stats
WHERE role_id = ?
"""
# Two seeks, one for each of the two indexes that hold pending decisions.
_OLDEST_PENDING: Final = """
SELECT min(at) FROM (
  SELECT min(decided_at) AS at FROM role_memory
  WHERE role_id = :role_id AND state = 'pending' AND retry_at IS NULL
  UNION ALL
  SELECT min(decided_at) FROM role_memory
  WHERE role_id = :role_id AND state = 'pending' AND retry_at IS NOT NULL)
"""
_COUNT_PENDING: Final = """
SELECT count(*) FROM role_memory WHERE state = 'pending' AND decided_at < ?
"""


class ToldSet(NamedTuple):
    """The set of lessons that is kept under an occasion.

    Args:
        place: see `Occasion`.
        body: JSON.
    """

    place: int
    body: str


def to_decision(row: Sequence[Any]) -> Decision:
    """Return a row of `decision_columns` as a decision."""
    verdict = None if row[_VERDICT_AT] is None else DECISION_VERDICT.read(row[_VERDICT_AT:])
    text, *plan = row[_INPUTS_AT:]
    inputs = json.loads(text)
    fields = stored_plan(plan, inputs, row[_DIRECTION_AT])._asdict()
    return _DECISION.read(row, inputs=inputs, verdict=verdict, **fields)


def find(conn: Connection, name: str | int) -> Decision | None:
    """Return a decision by its uid, or its id inside the store."""
    row_id = name if isinstance(name, int) and name.bit_length() < 64 else None
    uid = name if is_name(name) else None
    row = run_sql(conn, _FIND, {"name": uid, "id": row_id}).fetchone()
    return None if row is None else to_decision(row)


def listed(
    conn: Connection,
    role_id: str | None,
    state: str | None,
    limit: int,
    as_of: int | None,
    after: tuple[int, int] | None = None,
) -> list[Decision]:
    """Return decisions, the latest first, as they were known at a moment (microseconds).

    Args:
        after: `decided_at` (microseconds) and `id` of the last decision of the page before.
    """
    values = {"role_id": role_id, "state": state, "limit": limit, "as_of": as_of}
    values["after_at"], values["after_id"] = after or (None, None)
    return _decisions(conn, _LIST, values, as_of)


def recorded(conn: Connection, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Decision]:
    """Return the decisions first recorded under keys (role, key)."""
    decisions = _decisions(conn, _RECORDED, (json.dumps(list(keys)),))
    return {(decision.role_id, decision.key or ""): decision for decision in decisions}


def of_trips(conn: Connection, role_id: str) -> dict[str, list[Decision]]:
    """Return the decisions of a role made from each trip, by trip, the first made first."""
    by_trip: dict[str, list[Decision]] = defaultdict(list)
    for decision in _decisions(conn, _OF_TRIPS, (role_id,)):
        by_trip[decision.from_trip_uid or ""].append(decision)
    return by_trip


def of_trade(conn: Connection, trip_uid: str, uids: Sequence[str]) -> list[Decision]:
    """Return the decisions made from a trip, and those of some uids, the first made first."""
    return _decisions(conn, _OF_TRADE, {"trip": trip_uid, "uids": json.dumps(list(uids))})


def superseded_by(conn: Connection, decision_id: int) -> int | None:
    """Return the id of the decision that this one replaced."""
    replaced: int | None = read_value(conn, _REPLACED_BY, (decision_id,))
    return replaced


def contexts(conn: Connection, hashes: Iterable[str]) -> dict[str, str]:
    """Return the bodies of contexts by their hashes."""
    return dict(run_sql(conn, _CONTEXTS, (_distinct(hashes),)).fetchall())


def evidence(conn: Connection, digest: str) -> str | None:
    """Return the body of what a judge saw; None if it was forgotten."""
    body: str | None = read_value(conn, _EVIDENCE, (digest,))
    return body


def about(conn: Connection, asset: str, limit: int, as_of: int | None) -> list[Decision]:
    """Return the latest reflected decisions about an asset that a prompt may show."""
    values = {"asset": asset, "limit": limit, "as_of": as_of}
    return _decisions(conn, _ABOUT_NOW if as_of is None else _ABOUT_THEN, values, as_of)


def lessons(
    conn: Connection, role_ids: Sequence[str], limit: int, as_of: int | None
) -> list[Lesson]:
    """Return the latest lessons of roles, or those known at a moment (microseconds)."""
    values = {"roles": json.dumps(list(role_ids)), "limit": limit, "as_of": as_of}
    query = _LESSONS_NOW if as_of is None else _LESSONS_THEN
    return [_LESSON.read(row) for row in run_sql(conn, query, values).fetchall()]


def distinct_lessons(conn: Connection, role_id: str, limit: int, as_of: int | None) -> list[Lesson]:
    """Return the latest lessons of a role for a prompt, each text once."""
    return without_repeats(lessons(conn, [role_id], limit * _REPEATS, as_of))[:limit]


def is_any_told(conn: Connection) -> bool:
    """Return whether a prompt ever held lessons: without one no decision is looked up."""
    return bool(read_value(conn, _IS_ANY_TOLD))


def told_sets(
    conn: Connection, occasions: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], ToldSet]:
    """Return what prompts held, by role and name of the occasion."""
    rows = run_sql(conn, _TOLD, (_distinct(occasions),)).fetchall()
    return {(role, name): ToldSet(place, body) for role, name, place, body in rows}


def lesson_sets(conn: Connection, digests: Iterable[str]) -> dict[str, str]:
    """Return the bodies of sets of lessons by their digests."""
    return dict(run_sql(conn, _SETS, (_distinct(digests),)).fetchall())


def cited_sets(conn: Connection, role_id: str) -> dict[int, str]:
    """Return the digests that the decisions of a role keep, by the id of the decision."""
    return dict(run_sql(conn, _CITED, (role_id,)).fetchall())


def shadows(conn: Connection, decision_id: int) -> list[ShadowVerdict]:
    """Return the shadow records of a decision, the first one first."""
    return [_SHADOW.read(row) for row in run_sql(conn, _SHADOWS, (decision_id,)).fetchall()]


def shadowed(conn: Connection, task: str, ids: Sequence[int]) -> set[int]:
    """Return those of the decisions that have a shadow record of a task."""
    values = {"task": task, "ids": json.dumps(list(ids))}
    return {row_id for (row_id,) in run_sql(conn, _SHADOWED, values).fetchall()}


def stats(conn: Connection) -> list[RoleStat]:
    """Return all counts, at a cost that does not grow with the number of decisions."""
    return [_STAT.read(row) for row in run_sql(conn, _STATS).fetchall()]


def counts(conn: Connection) -> list[tuple[str, str, str, int]]:
    """Return decision counts by role, state, and class, outcome or reason."""
    return list(run_sql(conn, _COUNTS).fetchall())


def outcomes(conn: Connection) -> list[tuple[str, str, int]]:
    """Return how many reflected decisions were right, wrong or noise, by role."""
    return list(run_sql(conn, _OUTCOMES).fetchall())


def erased(conn: Connection, role_id: str) -> int:
    """Return how many decisions of a role were forgotten."""
    return int(read_value(conn, _ERASED, (role_id,)))


def oldest_pending(conn: Connection, role_id: str) -> int | None:
    """Return when the oldest pending decision of a role was made.

    Returns:
        Microseconds; None if none is pending.
    """
    moment: int | None = read_value(conn, _OLDEST_PENDING, {"role_id": role_id})
    return moment


def count_pending(conn: Connection, before: int) -> int:
    """Return how many decisions made before a moment (microseconds) are pending."""
    return int(read_value(conn, _COUNT_PENDING, (before,)))


def _decisions(
    conn: Connection, query: str, values: Any, as_of: int | None = None
) -> list[Decision]:
    """Return the decisions of a query, as they were known at a moment (microseconds)."""
    decisions = [to_decision(row) for row in run_sql(conn, query, values).fetchall()]
    if as_of is None:
        return decisions
    moment = from_micros(as_of)
    return [decision.as_of(moment) for decision in decisions]


def _distinct(names: Iterable[Any]) -> str:
    return json.dumps(sorted(set(names)))
