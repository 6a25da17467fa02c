"""SQL that writes learnings: what they say, and what turns did with them."""

import json
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.learnings.model import (
    CALLS,
    LearningArm,
    LearningResult,
    LearningSource,
    NewLearning,
    ReviewedVerdict,
    ReviewResult,
)
from afterword.pipeline.domain.sessions.model import Outcome

_INSERT = text("""
INSERT INTO learnings (uid, name, trigger, tool_sequence, guidance, source, session_id, turn_id,
  created_at, active_at)
VALUES (:uid, :name, :trigger, :tool_sequence, :guidance, :source, :session_id, :turn_id, :now,
  :active_at)
RETURNING id
""")
_ADD_TURN = text("""
INSERT INTO learning_turns (turn_id, learning_id, arm, place, similarity, share_ppm, known_at,
  result, outcome, settled_at)
VALUES (:turn_id, :learning_id, :arm, :place, :similarity, :share_ppm, :now, :result, :outcome,
  :settled_at)
ON CONFLICT (turn_id, learning_id) DO NOTHING
""")
_SETTLE = text("""
UPDATE learning_turns SET result = :result, outcome = :outcome, settled_at = max(:now, known_at)
WHERE id = :id AND result IS NULL
""")
# A turn that ran the tools makes the weight whole; one that was shown them and did not takes a
# part of it.
_COUNT = text("""
UPDATE learnings SET
  success_count = success_count + (:result = 'succeeded'),
  failure_count = failure_count + (:result = 'failed'),
  shown_count = shown_count + :shown,
  ignored = CASE :result WHEN 'ignored' THEN ignored + 1 WHEN 'succeeded' THEN 0 ELSE ignored END,
  last_used_at = CASE WHEN :result IN ('succeeded', 'failed')
    THEN max(coalesce(last_used_at, 0), :now) ELSE last_used_at END
WHERE id = :id
""")
_OPEN = text("""
SELECT lt.id, lt.learning_id, lt.arm, l.tool_sequence
FROM learning_turns AS lt JOIN learnings AS l ON l.id = lt.learning_id
WHERE lt.turn_id = :turn_id AND lt.result IS NULL ORDER BY lt.id
""")
_WAITING = text("""
SELECT id, uid, tool_sequence FROM learnings
WHERE turn_id = :turn_id AND active_at IS NULL AND deleted_at IS NULL ORDER BY id
""")
_ACTIVATE = text("""
UPDATE learnings SET active_at = max(:now, created_at) WHERE id = :id AND active_at IS NULL
""")
_DROP = text("DELETE FROM learnings WHERE id = :id AND active_at IS NULL")
_DELETE = text("""
UPDATE learnings SET deleted_at = max(:now, created_at) WHERE id = :id AND deleted_at IS NULL
""")
_REVIEW = text("""
INSERT INTO learning_reviews (turn_id, reviewer, score, summary, suggested_trigger,
  suggested_tool_sequence, guidance, verdict, reason, learning_id, shadow, reviewed_at)
VALUES (:turn_id, :reviewer, :score, :summary, :suggested_trigger, :suggested_tool_sequence,
  :guidance, :verdict, :reason, :learning_id, :shadow, :now)
ON CONFLICT (turn_id) DO NOTHING
""")


class OpenShowing(NamedTuple):
    """A learning that a turn was compared with, and that waits for the end of the turn."""

    id: int
    learning_id: int
    arm: LearningArm
    tools: tuple[str, ...]


class WaitingLearning(NamedTuple):
    """A learning that waits for the end of the turn in which the agent said it."""

    id: int
    uid: str
    tools: tuple[str, ...]


