"""SQL that reads learnings, as they are now and as they were at a moment, and the reviews."""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.learnings.model import (
    CALLS,
    Learning,
    LearningSort,
    LearningState,
    LearningTurn,
    ReviewResult,
    TurnReview,
)

_LEARNING: Final = Codec(
    Learning,
    moments=("created_at", "active_at", "last_used_at", "deleted_at"),
    codings={"tool_sequence": CALLS},
)
_TURN: Final = Codec(LearningTurn, moments=("known_at", "settled_at"))
_REVIEW: Final = Codec(TurnReview, given=("result",), moments=("reviewed_at",), json=("shadow",))
LearningPlace = tuple[int, int, int]
_JOIN: Final = "FROM learnings AS l LEFT JOIN turns ON turns.id = l.turn_id"
_NOW: Final = f"SELECT {_LEARNING.columns_of('l', turn='turns.uid')} {_JOIN}"


def _sum(condition: str, what: str = "count(*)") -> str:
    """Return SQL of what the turns of a learning came to by the moment."""
    return (
        f"(SELECT {what} FROM learning_turns AS lt WHERE lt.learning_id = l.id"
        f" AND lt.settled_at <= :as_of AND {condition})"
    )


_LAST_SUCCESS: Final = _sum("lt.result = 'succeeded'", "coalesce(max(lt.settled_at), 0)")
_THEN: Final = f"""SELECT {
    _LEARNING.columns_of(
        "l",
        turn="turns.uid",
        active_at="iif(l.active_at <= :as_of, l.active_at, NULL)",
        success_count=_sum("lt.result = 'succeeded'"),
        failure_count=_sum("lt.result = 'failed'"),
        shown_count=_sum("lt.arm = 'shown'"),
        ignored=_sum(f"lt.result = 'ignored' AND lt.settled_at > {_LAST_SUCCESS}"),
        last_used_at=_sum("lt.result IN ('succeeded', 'failed')", "max(lt.settled_at)"),
        deleted_at="iif(l.deleted_at <= :as_of, l.deleted_at, NULL)",
    )
} {_JOIN}"""
_KNOWN: Final = "l.created_at <= :as_of"
_FIND = {
    False: text(f"{_NOW} WHERE l.uid = :name OR l.id = :id"),
    True: text(f"{_THEN} WHERE (l.uid = :name OR l.id = :id) AND {_KNOWN}"),
}
_OF_IDS = {
    False: text(
        f"{_NOW} WHERE l.id IN (SELECT value FROM json_each(:ids))"
        " AND l.active_at IS NOT NULL AND l.deleted_at IS NULL"
    ),
    True: text(
        f"{_THEN} WHERE l.id IN (SELECT value FROM json_each(:ids)) AND l.active_at <= :as_of"
        " AND coalesce(l.deleted_at > :as_of, 1)"
    ),
}
_IGNORED = {
    False: text(
        "SELECT id, ignored FROM learnings WHERE id IN (SELECT value FROM json_each(:ids))"
        " AND active_at IS NOT NULL AND deleted_at IS NULL"
    ),
    True: text(f"SELECT id, ignored FROM ({_OF_IDS[True].text})"),
}
_ORDER: Final[dict[LearningSort, str]] = {
    "rate": "failure_count - success_count, -success_count, id",
    "used": "-coalesce(last_used_at, 0), 0.0, id",
    "new": "-created_at, 0.0, -id",
    "shown": "-shown_count, 0.0, id",
}
"""What learnings are ordered by: three numbers, the smallest first; as `place_of` returns them.

0.0 fills the place of a missing one: SQL reads a whole number as that of a column.
"""
_STATE: Final = (
    "CASE WHEN deleted_at IS NOT NULL THEN 'deleted'"
    " WHEN active_at IS NULL THEN 'waiting' ELSE 'active' END"
)
_COUNTS = {
    False: text(f"SELECT {_STATE} AS state, count(*) FROM learnings GROUP BY 1"),
    True: text(f"SELECT {_STATE} AS state, count(*) FROM ({_THEN} WHERE {_KNOWN}) GROUP BY 1"),
}
_TURNS = text("""
SELECT coalesce(turns.uid, ''), lt.arm, lt.place, lt.similarity, lt.known_at,
  iif(lt.settled_at <= :as_of, lt.result, NULL), iif(lt.settled_at <= :as_of, lt.outcome, NULL),
  iif(lt.settled_at <= :as_of, lt.settled_at, NULL)
FROM learning_turns AS lt LEFT JOIN turns ON turns.id = lt.turn_id
WHERE lt.learning_id = :id AND lt.known_at <= :as_of ORDER BY lt.known_at DESC, lt.id DESC
LIMIT :limit
""")
_SHOWN = text("""
SELECT learning_id FROM learning_turns WHERE turn_id = :turn_id AND arm = 'shown'
ORDER BY place, id
""")
_TRIALS = text("""
SELECT arm, outcome, settled_at, share_ppm, result FROM learning_turns
WHERE learning_id = :id AND arm <> 'taught' AND outcome IS NOT NULL AND settled_at <= :as_of
ORDER BY settled_at, id
""")
_REVIEWED = text("SELECT 1 FROM learning_reviews WHERE turn_id = :turn_id")
_REVIEWS = text("""
SELECT coalesce(turns.uid, '') AS turn, r.reviewer, r.verdict, r.reason, l.uid AS learning,
  r.reviewed_at, r.shadow, r.score, r.summary, r.suggested_trigger, r.suggested_tool_sequence,
  r.guidance
FROM learning_reviews AS r JOIN turns ON turns.id = r.turn_id
  LEFT JOIN learnings AS l ON l.id = r.learning_id
WHERE r.reviewed_at <= :as_of ORDER BY r.reviewed_at DESC, r.turn_id DESC LIMIT :limit
""")
_WRONG_COUNTS = text("""
SELECT count(*) FROM learnings AS l WHERE
  (success_count, failure_count, shown_count) <> (SELECT
    coalesce(sum(lt.result = 'succeeded'), 0), coalesce(sum(lt.result = 'failed'), 0),
    coalesce(sum(lt.arm = 'shown' AND lt.result IS NOT NULL), 0)
    FROM learning_turns AS lt WHERE lt.learning_id = l.id)
  OR NOT EXISTS (SELECT 1 FROM learning_terms AS t WHERE t.learning_id = l.id)
""")
_REVIEW_COUNTS = text("SELECT verdict, count(*) FROM learning_reviews GROUP BY verdict")
_ALWAYS: Final = (1 << 63) - 1


