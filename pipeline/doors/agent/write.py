"""The writes of a session: its count, the rows and their jobs in one transaction, or none."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import find_decision
from afterword.pipeline.domain.decisions.record import insert, prepare
from afterword.pipeline.domain.facts.record import check_facts, insert_facts
from afterword.pipeline.domain.history.record_trade import insert_trade, renew_outcome
from afterword.pipeline.domain.history.trade import GivenNumber, NewTrade, TradeIds, TradeRecord
from afterword.pipeline.domain.history.trade_checks import check_trade, realised_micro_usd
from afterword.pipeline.domain.history.trade_history_rows import find_trade
from afterword.pipeline.domain.memory.checks import check_memory, is_name
from afterword.pipeline.domain.memory.delete import delete_in
from afterword.pipeline.domain.memory.entries import insert_entry, new_entry
from afterword.pipeline.domain.memory.flag_rows import families
from afterword.pipeline.domain.memory.model import BEHAVIORAL, NewMemory, WrittenMemory
from afterword.pipeline.domain.memory.same_words import join_same_words, same_words_hint
from afterword.pipeline.domain.memory.user_profile import check_value, set_value
from afterword.pipeline.domain.memory.write import insert_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.checks import check_methodology
from afterword.pipeline.domain.methodologies.model import AddedMethodology, NewMethodology
from afterword.pipeline.domain.methodologies.read import unknown_methods
from afterword.pipeline.domain.sessions.limits import spend
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import open_session
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.doors.agent.model import RoleDecision, StoredMemory, decided, flag_hint
from afterword.pipeline.recall.prompts.brief_block import Provenance

FACT: Final = "fact"
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
    check_memory(new, by.actor, as_fact=category == FACT)
    if category == FACT:
        check_facts([new])
    with writing(by.store) as conn:
        spend(conn, by, limits, stores=1)
        now = by.clock()
        if category == FACT:
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


def record_decision(
    by: Writer, limits: Limits, registry: RoleRegistry, new: NewDecision
) -> RoleDecision:
    """Record a decision of a role; it is counted, unless its key recorded it before.

    Raises:
        NotFoundError: the session was erased, or no skill declares the role.
        InvalidInputError: the session has ended, an argument is wrong, or the key names another
            decision.
        BudgetExceededError: the session has no more decisions.
    """
    row = replace(prepare(registry, new), uid=by.ids(), session_id=by.session)
    with writing(by.store) as conn:
        open_session(conn, by)
        (done,) = insert(
            conn, registry, [row], by.clock(), actor=by.actor, embedding_enabled=by.embeds
        )
        if done.is_new:
            spend(conn, by, limits, decisions=1)
        unknown = unknown_methods(conn, json.loads(row.methods))
        found = find_decision(conn, done.id)
        group = by.store.name
        return decided(found, group, is_new=done.is_new, unknown=unknown, flagged=done.flagged)


def add_methodology(by: Writer, limits: Limits, new: NewMethodology) -> AddedMethodology:
    """Add a methodology; it is counted, unless its key added it before.

    Raises:
        NotFoundError: the session was erased.
        InvalidInputError: the session has ended, an argument is wrong, or the key names another
            methodology.
        BudgetExceededError: the session has no more methodologies.
    """
    # Imported here: it compiles the patterns that compare texts, for which no start waits.
    from afterword.pipeline.domain.methodologies.add import insert_methodology

    checked = check_methodology(new, by.actor)
    with writing(by.store) as conn:
        open_session(conn, by)
        done = insert_methodology(conn, by, checked, by.clock())
        if not done.is_repeat:
            spend(conn, by, limits, methodologies=1)
        return done


def record_trade(by: Writer, limits: Limits, new: NewTrade) -> TradeIds:
    """Record a trade; it is counted, unless it was recorded before.

    Raises:
        NotFoundError: the session was erased, there is no such decision, or no such trade to close.
        InvalidInputError: the session has ended, or an argument is wrong.
        BudgetExceededError: the session has no more trades.
    """
    checked = check_trade(new)
    with writing(by.store) as conn:
        open_session(conn, by)
        done = insert_trade(conn, by, checked, by.clock())
        if done.is_new:
            spend(conn, by, limits, trades=1)
        return done


def renew_trade(by: Writer, limits: Limits, uid: str, realised_usd: GivenNumber) -> TradeRecord:
    """Keep what a trade brought; it counts as a trade, unless the trade says so already.

    Raises:
        NotFoundError: the session was erased, or there is no such trade.
        InvalidInputError: the session has ended, or an argument is wrong.
        BudgetExceededError: the session has no more trades.
    """
    amount = realised_micro_usd(realised_usd)
    with writing(by.store) as conn:
        open_session(conn, by)
        before = find_trade(conn, uid) if is_name(uid) else None
        after = renew_outcome(conn, by, uid, amount, by.clock())
        if before is None or before.id != after.id:
            spend(conn, by, limits, trades=1)
        return after


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
