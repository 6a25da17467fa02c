"""Onboarding: what the owner says of the self becomes tags, and one memory for each answer (R3)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.delete import retire
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.rows import find
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.memory.write import insert_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile import onboarding_rows
from afterword.pipeline.domain.profile.answers import (
    CAPITAL,
    answer_sentence,
    answer_value,
    checked_answers,
)
from afterword.pipeline.domain.profile.financial_profile import (
    change_profile,
    check_owner,
    profile_at,
)
from afterword.pipeline.domain.profile.onboarding_rows import OnboardingAnswer
from afterword.pipeline.domain.profile.tags import set_tag


@dataclass(frozen=True, slots=True)
class OnboardingStatus:
    """Whether the owner was asked, and what was answered.

    Args:
        answers: by question; those of `markets` are several.
    """

    has_completed: bool
    completed_at: datetime | None
    answers: Mapping[str, str | tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class OnboardingResult:
    """What an onboarding did.

    Args:
        has_completed: always true.
        tags_set: dimensions whose declared value is another one now.
        memories_written: memories that were written; count.
    """

    has_completed: bool
    tags_set: tuple[str, ...]
    memories_written: int


def complete_onboarding(
    by: Writer, answers: Mapping[str, str | Iterable[str] | None]
) -> OnboardingResult:
    """Keep the owner's answers; the same answers again change nothing.

    Args:
        by: the owner.
        answers: by question: a value of its dimension, of `markets` some, of `capital` an amount.

    Raises:
        InvalidInputError: the writer is not the owner, or an answer is wrong; nothing was written.
    """
    checked = checked_answers(answers)
    with writing(by.store) as conn:
        return keep_answers(conn, by, checked, by.clock())


def keep_answers(
    conn: Connection, by: Writer, answers: Mapping[str, str], now: datetime
) -> OnboardingResult:
    """Keep checked answers in a transaction the caller has open; see `complete_onboarding`.

    What was answered before is read inside it: of two processes at once one writes.

    Raises:
        InvalidInputError: the writer is not the owner.
    """
    check_owner(by, "answers")
    before = onboarding_rows.current(conn)
    tags = tuple(
        question
        for question, answer in answers.items()
        if question != CAPITAL and set_tag(conn, by, question, answer, "user", now)
    )
    new = {
        question: answer
        for question, answer in answers.items()
        if question not in before or before[question].answer != answer
    }
    for question, answer in new.items():
        _keep(conn, by, question, answer, before.get(question), now)
    if profile_at(conn, None).onboarding_completed_at is None:
        row_id = change_profile(conn, now, onboarding_completed_at=now)
        assert row_id is not None  # it had no such moment
        touched = ChangedRow(row_id, by.session, {"answers": sorted(answers)})
        record(conn, now, by.actor, "profile.onboard", "financial_profile", [touched])
    return OnboardingResult(True, tags, len(new))


def change_answer(conn: Connection, by: Writer, question: str, answer: str, now: datetime) -> None:
    """Change an answer that was given before to what the owner declares now; see `keep_answers`."""
    before = onboarding_rows.current(conn).get(question)
    if before is not None and before.answer != answer:
        _keep(conn, by, question, answer, before, now)


def withdraw_answer(conn: Connection, by: Writer, question: str, now: datetime) -> None:
    """End an answer that the owner takes back, and delete its memory, softly."""
    before = onboarding_rows.end(conn, question, to_micros(now))
    memory = None if before is None else _standing(conn, before)
    if memory is not None:
        retire(conn, by, memory, now, {})


def onboarding_status(store: Store, as_of: datetime | None = None) -> OnboardingStatus:
    """Return whether the owner was asked, and the answers, as they are or were at a moment.

    Raises:
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        at = read_moment(conn, as_of)
        completed_at = profile_at(conn, at).onboarding_completed_at
        answers = {
            question: answer_value(question, row.answer)
            for question, row in onboarding_rows.current(conn, at).items()
        }
    return OnboardingStatus(completed_at is not None, completed_at, answers)


def _keep(
    conn: Connection,
    by: Writer,
    question: str,
    answer: str,
    before: OnboardingAnswer | None,
    now: datetime,
) -> None:
    """Keep an answer with its memory, which supersedes that of the answer before."""
    sentence = answer_sentence(question, answer)
    new = NewMemory("personalization", sentence, source="user_manual", origin="owner")
    memory = insert_memory(conn, by, new, now)
    old = None if before is None else _standing(conn, before.memory_id)
    if old is not None:
        supersede(conn, by, old, memory.id, now)
    onboarding_rows.end(conn, question, to_micros(now))
    onboarding_rows.add(conn, question, answer, memory.id, to_micros(now))


def _standing(conn: Connection, memory_id: int | None) -> int | None:
    """Return the id of a memory, unless its owner deleted, replaced or forgot it."""
    memory = None if memory_id is None else find(conn, memory_id)
    is_gone = memory is None or memory.deleted_at or memory.superseded_at
    return None if is_gone else memory_id
