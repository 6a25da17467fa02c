"""One decision of the demo: it is recorded, and judged after its window.

Its clock is set to September 2007.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import show_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.ids import IdSource
from afterword.pipeline.rules.market.bars import Bar
from afterword.schedules.demo.prices import DailyBar, demo_bars
from afterword.schedules.demo.rule import FAST, SLOW, wanted_side
from afterword.schedules.demo.trades import STAKE_USD

ASSET: Final = "AAPL"
ROLE: Final = "analysis.valuation.target_price"
SKILL: Final = "analysis.valuation"

DEMO_DAY: Final = date(2007, 9, 4)
"""The rule turned long on the close of this day, one day before Apple cut the iPhone's price."""

_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DecisionStory:
    """One decision, from record to verdict.

    Args:
        id: id of the decision, for `afterword role show`.
        context: the data on which it was made, stored unchanged.
        matures_at: when its role first allows a judgement.
        judged_early: decisions that were judged one second before that; count.
        change: change from entry to exit price; 0.05 is 5 % up.
        noise_band: a change within plus and minus this is noise; it includes costs.
        judge: the rule or model that judged.
        why: the reason that it gave.
    """

    id: int
    skill: str
    role: str
    asset: str
    direction: str
    text: str
    recorded_at: datetime
    context: Mapping[str, Any]
    matures_at: datetime
    judged_early: int
    entry_usd: Decimal
    exit_usd: Decimal
    change: Decimal
    noise_band: Decimal
    outcome: str
    classification: str
    judge: str
    why: str
    lesson: str


def decide(store: Store, registry: RoleRegistry, ids: IdSource) -> DecisionStory:
    """Record a decision with the data of its time, and judge it by the later prices."""
    bars = [as_bar(day) for day in demo_bars()[ASSET]]
    known = [bar for bar in bars if bar.t_open.date() <= DEMO_DAY]
    decided_at = known[-1].closed_at
    keep_bars(store, series_of(ASSET), known, lambda: decided_at)
    new = _decision(known, decided_at)
    made = record_decision(store, registry, new, lambda: decided_at, ids)
    matures_at = decided_at + registry.role(ROLE).reflection_policy.min_age
    early = matures_at - timedelta(seconds=1)
    keep_bars(
        store, series_of(ASSET), [bar for bar in bars if bar.closed_at <= early], lambda: early
    )
    before = reflect_role(_reflector(store, registry, early), ROLE)
    due = [bar for bar in bars if bar.closed_at <= matures_at]
    keep_bars(store, series_of(ASSET), due, lambda: matures_at)
    reflect_role(_reflector(store, registry, matures_at), ROLE)
    shown = show_decision(store, made.id)
    one, verdict = shown.decision, shown.decision.verdict
    assert verdict is not None, "the prices of the demo judge its decision"
    return DecisionStory(
        id=one.id,
        skill=one.skill_id,
        role=one.role_id,
        asset=ASSET,
        direction=one.direction,
        text=one.decision,
        recorded_at=one.decided_at,
        context=dict(shown.context),
        matures_at=matures_at,
        judged_early=before.settled,
        entry_usd=Decimal(verdict.measured["entry"]["price"]),
        exit_usd=Decimal(verdict.measured["exit"]["price"]),
        change=Decimal(verdict.measured["change"]),
        noise_band=Decimal(verdict.measured["band"]),
        outcome=verdict.outcome,
        classification=verdict.classification or "",
        judge=verdict.by,
        why=verdict.narrative,
        lesson=one.lesson or "",
    )


def rule_decision(asset: str, closes: Sequence[Decimal], decided_at: datetime) -> NewDecision:
    """Return what the rule decides on a close; its averages differ there.

    Args:
        closes: all closes until then, the last one's last.
    """
    is_long = wanted_side(closes) > 0
    fast, slow = averages(closes)
    moves, place = ("rises", "above") if is_long else ("falls", "below")
    return NewDecision(
        ROLE,
        f"{asset} {moves} within a week: its {FAST}-day average is {place} its {SLOW}-day average",
        {"average_fast": f"{fast:.2f}", "average_slow": f"{slow:.2f}"},
        asset=asset,
        direction="long" if is_long else "short",
        decided_at=decided_at,
        size_usd=Decimal(STAKE_USD),
    )


def averages(closes: Sequence[Decimal]) -> tuple[Decimal, Decimal]:
    """Return the fast and the slow average of the last closes."""
    return sum(closes[-FAST:], Decimal(0)) / FAST, sum(closes[-SLOW:], Decimal(0)) / SLOW


def series_of(asset: str) -> Series:
    """Return the series of an asset's daily prices."""
    return Series("demo", asset, _DAY)


def as_bar(day: DailyBar) -> Bar:
    """Return a trading day as a bar; its file has no highs and lows."""
    low, high = sorted((day.open, day.close))
    opened = datetime.combine(day.day, time(), UTC)
    return Bar(opened, _DAY, day.open, high, low, day.close, Decimal(0))


def _decision(known: Sequence[Bar], decided_at: datetime) -> NewDecision:
    closes = [bar.close for bar in known]
    fast, slow = averages(closes)
    assert wanted_side(closes) > 0, "the rule is long on that day"
    context = {
        "closes": [f"{close:.2f}" for close in closes[-5:]],
        f"average_{FAST}": f"{fast:.2f}",
        f"average_{SLOW}": f"{slow:.2f}",
    }
    made = rule_decision(ASSET, closes, decided_at)
    return replace(made, context=context, key="demo")


def _reflector(store: Store, registry: RoleRegistry, now: datetime) -> Reflector:
    return Reflector(store, registry, HeuristicJudge(), StoredPrices, lambda: now)