class ComparedTurn(NamedTuple):
    """A turn in which a learning fitted the message, with or without it.

    Args:
        arm: `shown`, `left_out` or `before`.
        at: when it was finished; microseconds.
    """

    arm: str
    has_succeeded: bool
    at: int
    share_ppm: int
    ran_it: bool


def find(conn: Connection, name: str | int, as_of: int | None) -> Learning | None:
    """Return a learning by its uid or its id, now or as of a moment (microseconds)."""
    is_id = isinstance(name, int) or (name.isascii() and name.isdecimal() and len(name) < 18)
    values = _at(as_of) | {"name": str(name), "id": int(name) if is_id else None}
    row = conn.execute(_FIND[as_of is not None], values).first()
    return None if row is None else _LEARNING.read(row)


def active(conn: Connection, ids: Sequence[int], as_of: int | None = None) -> dict[int, Learning]:
    """Return the learnings of these ids that may be shown, now or as of a moment."""
    values = _at(as_of) | {"ids": json.dumps(list(ids))}
    learnings = map(_LEARNING.read, conn.execute(_OF_IDS[as_of is not None], values))
    return {learning.id: learning for learning in learnings}


def ignored(conn: Connection, ids: Sequence[int], as_of: int | None = None) -> dict[int, int]:
    """Return how often those of these learnings that may be shown were ignored in a row."""
    values = _at(as_of) | {"ids": json.dumps(list(ids))}
    return dict(map(tuple, conn.execute(_IGNORED[as_of is not None], values)))


