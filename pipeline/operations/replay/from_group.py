"""Take prices, methodologies and decisions of a live group as the inputs of a replay.

All of it is read as of one moment, and the group is only read. What the group derived (outcomes,
lessons, patterns, figures) is left behind: the replay derives it anew. So are the marks of people,
which no price explains.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import EARLIEST, to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.decisions import read_rows
from afterword.pipeline.domain.decisions.frozen_context import FrozenJson
from afterword.pipeline.domain.decisions.model import Decision, NewDecisionRow
from afterword.pipeline.domain.methodologies.model import Methodology, NewMethodology
from afterword.pipeline.domain.methodologies.read_rows import listing
from afterword.pipeline.domain.prices import class_rows
from afterword.pipeline.domain.prices.class_rows import ClassStatement
from afterword.pipeline.domain.prices.csv_file import PriceFile
from afterword.pipeline.domain.prices.overview import all_series
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.rules.market.decimals import plain

_EVERY: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class GroupMethod:
    """A methodology of a group, with the id that its decisions cite."""

    uid: str
    known_at: datetime
    method: NewMethodology


@dataclass(frozen=True, slots=True)
class GroupInputs:
    """What a replay takes from a group.

    Args:
        classes: what is stated of the classes of markets, by key.
        decisions: in the order in which they were recorded, superseded ones among them; not those
            whose trip says something else by now.
    """

    prices: tuple[PriceFile, ...]
    classes: tuple[tuple[str, ClassStatement], ...]
    methods: tuple[GroupMethod, ...]
    decisions: tuple[NewDecisionRow, ...]


def read_group(store: Store, now: datetime) -> GroupInputs:
    """Return what a group knows by now.

    Raises:
        NotFoundError: it has no decision.
    """
    with reading(store) as conn:
        prices = tuple(_prices(conn, now))
        classes = tuple(sorted(class_rows.statements(conn).items()))
        every = listing(conn, None, None, None, _EVERY, None)
        methods = tuple(_method(one) for one in sorted(every, key=_known) if _is_input(one))
        every_decision = read_rows.listed(conn, None, None, _EVERY, to_micros(now))
        found = [one for one in every_decision if one.corrected_at is None]
        contexts = read_rows.contexts(
            conn, [one.context_hash for one in found if one.context_hash is not None]
        )
        replaced = {one.superseded_by: one.uid for one in found if one.superseded_by is not None}
        decisions = [
            _decision(one, contexts, replaced.get(one.id)) for one in sorted(found, key=_order)
        ]
    if not decisions:
        raise NotFoundError(f"group {store.name} has no decision to replay")
    return GroupInputs(prices, classes, methods, tuple(decisions))


def _prices(conn: Connection, now: datetime) -> Iterator[PriceFile]:
    prices = StoredPrices(conn)
    for series in all_series(conn):
        bars = prices.bars(series, EARLIEST + timedelta(days=366), now, now)
        if bars:
            yield PriceFile(series, bars, prices.splits(series))


def _is_input(one: Methodology) -> bool:
    """Say whether somebody wrote it: what the program made of cases is made anew."""
    return one.source in ("written", "import", "placebo")


def _method(one: Methodology) -> GroupMethod:
    new = NewMethodology(
        one.methodology,
        one.asset_class,
        one.direction,
        one.timeframe,
        name=one.name,
        evidence=one.evidence,
        phases=one.phases,
        primary_signal=one.primary_signal,
        indicators=one.indicators,
        key=one.key,
        origin=one.origin,
        source=one.source,
    )
    return GroupMethod(one.uid, one.known_at, new)


def _decision(one: Decision, contexts: dict[str, str], replaces: str | None) -> NewDecisionRow:
    digest = one.context_hash
    return NewDecisionRow(
        role_id=one.role_id,
        skill_id=one.skill_id,
        record_key=one.key,
        session_id=one.session_id,
        scenario_id=one.scenario_id,
        origin=one.origin,
        decision=one.decision,
        inputs=json.dumps(one.inputs, ensure_ascii=False),
        asset=one.asset,
        asset_key=one.asset_key,
        direction=one.direction,
        confidence=one.confidence,
        context=None if digest is None else FrozenJson(digest, contexts[digest]),
        decided_at=to_micros(one.decided_at),
        supersedes=replaces,
        stop_price=_text(one.stop_price),
        target_price=_text(one.target_price),
        size_usd=_text(one.size_usd),
        leverage=_text(one.leverage),
        methods=json.dumps(one.methods, ensure_ascii=False),
        hint_hash=one.hint_hash,
        uid=one.uid,
        known_at=to_micros(one.known_at),
        from_trip_uid=one.from_trip_uid,
    )


def _known(one: Methodology) -> tuple[datetime, int]:
    return one.known_at, one.id


def _order(one: Decision) -> tuple[datetime, int]:
    return one.known_at, one.id


def _text(number: Decimal | None) -> str | None:
    return None if number is None else plain(number)
