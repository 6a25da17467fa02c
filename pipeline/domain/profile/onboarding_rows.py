"""SQL over the answers of the onboarding."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection, text

_CURRENT = text("""
SELECT question, answer, memory_id FROM onboarding_answers
WHERE superseded_at IS NULL ORDER BY id
""")
_CURRENT_AT = text("""
SELECT question, answer, memory_id FROM onboarding_answers
WHERE answered_at <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of) ORDER BY id
""")
_END = text("""
UPDATE onboarding_answers SET superseded_at = max(:now, answered_at)
WHERE question = :question AND superseded_at IS NULL RETURNING memory_id
""")
_ADD = text("""
INSERT INTO onboarding_answers (question, answer, memory_id, answered_at)
VALUES (:question, :answer, :memory_id, :now)
""")


class OnboardingAnswer(NamedTuple):
    """An answer as it is stored, and the id of the memory that tells it."""

    answer: str
    memory_id: int | None


def current(conn: Connection, as_of: int | None = None) -> Mapping[str, OnboardingAnswer]:
    """Return the answers that are current, or were at a moment (microseconds), by question."""
    statement = _CURRENT if as_of is None else _CURRENT_AT
    rows = conn.execute(statement, {"as_of": as_of})
    return {str(question): OnboardingAnswer(answer, memory) for question, answer, memory in rows}


def end(conn: Connection, question: str, now: int) -> int | None:
    """End the current answer to a question (microseconds); return the id of its memory."""
    values = {"question": question, "now": now}
    memory_id: int | None = conn.execute(_END, values).scalar_one_or_none()
    return memory_id


def add(conn: Connection, question: str, answer: str, memory_id: int, now: int) -> None:
    """Add the answer that is current from now on (microseconds), told by a memory."""
    values = {"question": question, "answer": answer, "memory_id": memory_id, "now": now}
    conn.execute(_ADD, values)