def insert(
    conn: Connection,
    uid: str,
    new: NewLearning,
    source: LearningSource,
    session: str | None,
    turn_id: int | None,
    now: int,
    *,
    waits: bool,
) -> int:
    """Store a checked learning; return its id."""
    values = {
        "uid": uid,
        "name": new.name,
        "trigger": new.trigger,
        "tool_sequence": CALLS.write(new.tool_sequence),
        "guidance": new.guidance,
        "source": source,
        "session_id": session,
        "turn_id": turn_id,
        "now": now,
        "active_at": None if waits else now,
    }
    row_id: int = conn.execute(_INSERT, values).scalar_one()
    return row_id


def add_turn(
    conn: Connection,
    turn_id: int,
    learning_id: int,
    arm: LearningArm,
    now: int,
    *,
    place: int | None = None,
    similarity: float | None = None,
    share_ppm: int = 0,
    result: LearningResult | None = None,
    outcome: Outcome | None = None,
) -> bool:
    """Note what a learning has to do with a turn; False if that was noted before."""
    values = {
        "turn_id": turn_id,
        "learning_id": learning_id,
        "arm": arm,
        "place": place,
        "similarity": similarity,
        "share_ppm": share_ppm,
        "now": now,
        "result": result,
        "outcome": outcome,
        "settled_at": None if result is None else now,
    }
    return conn.execute(_ADD_TURN, values).rowcount == 1


def settle(conn: Connection, row_id: int, result: LearningResult, outcome: str, now: int) -> bool:
    """Write what came of a learning in a turn; False if that is written already."""
    values = {"id": row_id, "result": result, "outcome": outcome, "now": now}
    return conn.execute(_SETTLE, values).rowcount == 1


def count(
    conn: Connection, learning_id: int, result: LearningResult, now: int, *, shown: bool
) -> None:
    """Add a result to the counts of a learning."""
    conn.execute(_COUNT, {"id": learning_id, "result": result, "now": now, "shown": shown})


def open_showings(conn: Connection, turn_id: int) -> list[OpenShowing]:
    """Return what waits for the end of a turn."""
    rows = conn.execute(_OPEN, {"turn_id": turn_id})
    return [OpenShowing(row[0], row[1], row[2], _tools(row[3])) for row in rows]


def waiting(conn: Connection, turn_id: int) -> list[WaitingLearning]:
    """Return the learnings that wait for the end of a turn."""
    rows = conn.execute(_WAITING, {"turn_id": turn_id})
    return [WaitingLearning(row[0], row[1], _tools(row[2])) for row in rows]


def activate(conn: Connection, learning_id: int, now: int) -> None:
    """Let a learning that waited be shown from now on."""
    conn.execute(_ACTIVATE, {"id": learning_id, "now": now})


def drop(conn: Connection, learning_id: int) -> None:
    """Remove a learning that waited for a turn which failed: nobody was shown it."""
    conn.execute(_DROP, {"id": learning_id})


def delete(conn: Connection, learning_id: int, now: int) -> bool:
    """Delete a learning softly; False if it was."""
    return conn.execute(_DELETE, {"id": learning_id, "now": now}).rowcount == 1


def insert_review(
    conn: Connection,
    turn_id: int,
    reviewer: str,
    result: ReviewResult,
    verdict: ReviewedVerdict,
    reason: str,
    learning_id: int | None,
    shadow: dict[str, Any] | None,
    now: int,
) -> bool:
    """Write the review of a turn; False if it has one."""
    values = {
        "turn_id": turn_id,
        "reviewer": reviewer,
        "score": result.score,
        "summary": result.summary,
        "suggested_trigger": result.suggested_trigger,
        "suggested_tool_sequence": CALLS.write(result.suggested_tool_sequence),
        "guidance": result.guidance,
        "verdict": verdict,
        "reason": reason,
        "learning_id": learning_id,
        "shadow": None if shadow is None else json.dumps(shadow, ensure_ascii=False),
        "now": now,
    }
    return conn.execute(_REVIEW, values).rowcount == 1


def _tools(sequence: str) -> tuple[str, ...]:
    return tuple(call["tool_name"] for call in json.loads(sequence))
