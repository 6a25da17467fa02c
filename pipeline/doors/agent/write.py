"""The writes of a session: its count, the rows and their jobs in one transaction, or none."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.facts.record import check_facts, insert_facts
from afterword.pipeline.domain.memory.checks import check_memory
from afterword.pipeline.domain.memory.delete import delete_in
from afterword.pipeline.domain.memory.entries import insert_entry, new_entry
from afterword.pipeline.domain.memory.flag_rows import families
from afterword.pipeline.domain.memory.model import BEHAVIORAL, NewMemory, WrittenMemory
from afterword.pipeline.domain.memory.same_words import join_same_words, same_words_hint
from afterword.pipeline.domain.memory.user_profile import check_value, set_value
from afterword.pipeline.domain.memory.write import insert_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile.onboarding import OnboardingResult, keep_answers
from afterword.pipeline.domain.sessions.limits import spend
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.doors.agent.model import StoredMemory, flag_hint
from afterword.pipeline.recall.prompts.provenance import Provenance

_FACT: Final = "fact"
"""The category with a layer of its own, which consolidates facts later (R1)."""


def write(
    by: Writer, limits: Limits, category: str, content: str, metadata: dict[str, Any]
) -> StoredMemory:
    """Write one thing the agent noticed; a fact goes to the fact layer.

    Args:
        by: in a session; likewise below.
        limits: how much may be written in one session.
        metadata: stored as it is; a source or provenance in it is not trusted.

    Raises:
        NotFoundError: the session was erased.
        InvalidInputError: the session has ended, or an argument is wrong.
        BudgetExceededError: the session has no more stores.
    """
    new = NewMemory(category, content, metadata)
    check_memory(new, by.actor, as_fact=category == _FACT)
    if category == _FACT:
        check_facts([new])
    with writing(by.store) as conn:
        spend(conn, by, limits, stores=1)
        now = by.clock()
        if category == _FACT:
            (written,) = insert_facts(conn, by, [new], now)
        else:
            written = insert_memory(conn, by, new, now)
        same = join_same_words(conn, by, [written.id], now).get(written.id)
        flagged = families(conn, "memories", written.id)
    return _stored(by, new, WrittenMemory(written.id, written.uid, same, flagged), now)


def store_entry(
    by: Writer,
    limits: Limits,
    type: str,
    content: str,
    tags: Sequence[str],
    supersedes: str | None,
) -> StoredMemory:
    """Write a typed entry, which may supersede another one.

    Raises:
        NotFoundError: the session was erased, or there is no such entry.
        InvalidInputError: the session has ended, or an argument is wrong.
        ConflictError: the entry to supersede was superseded before.
        BudgetExceededError: the session has no more stores, or supersedes.
    """
    new = new_entry(type, content, tags, actor=by.actor)
    with writing(by.store) as conn:
        spend(conn, by, limits, stores=1, supersedes=int(supersedes is not None))
        now = by.clock()
        written = insert_entry(conn, by, new, now, supersedes=supersedes)
    return _stored(by, new, written, now, supersedes)


def delete_entry(by: Writer, limits: Limits, uid: str) -> None:
    """Delete an entry, softly: its owner can restore it.

    Raises:
        NotFoundError: the session was erased, or there is no such entry.
        InvalidInputError: the session has ended, or an agent may not delete the memory.
        BudgetExceededError: the session has no more deletes.
    """
    with writing(by.store) as conn:
        spend(conn, by, limits, deletes=1)
        delete_in(conn, by, uid, by.clock())


def set_profile(by: Writer, limits: Limits, key: str, value: str) -> str | None:
    """Set a value of the profile; it counts as a store. Return a hint if it was flagged.

    Raises:
        NotFoundError: the session was erased.
        InvalidInputError: the session has ended, or an argument is wrong.
        BudgetExceededError: the session has no more stores.
    """
    check_value(key, value)
    with writing(by.store) as conn:
        spend(conn, by, limits, stores=1)
        flag = set_value(conn, by, key, value, by.clock())
    return None if flag is None else flag_hint(flag.families)


def onboard(by: Writer, limits: Limits, answers: Mapping[str, str]) -> OnboardingResult:
    """Keep checked answers of the user as the user's own; each memory counts as a store.

    Raises:
        NotFoundError: the session was erased.
        InvalidInputError: the session has ended.
        BudgetExceededError: the session has no more stores.
    """
    with writing(by.store) as conn:
        # The program around a model relays what its user chose from lists: no word is an agent's.
        result = keep_answers(conn, replace(by, actor="owner"), answers, by.clock())
        if result.memories_written:
            spend(conn, by, limits, stores=result.memories_written)
    return result


def _stored(
    by: Writer,
    new: NewMemory,
    written: WrittenMemory,
    now: datetime,
    supersedes: str | None = None,
) -> StoredMemory:
    provenance = Provenance(by.session, by.store.name, new.origin, iso(now))
    is_behavioral = new.category in BEHAVIORAL
    hint = "; ".join(_hints(new, written)) or None
    return StoredMemory(written.uid, new.category, is_behavioral, supersedes, provenance, hint)


def _hints(new: NewMemory, written: WrittenMemory) -> list[str]:
    """Return what an agent should know about words that stood before, or are flagged."""
    hints = []
    if written.same_as is not None:
        hints.append(same_words_hint(new.category, written.same_as))
    if written.flagged:
        hints.append(flag_hint(written.flagged))
    return hints
