"""SQL that records, supersedes and reads decisions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.decisions.frozen_context import FrozenContext
from afterword.pipeline.domain.decisions.lateness import HOUR
from afterword.pipeline.domain.decisions.model import (
    ENDED,
    Decision,
    DecisionVerdict,
    Lesson,
    without_repeats,
)
from afterword.pipeline.domain.decisions.plan import DecisionPlan, stored_plan
from afterword.pipeline.domain.memory.checks import is_name
from afterword.pipeline.domain.memory.flag_rows import not_flagged
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS
from afterword.pipeline.rules.market.outcome import Stance

_KEEP_CONTEXTS = text("""
INSERT INTO decision_contexts (hash, body, known_at)
SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:contexts) WHERE true
ON CONFLICT (hash) DO NOTHING
""")
_NEW: Final = (
    *("uid", "role_id", "skill_id", "record_key", "session_id", "scenario_id", "origin"),
    *("decision", "inputs", "asset", "asset_key", "direction", "confidence", "context_hash"),
    *("decided_at", *DecisionPlan._fields, "methods", "hint_hash", "from_trip_uid"),
    *("lessons_hash", "measure_at", "recorded_by", "known_at"),
)
# One by one: SQLite reads a JSON list anew for each of its values.
_INSERT: Final = f"""
INSERT INTO role_memory ({", ".join(_NEW)}, state_at)
VALUES ({", ".join("?" * (len(_NEW) + 1))})
ON CONFLICT (role_id, record_key) DO NOTHING RETURNING id
"""
_NEW_OF: Final = attrgetter(*_NEW, "known_at")
_RECORDED = text("""
SELECT id, uid, role_id, record_key, decision, asset_key, direction, confidence, inputs,
  decided_at, methods, hint_hash, stop_price, target_price, size_usd, leverage
FROM role_memory
WHERE (role_id, record_key) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:keys))
""")
COLUMNS: Final = (
    "id, uid, role_id, skill_id, record_key, session_id, scenario_id, origin, decision, inputs,"
    " asset, asset_key, direction, confidence, context_hash, decided_at, known_at, superseded_by,"
    " superseded_at, state, reason, why, state_at, retry_at, tries, mark, mark_note, marked_at,"
    " outcome, measured,"
    " classification, narrative, classified_by, classified_at, rule_class, evidence_hash, lesson,"
    " lesson_by, reflected_at, embedding_state, stop_price, target_price, size_usd, leverage,"
    " methods, hint_hash, from_trip_uid, recorded_by, corrected_at, lessons_hash"
)
"""The columns that `to_decision` reads."""

_UNFLAGGED: Final = {is_now: not_flagged("role_memory", is_now=is_now) for is_now in (True, False)}
_FIND = text(f"SELECT {COLUMNS} FROM role_memory WHERE uid = :name OR id = :id")
_LIST = text(f"""
SELECT {COLUMNS} FROM role_memory
WHERE (:role_id IS NULL OR role_id = :role_id) AND (:state IS NULL OR state = :state)
  AND (:as_of IS NULL OR known_at <= :as_of)
ORDER BY decided_at DESC, id DESC LIMIT :limit
""")
_SUPERSEDE = text("""
UPDATE role_memory SET superseded_by = :successor, superseded_at = :at
WHERE id = :id AND superseded_at IS NULL
""")
_CORRECT = text("""
UPDATE role_memory SET corrected_at = :at, superseded_at = coalesce(superseded_at, :at),
  superseded_by = iif(superseded_at IS NULL, :successor, superseded_by)
WHERE id = :id AND corrected_at IS NULL
""")
_CONTEXTS = text("""
SELECT hash, body FROM decision_contexts WHERE hash IN (SELECT value FROM json_each(:hashes))
""")
_LESSONS = """
SELECT id, uid, role_id, asset, direction, lesson, classification, lesson_by, decided_at,
  reflected_at
