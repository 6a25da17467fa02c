"""Round trips as decisions of a role, so that a role is judged by what was really traded.

They are made afterwards, and say so: `known_at` is the import, `decided_at` the opening of the
trip. No read as of an earlier moment sees one, no decision before the import is judged by them, and
none cites a method (the schema refuses it), so that none can become a case. All complete trips of
the account with a known moment are taken: a choice by result would make the role's record
worthless.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.decisions import read_rows, settle_rows, write_rows
from afterword.pipeline.domain.decisions.model import Decision, NewDecision, NewDecisionRow
from afterword.pipeline.domain.decisions.plan import LEAST_PLANNED, MOST_PLANNED
from afterword.pipeline.domain.decisions.record import prepare, record_prepared
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.ids import IdSource
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.taxonomy import CURRENCIES, DOLLAR_TOKENS

OnCorrected = Callable[[Connection, str, datetime], object]
"""Called in a write after which decisions of a role count no more."""

_CHUNK: Final = 500
"""Decisions of one transaction, which holds the only writer for some 50 ms."""

_DOLLARS: Final = DOLLAR_TOKENS | {"USD"}
_MICRO: Final = Decimal("0.000001")

WHY_LEFT_OUT: Final[Mapping[str, str]] = {
    "incomplete": "fills are missing, so that the entry is not known",
    "no entry": "no file says when or at which price it opened",
    "no time of day": "its file says the day only, and a decision is judged from its minute",
    "quoted in a coin": "its price is not one of its asset in a currency",
    "still to come": "it opened after now: the zone of its file is wrong, or this clock",
}
"""Why a trip does not become a decision."""


@dataclass(frozen=True, slots=True)
class TripDecisions:
    """What recording trips as decisions did.

    Args:
        recorded: decisions of trips that had none; count.
        known: trips recorded before that still say the same; count.
        changed: uids of decisions whose trip says something else now; they count no more. What it
            says now is another decision, unless it cannot be judged.
        gone: uids of decisions whose trip exists no more, as a late page shows; they count no more.
        left_out: trips by reason; see `WHY_LEFT_OUT`.
    """

    recorded: int
    known: int
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)


class _Comparison(NamedTuple):
    """What trips say now, beside the decisions made from them before.

    Args:
        same: uids of trips that still say what their decision says.
        new: decisions to record: of trips that had none, and what changed trips say now.
        changed: decisions whose trip says something else, or cannot be judged any more.
        gone: decisions whose trip exists no more.
        ended: those of both that no new decision replaces.
    """

    same: Collection[str]
    new: Sequence[NewDecisionRow]
    changed: Sequence[Decision]
    gone: Sequence[Decision]
    ended: Sequence[Decision]


def record_trips(
    store: Store,
    registry: RoleRegistry,
    role_id: str,
    trips: Sequence[Trip],
    clock: Clock,
    ids: IdSource,
    on_corrected: OnCorrected,
    *,
    account: str | None = None,
    since: datetime | None = None,
    actor: Actor = "owner",
    embedding_enabled: bool = False,
    report: Callable[[int, int], None] = lambda _done, _all: None,
) -> TripDecisions:
    """Record the complete trips of a role as decisions; a second run records nothing new.

    A decision never changes: what its trip says later takes its place, and one whose trip is gone
    counts no more. Transactions are short, and what a killed run left undone the next one does.

    Args:
        trips: all current ones of the store.
        on_corrected: called in the write after which decisions count no more.
        account: only trips of this account; `since`: only those that opened from this moment on.
        report: called with the decisions recorded so far, and all to be recorded.

    Raises:
        NotFoundError: no skill declares the role.
        InvalidInputError: trips cannot be judged by the role; nothing was recorded.
    """
    registry.role(role_id)
    wanted = [trip for trip in trips if account in (None, trip.account) and _is_since(trip, since)]
    now = clock()
    reasons = {trip.trip_uid: why_left_out(trip, now) for trip in wanted}
    usable = [trip for trip in wanted if reasons[trip.trip_uid] is None]
    with reading(store) as conn:
        before = read_rows.of_trips(conn, role_id)
    prepared = {trip.trip_uid: trip_decision(registry, role_id, trip) for trip in usable}
    compared = _compared({trip.trip_uid for trip in trips}, reasons, prepared, before)
    recorded = 0
    for start in range(0, len(compared.new), _CHUNK):
        rows = compared.new[start : start + _CHUNK]
        done = record_prepared(
            store, registry, rows, clock, ids, actor=actor, embedding_enabled=embedding_enabled
        )
        recorded += sum(
            row_ids.is_new and row.supersedes is None
            for row, row_ids in zip(rows, done, strict=True)
        )
        report(min(start + _CHUNK, len(compared.new)), len(compared.new))
    if compared.changed or compared.gone:
        _correct(store, role_id, compared.ended, clock, actor, on_corrected)
    return TripDecisions(
        recorded=recorded,
        known=len(compared.same),
        changed=tuple(decision.uid for decision in compared.changed),
        gone=tuple(decision.uid for decision in compared.gone),
        left_out=Counter(reason for reason in reasons.values() if reason is not None),
    )


def why_left_out(trip: Trip, now: datetime) -> str | None:
    """Return why a trip does not become a decision, one of `WHY_LEFT_OUT`; None if it does."""
    if trip.is_incomplete:
        return "incomplete"
    if trip.opened_at is None or trip.entry_px is None:
        return "no entry"
    if trip.is_day:
        return "no time of day"
    if trip.quote.upper() not in _DOLLARS | CURRENCIES:
        return "quoted in a coin"
    return "still to come" if trip.opened_at > now else None


def trip_decision(registry: RoleRegistry, role_id: str, trip: Trip) -> NewDecisionRow:
    """Return a trip as a decision of a role, checked, without its uid.

    Raises:
        InvalidInputError: trips cannot be judged by the role.
    """
    new = NewDecision(
        role_id,
        _text(trip),
        _inputs(trip),
        trip.symbol,
        trip.direction,
        decided_at=trip.opened_at,
        key=f"trip:{trip.trip_uid}",
        origin="import",
        size_usd=_size_usd(trip),
    )
    return replace(prepare(registry, new, "trips."), from_trip_uid=trip.trip_uid)


def _compared(
    there: Collection[str],
    reasons: Mapping[str, str | None],
    prepared: Mapping[str, NewDecisionRow],
    before: Mapping[str, Sequence[Decision]],
) -> _Comparison:
    """Compare what trips say now with the decisions made from them before.

    Args:
        there: uids of all current trips of the store, also of those that are not wanted.
        reasons: why a wanted trip is left out, by uid; None of one that becomes a decision.
        prepared: the wanted trips that become decisions, by uid.
        before: decisions made from each trip, oldest first.
    """
    latest = {uid: decisions[-1] for uid, decisions in before.items()}
    current = {uid: decision for uid, decision in latest.items() if decision.corrected_at is None}
    same = {uid for uid, row in prepared.items() if uid in current and _is_of(current[uid], row)}
    gone = [decision for uid, decision in current.items() if uid not in there]
    unjudged = [
        decision for uid, decision in current.items() if uid in reasons and uid not in prepared
    ]
    return _Comparison(
        same=same,
        new=[_form(row, before.get(uid, ())) for uid, row in prepared.items() if uid not in same],
        changed=[
            decision for uid, decision in current.items() if uid in reasons and uid not in same
        ],
        gone=gone,
        ended=[*unjudged, *gone],
    )


def _is_of(decision: Decision, row: NewDecisionRow) -> bool:
    """Say whether the trip that a decision was made from still says the same."""
    return (
        decision.decision == row.decision
        and decision.asset_key == row.asset_key
        and decision.direction == row.direction
        and to_micros(decision.decided_at) == row.decided_at
        and decision.inputs == json.loads(row.inputs)
    )


def _form(row: NewDecisionRow, earlier: Sequence[Decision]) -> NewDecisionRow:
    """Return what a trip says now as the decision after those that were made from it."""
    if not earlier:
        return row
    key = f"{row.record_key}:{len(earlier) + 1}"
    last = earlier[-1]
    return replace(row, record_key=key, supersedes=None if last.corrected_at else last.uid)


def _correct(
    store: Store,
    role_id: str,
    ended: Sequence[Decision],
    clock: Clock,
    actor: Actor,
    on_corrected: OnCorrected,
) -> None:
    """Let decisions count no more whose trips say nothing that can be judged."""
    for start in range(0, max(len(ended), 1), _CHUNK):
        with writing(store) as conn:
            now = clock()
            at = to_micros(now)
            done = [
                decision
                for decision in ended[start : start + _CHUNK]
                if write_rows.correct(conn, decision.id, None, at)
            ]
            settle_rows.skip(
                conn, dict.fromkeys([decision.id for decision in done], at), "superseded"
            )
            touched = [ChangedRow(decision.id, detail={"uid": decision.uid}) for decision in done]
            audit(conn, now, actor, "role.supersede", "role_memory", touched)
            on_corrected(conn, role_id, now)


def _is_since(trip: Trip, since: datetime | None) -> bool:
    if since is None:
        return True
    return trip.opened_at is not None and trip.opened_at >= since


def _text(trip: Trip) -> str:
    """Return what was done, and nothing of how it ended: a judge reads it."""
    assert trip.entry_px is not None
    size, price = plain(trip.size), plain(trip.entry_px)
    opened = f"Opened a {trip.direction} of {size} {trip.symbol} at {price} {trip.quote}"
    return f"{opened} on {trip.venue}, account {trip.account}."


def _inputs(trip: Trip) -> dict[str, Any]:
    assert trip.entry_px is not None
    return {
        "trip": trip.trip_uid,
        "venue": trip.venue,
        "account": trip.account,
        "entry_price": plain(trip.entry_px),
        "units": plain(trip.size * trip.multiplier),
        "quote": trip.quote,
    }


def _size_usd(trip: Trip) -> Decimal | None:
    """Return the largest position in USD; None where its currency is another one."""
    assert trip.entry_px is not None
    if trip.quote.upper() not in _DOLLARS:
        return None
    size = (trip.size * trip.multiplier * trip.entry_px).quantize(_MICRO)
    return size if LEAST_PLANNED <= size <= MOST_PLANNED["size_usd"] else None