def listing(
    conn: Connection,
    sort: LearningSort,
    state: LearningState | None,
    limit: int,
    as_of: int | None,
    after: LearningPlace | None = None,
) -> list[Learning]:
    """Return learnings in an order; without a state those that are not deleted.

    Args:
        after: the place of the last learning of the page before, from `place_of`.
    """
    inner = _NOW if as_of is None else f"{_THEN} WHERE {_KNOWN}"
    where = f"{_STATE} <> 'deleted'" if state is None else f"{_STATE} = :state"
    order = _ORDER[sort]
    values = _at(as_of) | {"limit": limit}
    values |= {} if state is None else {"state": state}
    if after is not None:
        where += f" AND ({order}) > (:first, :second, :third)"
        values |= zip(("first", "second", "third"), after, strict=True)
    sql = f"SELECT * FROM ({inner}) WHERE {where} ORDER BY {order} LIMIT :limit"
    return [_LEARNING.read(row) for row in conn.execute(text(sql), values)]


def place_of(learning: Learning, sort: LearningSort) -> LearningPlace:
    """Return where a learning stands in an order; see `_ORDER`."""
    match sort:
        case "rate":
            lead = learning.failure_count - learning.success_count
            return lead, -learning.success_count, learning.id
        case "used":
            used_at = learning.last_used_at
            return -(0 if used_at is None else to_micros(used_at)), 0, learning.id
        case "new":
            return -to_micros(learning.created_at), 0, -learning.id
        case "shown":
            return -learning.shown_count, 0, learning.id


def counts(conn: Connection, as_of: int | None) -> dict[str, int]:
    """Return how many learnings are in each state that has any."""
    return dict(map(tuple, conn.execute(_COUNTS[as_of is not None], _at(as_of))))


def turns_of(
    conn: Connection, learning_id: int, as_of: int | None, limit: int
) -> list[LearningTurn]:
    """Return what a learning had to do with turns, the newest first."""
    values = {"id": learning_id, "as_of": _ALWAYS if as_of is None else as_of, "limit": limit}
    return [_TURN.read(row) for row in conn.execute(_TURNS, values)]


def shown_in(conn: Connection, turn_id: int) -> list[int]:
    """Return the ids of the learnings that a turn was shown, in their order."""
    return list(conn.execute(_SHOWN, {"turn_id": turn_id}).scalars())


def compared_turns(conn: Connection, learning_id: int, as_of: int | None) -> list[ComparedTurn]:
    """Return the finished turns that a learning fitted, in order of their end."""
    values = {"id": learning_id, "as_of": _ALWAYS if as_of is None else as_of}
    return [
        ComparedTurn(
            row.arm,
            row.outcome == "succeeded",
            row.settled_at,
            row.share_ppm,
            row.result in ("succeeded", "failed"),
        )
        for row in conn.execute(_TRIALS, values)
    ]


def is_reviewed(conn: Connection, turn_id: int) -> bool:
    """Say whether a turn has its review."""
    return conn.execute(_REVIEWED, {"turn_id": turn_id}).first() is not None


def reviews(conn: Connection, as_of: int | None, limit: int) -> list[TurnReview]:
    """Return reviews, the newest first."""
    at = _ALWAYS if as_of is None else as_of
    rows = conn.execute(_REVIEWS, {"as_of": at, "limit": limit})
    return [_review(row) for row in rows]


def review_counts(conn: Connection) -> dict[str, int]:
    """Return how many reviews have each verdict."""
    return dict(map(tuple, conn.execute(_REVIEW_COUNTS)))


def wrong_counts(conn: Connection) -> int:
    """Return how many learnings have other counts than their turns, or no words to be found by."""
    number: int = conn.execute(_WRONG_COUNTS).scalar_one()
    return number


def _review(row: Row[Any]) -> TurnReview:
    result = ReviewResult(
        row.score,
        row.summary,
        row.suggested_trigger,
        CALLS.read(row.suggested_tool_sequence),
        row.guidance,
    )
    return _REVIEW.read(row, result=result)


def _at(as_of: int | None) -> dict[str, Any]:
    return {} if as_of is None else {"as_of": as_of}