FROM role_memory
WHERE role_id IN (SELECT value FROM json_each(:roles)) AND lesson IS NOT NULL {seen}
ORDER BY reflected_at DESC, id DESC LIMIT :limit
"""
_LESSONS_NOW = text(
    _LESSONS.format(
        seen=f"AND superseded_at IS NULL AND lesson_superseded_at IS NULL AND {_UNFLAGGED[True]}"
    )
)
_LESSONS_THEN = text(
    _LESSONS.format(
        seen="AND reflected_at <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of)"
        " AND (lesson_superseded_at IS NULL OR lesson_superseded_at > :as_of)"
        f" AND {_UNFLAGGED[False]}"
    )
)
_REPEATS: Final = 20  # copies of one lesson that are read before they could hide another one
_ABOUT = """
SELECT {columns} FROM role_memory
WHERE asset_key = :asset AND reflected_at IS NOT NULL {seen}
ORDER BY reflected_at DESC, id DESC LIMIT :limit
"""
_ABOUT_NOW = text(
    _ABOUT.format(columns=COLUMNS, seen=f"AND superseded_at IS NULL AND {_UNFLAGGED[True]}")
)
_ABOUT_THEN = text(
    _ABOUT.format(
        columns=COLUMNS,
        seen="AND reflected_at <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of)"
        f" AND {_UNFLAGGED[False]}",
    )
)
_COUNTS = text("""
SELECT role_id, state, coalesce(nullif(reason, ''), nullif(classification, ''), outcome),
  sum(decisions)
