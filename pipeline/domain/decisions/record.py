"""Record decisions with the context they were made on; each then waits for its outcome.

prepare (checked, secrets masked: no store is needed) → insert (one transaction)
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, from_micros, iso, to_micros
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.decisions import read_rows, settle_rows, write_rows
from afterword.pipeline.domain.decisions.area import EMBED_ROLE_ENTRIES, EXTRACT_ROLE_EDGES
from afterword.pipeline.domain.decisions.checks import check_decision
from afterword.pipeline.domain.decisions.frozen_context import freeze
from afterword.pipeline.domain.decisions.ladder import windows_beside_reflection
from afterword.pipeline.domain.decisions.lesson_sets import with_lessons
from afterword.pipeline.domain.decisions.model import (
    Decision,
    DecisionIds,
    NewDecision,
    NewDecisionRow,
)
from afterword.pipeline.domain.decisions.plan import DecisionPlan
from afterword.pipeline.domain.decisions.triggers import on_new_write
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.domain.memory.flags import flag_texts, scan_ahead
from afterword.pipeline.domain.memory.json_object import masked_text
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.skills import Role, RoleRegistry
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.masking import mask

MAX_DECISIONS: Final = 10_000
"""Decisions of one call."""


def record_decision(
    store: Store,
    registry: RoleRegistry,
    new: NewDecision,
    clock: Clock,
    ids: IdSource,
    *,
    actor: Actor = "owner",
    embedding_enabled: bool = False,
) -> DecisionIds:
    """Record a decision of a role; recorded again under the same key, it is the first one.

    Args:
        clock: read once the write has its turn.
        actor: what an agent records long after it was made counts nowhere; see `lateness`.

    Raises:
        NotFoundError: no skill declares its role, or what it supersedes does not exist.
        InvalidInputError: it may not be recorded, or its key names another decision.
        ConflictError: what it supersedes was superseded before.
        UnavailableError: the store cannot be written now.
    """
    checked = [prepare(registry, new)]
    return record_prepared(
        store, registry, checked, clock, ids, actor=actor, embedding_enabled=embedding_enabled
    )[0]


def record_decisions(
    store: Store,
    registry: RoleRegistry,
    news: Sequence[NewDecision],
    clock: Clock,
    ids: IdSource,
    *,
    actor: Actor = "owner",
    embedding_enabled: bool = False,
) -> list[DecisionIds]:
    """Record many decisions in one transaction: all of them, or none; see `record_decision`.

    Args:
        news: up to `MAX_DECISIONS`.

    Raises:
        NotFoundError: what one supersedes does not exist.
        InvalidInputError: one may not be recorded, or no skill declares its role (its index is
            named); nothing was.
    """
    if len(news) > MAX_DECISIONS:
        problem = f"{len(news)} at once"
        raise InvalidInputError("decisions", problem, f"{MAX_DECISIONS} in one call")
    checked = [prepare(registry, new, f"decisions[{index}].") for index, new in enumerate(news)]
    return record_prepared(
        store, registry, checked, clock, ids, actor=actor, embedding_enabled=embedding_enabled
    )


def record_prepared(
    store: Store,
    registry: RoleRegistry,
    prepared: Sequence[NewDecisionRow],
    clock: Clock,
    ids: IdSource,
    *,
    actor: Actor = "owner",
    embedding_enabled: bool = False,
) -> list[DecisionIds]:
    """Record checked decisions in one transaction: all of them, or none; see `record_decision`.

    Args:
        prepared: as `prepare` returns them; a row may have its own uid and its own `known_at`.
        clock: read once the write has its turn.
    """
    named = [row if row.uid else replace(row, uid=ids()) for row in prepared]
    for row in named:
        scan_ahead(row.decision, row.asset or "")
    with writing(store) as conn:
        return insert(
            conn, registry, named, clock(), actor=actor, embedding_enabled=embedding_enabled
        )


def prepare(registry: RoleRegistry, new: NewDecision, at: str = "") -> NewDecisionRow:
    """Return a decision as it is written, checked and its secrets masked, without its uid.

    Args:
        at: its place in a list, such as `decisions[3].`; prefix of field names.

    Raises:
        NotFoundError: no skill declares its role.
        InvalidInputError: it may not be recorded.
    """
    role = _role(registry, new.role_id, at)
    inputs = masked_text(new.inputs, f"{at}inputs")
    subject = check_decision(new, role, at)
    asset, asset_key = _masked_asset(subject.asset)
    return NewDecisionRow(
        role_id=role.id,
        skill_id=registry.owner(role).id,
        record_key=_masked(new.key),
        session_id=_masked(new.session_id),
        scenario_id=_masked(new.scenario_id),
        origin=new.origin,
        decision=mask(new.decision),
        inputs=inputs,
        asset=asset,
        asset_key=asset_key,
        direction=subject.direction,
        confidence=new.confidence,
        context=freeze(new.context, f"{at}context"),
        decided_at=None if new.decided_at is None else to_micros(new.decided_at),
        supersedes=new.supersedes,
        stop_price=_text(subject.plan.stop_price),
        target_price=_text(subject.plan.target_price),
        size_usd=_text(subject.plan.size_usd),
        leverage=_text(subject.plan.leverage),
        methods=json.dumps(
            [mask(method) for method in dict.fromkeys(new.methods)], ensure_ascii=False
        ),
        hint_hash=new.hint_hash,
        at=at,
        first_look_hours=min(windows_beside_reflection(role)),
    )


def insert(
    conn: Connection,
    registry: RoleRegistry,
    prepared: Sequence[NewDecisionRow],
    now: datetime,
    *,
    actor: Actor,
    embedding_enabled: bool = False,
    begins_jobs: bool = True,
) -> list[DecisionIds]:
    """Record decisions in a transaction the caller has open, with their audit lines and jobs.

    Args:
        prepared: as `prepare` returns them, each with its uid; a row with a `known_at` of its own
            is recorded as of then.
        begins_jobs: whether jobs follow; a replay does their work itself, and needs no edges.

    Raises:
        InvalidInputError: one is of the future, or its key names another decision; let it roll
            back, as after any other error.
    """
    moment = to_micros(now)
    written = with_lessons(conn, [_dated(row, moment, actor) for row in prepared], moment)
    new_ids = write_rows.insert(conn, written)
    keys = [
        (row.role_id, row.record_key)
        for row in written
        if row.record_key is not None and row.uid not in new_ids
    ]
    before = read_rows.recorded(conn, keys) if keys else {}
    recorded = [_recorded(row, new_ids, before) for row in prepared]
    fresh = [row for row in written if row.uid in new_ids]
    _supersede(conn, fresh, new_ids, now, actor)
    touched = [
        ChangedRow(
            new_ids[row.uid], row.session_id, {"uid": row.uid, "role": row.role_id}, _own(row, now)
        )
        for row in fresh
    ]
    audit(conn, now, actor, "role.record", "role_memory", touched)
    texts = [(new_ids[row.uid], row.decision, row.asset or "") for row in fresh]
    flagged = flag_texts(conn, "role_memory", texts, now)
    if begins_jobs:
        payloads = [{"role_memory_id": row.id} for row in touched]
        add_many(conn, EXTRACT_ROLE_EDGES, payloads, now)
        if embedding_enabled:
            wanted = [payload for payload in payloads if payload["role_memory_id"] not in flagged]
            add_many(conn, EMBED_ROLE_ENTRIES, wanted, now)
        for role_id in sorted({row.role_id for row in fresh}):
            on_new_write(conn, registry.role(role_id), now)
    if fresh:
        emit("role.recorded", decisions=len(fresh), first=touched[0].id)
    return [
        replace(done, flagged=flagged[done.id].families)
        if done.is_new and done.id in flagged
        else done
        for done in recorded
    ]


def _role(registry: RoleRegistry, role_id: object, at: str) -> Role:
    known = ", ".join(role.id for role in registry) or "none: no skill declares a role"
    if not isinstance(role_id, str) or not role_id:
        problem = "is missing" if role_id in ("", None) else f"{short_repr(role_id)} is not a role"
        raise InvalidInputError(f"{at}role", problem, known)
    if at and registry.find(role_id) is None:
        raise InvalidInputError(
            f"{at}role", f"{short_repr(role_id)} is declared by no skill", known
        )
    return registry.role(role_id)


def _masked(name: str | None) -> str | None:
    return name and mask(name)


def _masked_asset(asset: str | None) -> tuple[str | None, str | None]:
    """Return an asset as it is written, and the key it is filed under; secrets masked."""
    if asset is None:
        return None, None
    key = normalise_symbol(asset)
    masked = mask(asset)
    return masked, masked if key == asset else mask(key)


def _text(number: Decimal | None) -> str | None:
    return None if number is None else plain(number)


def _dated(row: NewDecisionRow, now: int, actor: Actor) -> NewDecisionRow:
    known_at = now if row.known_at is None else row.known_at
    _refuse_future(known_at, now, f"{row.at}known_at")
    decided_at = known_at if row.decided_at is None else row.decided_at
    _refuse_future(decided_at, known_at, f"{row.at}decided_at")
    if (decided_at, known_at, actor) == (row.decided_at, row.known_at, row.recorded_by):
        return row
    return replace(row, decided_at=decided_at, known_at=known_at, recorded_by=actor)


def _refuse_future(moment: int, now: int, field: str) -> None:
    if moment > now:
        problem = f"{iso(from_micros(moment))} is still to come"
        raise InvalidInputError(field, problem, f"up to now, {iso(from_micros(now))}")


def _own(row: NewDecisionRow, now: datetime) -> datetime:
    return now if row.known_at is None else from_micros(row.known_at)


def _recorded(
    row: NewDecisionRow, new_ids: dict[str, int], before: dict[tuple[str, str], Decision]
) -> DecisionIds:
    if row.uid in new_ids:
        return DecisionIds(new_ids[row.uid], row.uid, is_new=True)
    assert row.record_key is not None
    first = before[(row.role_id, row.record_key)]
    differs = _differs(row, first)
    if differs:
        named = f"{row.record_key!a:.60} names another decision of {row.role_id}: {first.uid}"
        problem = f"{named}, of another {', '.join(differs)}"
        raise InvalidInputError(f"{row.at}key", problem, "a key of its own for each decision")
    return DecisionIds(first.id, first.uid, is_new=False)


def _differs(row: NewDecisionRow, first: Decision) -> list[str]:
    """Return the fields that differ from the decision first recorded under this key.

    A context may differ: it may have been collected again.
    """
    plan = {name: _text(getattr(first, name)) for name in DecisionPlan._fields}
    same = {
        "decision": row.decision == first.decision,
        "asset": row.asset_key == first.asset_key,
        "direction": row.direction == first.direction,
        "confidence": row.confidence == first.confidence,
        "inputs": json.loads(row.inputs) == first.inputs,
        "decided_at": row.decided_at in (None, to_micros(first.decided_at)),
        **{name: getattr(row, name) == text for name, text in plan.items()},
        "methods": json.loads(row.methods) == list(first.methods),
        "hint_hash": row.hint_hash == first.hint_hash,
    }
    return [name for name, is_same in same.items() if not is_same]


def _supersede(
    conn: Connection,
    fresh: Sequence[NewDecisionRow],
    new_ids: dict[str, int],
    now: datetime,
    actor: Actor,
) -> None:
    moment, superseded = to_micros(now), []
    own: dict[int, int] = {}
    for row in fresh:
        if row.supersedes is None:
            continue
        old = read_rows.find(conn, row.supersedes)
        if old is None or old.role_id != row.role_id:
            problem = f"{row.role_id} has no decision {row.supersedes!a:.60} to supersede"
            raise NotFoundError(f"{row.at}supersedes: {problem}" if row.at else problem)
        if old.from_trip_uid is not None and json.loads(row.methods):
            problem = f"{old.uid} was made from a trip, which followed no method"
            raise InvalidInputError(f"{row.at}methods", problem, "none here")
        own[old.id] = moment if row.known_at is None else row.known_at
        is_source = row.from_trip_uid is not None and row.from_trip_uid == old.from_trip_uid
        replace_old = write_rows.correct if is_source else write_rows.supersede
        if not replace_old(conn, old.id, new_ids[row.uid], own[old.id]):
            problem = f"decision {old.uid} was superseded by {old.superseded_by} before"
            raise ConflictError(f"{row.at}supersedes: {problem}" if row.at else problem)
        detail = {"uid": old.uid, "by": row.uid}
        superseded.append(ChangedRow(old.id, row.session_id, detail, _own(row, now)))
    if superseded:
        settle_rows.skip(conn, own, "superseded")
        audit(conn, now, actor, "role.supersede", "role_memory", superseded)
