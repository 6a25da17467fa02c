"""One decision of the demo: it is recorded, judged after its window, and leaves a lesson.

Its clock is set to September 2007.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import list_decisions, show_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.ids import IdSource
from afterword.pipeline.recall.lessons.fragment import skill_fragment
from afterword.pipeline.rules.market.bars import Bar
from afterword.schedules.demo.prices import demo_bars
from afterword.schedules.demo.rule import FAST, SLOW, wanted_side

ASSET: Final = "AAPL"
ROLE: Final = "analysis.valuation.target_price"
SKILL: Final = "analysis.valuation"

DAY: Final = date(2007, 9, 4)
"""The rule turned long on the close of this day, one day before Apple cut the iPhone's price."""

_DAY: Final = timedelta(days=1)
_SERIES: Final = Series("demo", ASSET, _DAY)


@dataclass(frozen=True, slots=True)
class DecisionStory:
    """One decision, from record to lesson.

    Args:
        id: id of the decision, for `afterword role show`.
        context: the data on which it was made, stored unchanged.
        matures_at: when its role first allows a judgement.
        judged_early: decisions that were judged one second before that; count.
        change: change from entry to exit price; 0.05 is 5 % up.
        noise_band: a change within plus and minus this is noise; it includes costs.
        judge: the rule or model that judged.
        why: the reason that it gave.
        cases: judged decisions of the role on which the lesson rests; count.
        next_prompt: the lessons in the prompt of the skill's next decision.
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
    cases: int
    next_prompt: str


def decide(store: Store, registry: RoleRegistry, ids: IdSource) -> DecisionStory:
    """Record a decision with the data of its time, and judge it by the later prices."""
    bars = [_bar(day.day, day.open, day.close) for day in demo_bars()[ASSET]]
    known = [bar for bar in bars if bar.t_open.date() <= DAY]
    decided_at = known[-1].closed_at
    keep_bars(store, _SERIES, known, lambda: decided_at)
    new = _decision(known, decided_at)
    made = record_decision(store, registry, new, lambda: decided_at, ids)
    matures_at = decided_at + registry.role(ROLE).reflection_policy.min_age
    early = matures_at - timedelta(seconds=1)
    keep_bars(store, _SERIES, [bar for bar in bars if bar.closed_at <= early], lambda: early)
    before = reflect_role(_reflector(store, registry, early), ROLE)
    due = [bar for bar in bars if bar.closed_at <= matures_at]
    keep_bars(store, _SERIES, due, lambda: matures_at)
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
        cases=len(list_decisions(store, ROLE, "reflected")),
        next_prompt=skill_fragment(store, registry, SKILL),
    )


def _decision(known: Sequence[Bar], decided_at: datetime) -> NewDecision:
    closes = [bar.close for bar in known]
    fast, slow = sum(closes[-FAST:]) / FAST, sum(closes[-SLOW:]) / SLOW
    assert wanted_side(closes) > 0, "the rule is long on that day"
    return NewDecision(
        ROLE,
        f"{ASSET} rises within a week: its {FAST}-day average is above its {SLOW}-day average",
        {"average_fast": f"{fast:.2f}", "average_slow": f"{slow:.2f}"},
        asset=ASSET,
        direction="long",
        decided_at=decided_at,
        context={
            "closes": [f"{close:.2f}" for close in closes[-5:]],
            f"average_{FAST}": f"{fast:.2f}",
            f"average_{SLOW}": f"{slow:.2f}",
        },
        key="demo",
    )


def _reflector(store: Store, registry: RoleRegistry, now: datetime) -> Reflector:
    return Reflector(store, registry, HeuristicJudge(), StoredPrices, lambda: now)


def _bar(day: date, opened: Decimal, close: Decimal) -> Bar:
    low, high = sorted((opened, close))
    return Bar(datetime.combine(day, time(), UTC), _DAY, opened, high, low, close, Decimal(0))
