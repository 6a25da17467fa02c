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
from afterword.pipeline.domain.institution import rows as run_rows
from afterword.pipeline.domain.institution.model import InstitutionRun, RoleOutput
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
class GroupRun:
    """A run of an institution of a group, without the answers that it got there."""

    run: InstitutionRun
    outputs: tuple[RoleOutput, ...]


@dataclass(frozen=True, slots=True)
class GroupInputs:
    """What a replay takes from a group.

    Args:
        classes: what is stated of the classes of markets, by key.
        decisions: in the order in which they were recorded, superseded ones among them; not those
            whose trip says something else by now.
        runs: of an institution, which name some of these decisions.
    """

    prices: tuple[PriceFile, ...]
    classes: tuple[tuple[str, ClassStatement], ...]
    methods: tuple[GroupMethod, ...]
    decisions: tuple[NewDecisionRow, ...]
    runs: tuple[GroupRun, ...] = ()


def read_group(store: Store, now: datetime) -> GroupInputs:
    """Return what a group knows by now.

    Raises:
        NotFoundError: it has no decision.
    """
    with reading(store) as conn:
        prices = tuple(_prices(conn, now))
        classes = tuple(sorted(class_rows.statements(conn).items()))
        every = listing(conn, None, None, None, _EVERY, None)
        methods = tuple(
            _method(method) for method in sorted(every, key=_known) if _is_input(method)
        )
        every_decision = read_rows.listed(conn, None, None, _EVERY, to_micros(now))
        recorded = [decision for decision in every_decision if decision.corrected_at is None]
        contexts = read_rows.contexts(
            conn,
            [decision.context_hash for decision in recorded if decision.context_hash is not None],
        )
        replaced = {
            decision.superseded_by: decision.uid
            for decision in recorded
            if decision.superseded_by is not None
        }
        decisions = [
            _decision(decision, contexts, replaced.get(decision.id))
            for decision in sorted(recorded, key=_order)
        ]
        runs = tuple(
            GroupRun(run, tuple(run_rows.outputs_of(conn, run.id)))
            for run in run_rows.all_runs(conn, to_micros(now))
        )
    if not decisions:
        raise NotFoundError(f"group {store.name} has no decision to replay")
    return GroupInputs(prices, classes, methods, tuple(decisions), runs)


def _prices(conn: Connection, now: datetime) -> Iterator[PriceFile]:
    prices = StoredPrices(conn)
    for series in all_series(conn):
        bars = prices.bars(series, EARLIEST + timedelta(days=366), now, now)
        if bars:
            yield PriceFile(series, bars, prices.splits(series))


def _is_input(method: Methodology) -> bool:
    """Say whether somebody wrote it: what the program made of cases is made anew."""
    return method.source in ("written", "import", "placebo")


def _method(method: Methodology) -> GroupMethod:
    new = NewMethodology(
        method.methodology,
        method.asset_class,
        method.direction,
        method.timeframe,
        name=method.name,
        evidence=method.evidence,
        phases=method.phases,
        primary_signal=method.primary_signal,
        indicators=method.indicators,
        key=method.key,
        origin=method.origin,
        source=method.source,
    )
    return GroupMethod(method.uid, method.known_at, new)


def _decision(decision: Decision, contexts: dict[str, str], replaces: str | None) -> NewDecisionRow:
    digest = decision.context_hash
    return NewDecisionRow(
        role_id=decision.role_id,
        skill_id=decision.skill_id,
        record_key=decision.key,
        session_id=decision.session_id,
        scenario_id=decision.scenario_id,
        origin=decision.origin,
        decision=decision.decision,
        inputs=json.dumps(decision.inputs, ensure_ascii=False),
        asset=decision.asset,
        asset_key=decision.asset_key,
        direction=decision.direction,
        confidence=decision.confidence,
        context=None if digest is None else FrozenJson(digest, contexts[digest]),
        decided_at=to_micros(decision.decided_at),
        supersedes=replaces,
        stop_price=_text(decision.stop_price),
        target_price=_text(decision.target_price),
        size_usd=_text(decision.size_usd),
        leverage=_text(decision.leverage),
        methods=json.dumps(decision.methods, ensure_ascii=False),
        hint_hash=decision.hint_hash,
        uid=decision.uid,
        known_at=to_micros(decision.known_at),
        from_trip_uid=decision.from_trip_uid,
    )


def _known(method: Methodology) -> tuple[datetime, int]:
    return method.known_at, method.id


def _order(decision: Decision) -> tuple[datetime, int]:
    return decision.known_at, decision.id


def _text(number: Decimal | None) -> str | None:
    return None if number is None else plain(number)