FROM role_stats WHERE decisions > 0 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
""")


_OUTCOMES = text("""
SELECT role_id, outcome, sum(decisions) FROM role_stats
WHERE state = 'reflected' AND decisions > 0 GROUP BY 1, 2 ORDER BY 1, 2
""")
_REPLACED_BY = text("SELECT id FROM role_memory WHERE superseded_by = :id ORDER BY id")


@dataclass(frozen=True, slots=True)
class NewDecisionRow:
    """A decision as it is written, checked and its secrets masked; moments in microseconds.

    Args:
        inputs: a JSON object as text.
        decided_at: None for now.
        stop_price, target_price, size_usd, leverage: exact decimal numbers as text.
        methods: a JSON list as text.
        supersedes: uid of the decision whose place it takes.
        at: its place in a list, such as `decisions[3].`; prefix of field names.
        uid: given once it is written.
        known_at: when it is recorded, if not as of now: a replay records many moments in one write.
        from_trip_uid: the round trip it was made from; see `from_trips`.
        lessons_hash: digest of the lessons that its prompt held; given when it is written.
        first_look_hours: the first window that no reflection of its role measures.
        recorded_by: given once it is written.
    """

    role_id: str
    skill_id: str
    record_key: str | None
    session_id: str | None
    scenario_id: str | None
    origin: str
    decision: str
    inputs: str
    asset: str | None
    asset_key: str | None
    direction: Stance
    confidence: float | None
    context: FrozenContext | None
    decided_at: int | None
    supersedes: str | None
    stop_price: str | None
    target_price: str | None
    size_usd: str | None
    leverage: str | None
    methods: str
    hint_hash: str | None
    at: str = ""
    uid: str = ""
    known_at: int | None = None
    from_trip_uid: str | None = None
    lessons_hash: str | None = None
    first_look_hours: int = LADDER_HOURS[0]
    recorded_by: Actor = "agent"

    @property
    def context_hash(self) -> str | None:
        """The digest its context is stored under."""
        return None if self.context is None else self.context.hash

    @property
    def measure_at(self) -> int | None:
        """When the first window of the ladder is over; None for one about no asset."""
        if self.asset_key is None or self.decided_at is None:
            return None
        return self.decided_at + self.first_look_hours * HOUR


@dataclass(frozen=True, slots=True)
class EarlierRecord:
    """The decision first recorded under a key.

    Args:
        inputs: a JSON object as text.
        decided_at: microseconds.
        methods: a JSON list as text.
        plan: its fields by name, as text.
    """

    id: int
    uid: str
    decision: str
    asset_key: str | None
    direction: Stance
    confidence: float | None
    inputs: str
    decided_at: int
    methods: str
    hint_hash: str | None
    plan: Mapping[str, str | None]


def insert(conn: Connection, rows: Sequence[NewDecisionRow]) -> dict[str, int]:
    """Insert dated decisions and their contexts; return the ids of the new ones by uid."""
    first_known: dict[FrozenContext, int] = {}
    for row in rows:
        if row.context is not None:
            assert row.known_at is not None, "the row is dated"
            known_at = first_known.get(row.context, row.known_at)
            first_known[row.context] = min(known_at, row.known_at)
    if first_known:
        bodies = [[*context, known_at] for context, known_at in sorted(first_known.items())]
        conn.execute(_KEEP_CONTEXTS, {"contexts": json.dumps(bodies, ensure_ascii=False)})
    cursor, ids = driver_cursor(conn), {}
    for row in rows:
        cursor.execute(_INSERT, _NEW_OF(row))
        for (row_id,) in cursor.fetchall():
            ids[row.uid] = row_id
    return ids


def recorded(
    conn: Connection, keys: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], EarlierRecord]:
    """Return the decisions first recorded under keys (role, key)."""
    found = conn.execute(_RECORDED, {"keys": json.dumps(list(keys))})
    return {
        (row.role_id, row.record_key): EarlierRecord(
            id=row.id,
            uid=row.uid,
            decision=row.decision,
            asset_key=row.asset_key,
            direction=row.direction,
            confidence=row.confidence,
            inputs=row.inputs,
            decided_at=row.decided_at,
            methods=row.methods,
            hint_hash=row.hint_hash,
            plan=_plan(row),
        )
        for row in found
    }


def supersede(conn: Connection, decision_id: int, successor: int, at: int) -> bool:
    """Replace a decision by its successor; False if it was replaced before."""
    values = {"id": decision_id, "successor": successor, "at": at}
    return conn.execute(_SUPERSEDE, values).rowcount == 1


def correct(conn: Connection, decision_id: int, successor: int | None, at: int) -> bool:
    """Let a decision count no more, since its trip says otherwise; False if it did so before.

    Args:
        successor: made from what the trip says now; None if it says nothing that can be judged.
    """
    values = {"id": decision_id, "successor": successor, "at": at}
    return conn.execute(_CORRECT, values).rowcount == 1


def find(conn: Connection, name: str | int) -> Decision | None:
    """Return a decision by its uid, or its id inside the store."""
    row_id = name if isinstance(name, int) and name.bit_length() < 64 else None
    uid = name if is_name(name) else None
    row = conn.execute(_FIND, {"name": uid, "id": row_id}).one_or_none()
    return None if row is None else to_decision(row)


def listed(
    conn: Connection, role_id: str | None, state: str | None, limit: int, as_of: int | None
) -> list[Decision]:
    """Return decisions, the latest first, as they were known at a moment (microseconds)."""
    values = {"role_id": role_id, "state": state, "limit": limit, "as_of": as_of}
    found = [to_decision(row) for row in conn.execute(_LIST, values)]
    return found if as_of is None else [as_known(one, as_of) for one in found]


def contexts(conn: Connection, hashes: Sequence[str]) -> dict[str, str]:
    """Return the bodies of contexts by their hashes."""
    found = conn.execute(_CONTEXTS, {"hashes": json.dumps(sorted(set(hashes)))})
    return {str(name): str(body) for name, body in found}


def lessons(
    conn: Connection, role_ids: Sequence[str], limit: int, as_of: int | None
) -> list[Lesson]:
    """Return the latest lessons of roles, or those known at a moment (microseconds)."""
    values: dict[str, Any] = {"roles": json.dumps(list(role_ids)), "limit": limit}
    query = _LESSONS_NOW if as_of is None else _LESSONS_THEN
    if as_of is not None:
        values["as_of"] = as_of
    return [_lesson(row) for row in conn.execute(query, values)]


def distinct_lessons(conn: Connection, role_id: str, limit: int, as_of: int | None) -> list[Lesson]:
    """Return the latest lessons of a role for a prompt, each text once."""
    return without_repeats(lessons(conn, [role_id], limit * _REPEATS, as_of))[:limit]


def about(conn: Connection, asset: str, limit: int, as_of: int | None) -> list[Decision]:
    """Return the latest reflected decisions about an asset that a prompt may show."""
    values: dict[str, Any] = {"asset": asset, "limit": limit}
    query = _ABOUT_NOW if as_of is None else _ABOUT_THEN
    if as_of is not None:
        values["as_of"] = as_of
    found = [to_decision(row) for row in conn.execute(query, values)]
    return found if as_of is None else [as_known(one, as_of) for one in found]


def counts(conn: Connection) -> list[tuple[str, str, str, int]]:
    """Return decision counts by role, state, and class, outcome or reason."""
    return [(role, state, word, int(n)) for role, state, word, n in conn.execute(_COUNTS)]


def outcomes(conn: Connection) -> list[tuple[str, str, int]]:
    """Return how many reflected decisions were right, wrong or noise, by role."""
    return [(role, outcome, int(n)) for role, outcome, n in conn.execute(_OUTCOMES)]


def superseded_by(conn: Connection, decision_id: int) -> int | None:
    """Return the id of the decision that this one replaced."""
    found: int | None = conn.execute(_REPLACED_BY, {"id": decision_id}).scalar_one_or_none()
    return found


def as_known(decision: Decision, as_of: int) -> Decision:
    """Return a decision as it was known at a moment (microseconds).

    Until it ended it is `pending`, also if it was parked; `retry_at`, `tries` and `embedding_state`
    are None, because their past is not stored.
    """
    moment = from_micros(as_of)
    decision = replace(decision, retry_at=None, tries=None, embedding_state=None)
    if decision.superseded_at is not None and decision.superseded_at > moment:
        decision = replace(decision, superseded_at=None, superseded_by=None)
    if decision.corrected_at is not None and decision.corrected_at > moment:
        decision = replace(decision, corrected_at=None)
    if decision.marked_at is not None and decision.marked_at > moment:
        decision = replace(decision, mark=None, mark_note=None, marked_at=None)
    if decision.classified_at is not None and decision.classified_at > moment:
        decision = replace(decision, verdict=None, classified_at=None)
    if decision.state in ENDED and decision.state_at <= moment:
        return decision
    return replace(
        decision,
        state="pending",
        reason=None,
        why=None,
        state_at=decision.known_at,
        lesson=None,
        lesson_by=None,
        reflected_at=None,
    )


def to_decision(row: Sequence[Any]) -> Decision:
    """Return a row of `COLUMNS` as a decision."""
    row_id, uid, role_id, skill_id, key, session_id, scenario_id, origin, said, given, *row = row
    asset, asset_key, direction, confidence, context_hash, decided_at, known_at, *row = row
    superseded_by, superseded_at, state, reason, why, state_at, retry_at, tries, *row = row
    mark, mark_note, marked_at, outcome, numbers, classification, narrative, judged_by, *row = row
    classified_at, rule_class, evidence_hash, lesson, lesson_by, reflected_at, embedding, *row = row
    stop_price, target_price, size_usd, leverage, methods, hint_hash, from_trip_uid, *row = row
    recorded_by, corrected_at, lessons_hash = row
    verdict = None
    if outcome is not None:
        measured: Mapping[str, Any] = json.loads(numbers)
        judgement = classification, narrative, judged_by
        verdict = DecisionVerdict(outcome, measured, *judgement, rule_class, evidence_hash)
    inputs: Mapping[str, Any] = json.loads(given)
    written = DecisionPlan(stop_price, target_price, size_usd, leverage)._asdict()
    return Decision(
        *(row_id, uid, role_id, skill_id, key, session_id, scenario_id, origin, said, inputs),
        *(asset, asset_key, direction, confidence, context_hash),
        decided_at=from_micros(decided_at),
        known_at=from_micros(known_at),
        superseded_by=superseded_by,
        superseded_at=_moment(superseded_at),
        state=state,
        reason=reason,
        why=why,
        state_at=from_micros(state_at),
        retry_at=_moment(retry_at),
        tries=tries,
        mark=mark,
        mark_note=mark_note,
        marked_at=_moment(marked_at),
        verdict=verdict,
        classified_at=_moment(classified_at),
        lesson=lesson,
        lesson_by=lesson_by,
        reflected_at=_moment(reflected_at),
        embedding_state=embedding,
        **stored_plan(written, inputs, direction)._asdict(),
        methods=tuple(json.loads(methods)),
        hint_hash=hint_hash,
        from_trip_uid=from_trip_uid,
        recorded_by=recorded_by,
        corrected_at=_moment(corrected_at),
        lessons_hash=lessons_hash,
    )


def _plan(row: Any) -> dict[str, str | None]:
    return {name: getattr(row, name) for name in DecisionPlan._fields}


def _lesson(row: Any) -> Lesson:
    return Lesson(
        id=row.id,
        uid=row.uid,
        role_id=row.role_id,
        asset=row.asset,
        direction=row.direction,
        text=row.lesson,
        classification=row.classification,
        by=row.lesson_by,
        decided_at=from_micros(row.decided_at),
        reflected_at=from_micros(row.reflected_at),
    )


def _moment(micros: int | None) -> Any:
    return None if micros is None else from_micros(micros)
