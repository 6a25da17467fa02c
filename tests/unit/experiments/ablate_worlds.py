"""Replays of decisions that cite methods with and without a planted edge, for the ablation."""

import csv
import gzip
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.decisions.model import NewDecision, NewDecisionRow
from afterword.pipeline.domain.decisions.record import prepare
from afterword.pipeline.domain.methodologies.lifecycle import Change, StateChange, apply_changes
from afterword.pipeline.domain.methodologies.model import (
    MethodDirection,
    MethodGate,
    NewMethodology,
)
from afterword.pipeline.domain.methodologies.read_rows import find
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.operations.experiments.ablate import Ablation, ablate, known_decisions
from afterword.pipeline.operations.experiments.ablate_rows import standings
from afterword.pipeline.operations.replay.from_group import GroupMethod
from afterword.pipeline.operations.replay.ids import uid_of
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.replay.run import roles_for, status_of
from afterword.pipeline.rules.evidence.gated import GatedDecision
from afterword.pipeline.rules.setup import Direction
from tests.unit.replay.worlds import BEGIN, price_file

DAY = timedelta(days=1)
WARM = 10
"""Days of prices before the first decision: a market needs a deviation."""

SIDES: Final[dict[Direction, MethodDirection]] = {"long": "bullish", "short": "bearish"}
ASSETS = ("BTC", "ETH")


def method_uid(name: str, side: str) -> str:
    """Return the uid of a method of these worlds."""
    return uid_of(1, f"{name} {side}")


def methods(*names: str) -> tuple[GroupMethod, ...]:
    """Return a bullish and a bearish method of a day's horizon for each name."""
    return tuple(
        GroupMethod(
            method_uid(name, side),
            BEGIN,
            NewMethodology(
                f"{name}: go {side} when it says so",
                "major_crypto",
                direction,
                "intraday",
                name=f"{name} {side}",
                primary_signal="technical",
            ),
        )
        for name in names
        for side, direction in SIDES.items()
    )


def closes(path: Path) -> dict[datetime, float]:
    """Return the closes of a made file, by their moments."""
    with gzip.open(path, "rt") as file:
        return {
            BEGIN + (number + 1) * timedelta(hours=4): float(row["close"])
            for number, row in enumerate(csv.DictReader(file))
        }


def calls(
    home: Path, name: str, prices: dict[datetime, float], asset: str, told: float, seed: int = 1
) -> Iterator[NewDecisionRow]:
    """Yield a call a day that cites the method of its side.

    Args:
        told: share of the calls that know the close of the next day; the others are a coin's.
    """
    registry, chance = roles_for(home, 24), random.Random(f"{name} {asset} {seed}")
    at = BEGIN + WARM * DAY
    while at + DAY in prices:
        side: Direction = chance.choice(("long", "short"))
        if chance.random() < told:
            side = "long" if prices[at + DAY] > prices[at] else "short"
        yield row_of(registry, f"{name} {asset} {at:%Y-%m-%d}", asset, side, at, name)
        at += DAY


def row_of(
    registry: RoleRegistry, key: str, asset: str, side: Direction, at: datetime, *names: str
) -> NewDecisionRow:
    """Return a checked decision that cites the methods of its side."""
    new = NewDecision(
        "replay.momentum",
        f"{' and '.join(names)} say {side} of {asset}.",
        asset=asset,
        direction=side,
        decided_at=at,
        key=key,
        methods=[method_uid(name, side) for name in names],
    )
    return replace(prepare(registry, new), uid=uid_of(1, key), known_at=to_micros(at))


def plan(home: Path, folder: Path, days: int, seed: int = 1, **told: float) -> ReplayPlan:
    """Return a plan in which every name calls each coin each day.

    Args:
        told: by name, the share of its calls that know the close of the next day.
    """
    files = {asset: price_file(folder, f"{asset}USDT", days, seed) for asset in ASSETS}
    prices = {asset: closes(path) for asset, path in files.items()}
    decisions = [
        one
        for name, share in told.items()
        for asset in ASSETS
        for one in calls(home, name, prices[asset], asset, share, seed)
    ]
    return ReplayPlan(
        prices=tuple(files.values()),
        horizon_hours=24,
        placebos=False,
        decisions=tuple(sorted(decisions, key=lambda one: (one.decided_at, one.uid))),
        methods=methods(*told),
    )


def change(
    store: Store, name: str, done: Change, at: datetime, gate: MethodGate = "strict"
) -> None:
    """Change the state of both methods of a name, as the synthesis would have at a moment."""
    with writing(store) as conn:
        ids = [
            found.id
            for side in SIDES
            if (found := find(conn, method_uid(name, side), None)) is not None
        ]
        apply_changes(conn, [StateChange(one, done, gate) for one in ids], "strict", at)


def ablated(store: Store, seed: int | None = None) -> Ablation:
    """Return the ablation of a replay as far as it is."""
    with reading(store) as conn:
        return ablate(conn, status_of(store), seed)


def gated_decisions(conn: Connection, cursor: int) -> list[GatedDecision]:
    """Return the decisions that a replay is judged by, up to a moment; microseconds."""
    known = known_decisions(conn, standings(conn), cursor, Counter())
    return [decision.gated for decision in known]
