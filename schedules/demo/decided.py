"""What the demo shows of a decision: made, left alone, judged once its time has come, learned from.

It happens in a group of its own, under a clock that says 2007: so it is the same on every day.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final

from pipeline.cli.output import print_fields, print_line
from pipeline.cli.words import moment
from pipeline.ids import IdSource
from pipeline.market.bars import Bar
from pipeline.prices.keep import keep_bars
from pipeline.prices.stored import StoredPrices
from pipeline.roles.heuristic import HeuristicJudge
from pipeline.roles.model import Decision, NewDecision
from pipeline.roles.read import show_decision
from pipeline.roles.recall import skill_fragment
from pipeline.roles.record import record_decision
from pipeline.roles.reflect import Reflector, reflect_role
from pipeline.skills import RoleRegistry
from pipeline.sources.model import Series
from pipeline.store import Store
from schedules.demo.prices import demo_bars
from schedules.demo.rule import FAST, SLOW, wanted_side

GROUP: Final = "decided"

ASSET: Final = "AAPL"
ROLE: Final = "analysis.valuation.target_price"
SKILL: Final = "analysis.valuation"

DAY: Final = date(2007, 9, 4)
"""The rule turned to long on its close, a day before the price of the iPhone was cut."""

_DAY: Final = timedelta(days=1)
_SERIES: Final = Series("demo", ASSET, _DAY)


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision, from record to lesson.

    Args:
        ripe_at: from when on its role lets it be judged.
        judged_early: decisions that were judged a second before that.
        context: what it was made on, as it was frozen.
        fragment: what the next decision of its skill reads.
    """

    decision: Decision
    ripe_at: datetime
    judged_early: int
    context: dict[str, Any]
    fragment: str


def decide(store: Store, registry: RoleRegistry, ids: IdSource) -> Decided:
    """Record a decision on what was known, and judge it by what came; again changes nothing."""
    bars = [_bar(day.day, day.open, day.close) for day in demo_bars()[ASSET]]
    known = [bar for bar in bars if bar.t_open.date() <= DAY]
    decided_at = known[-1].closed_at
    keep_bars(store, _SERIES, known, lambda: decided_at)
    new = _decision(known, decided_at)
    made = record_decision(store, registry, new, lambda: decided_at, ids)
    role = registry.role(ROLE)
    ripe_at = decided_at + role.reflection_policy.min_age
    # The prices of the week are there, and the week is not over.
    early = ripe_at - timedelta(seconds=1)
    keep_bars(store, _SERIES, [bar for bar in bars if bar.closed_at <= early], lambda: early)
    before = reflect_role(_reflector(store, registry, early), ROLE)
    keep_bars(store, _SERIES, [bar for bar in bars if bar.closed_at <= ripe_at], lambda: ripe_at)
    reflect_role(_reflector(store, registry, ripe_at), ROLE)
    shown = show_decision(store, made.id)
    fragment = skill_fragment(store, registry, SKILL)
    return Decided(shown.decision, ripe_at, before.settled, dict(shown.context), fragment)


def print_decided(decided: Decided) -> None:
    """Print its story in the order in which it happened."""
    one = decided.decision
    assert one.verdict is not None, "the prices of the demo judge its decision"
    measured = one.verdict.measured
    print_line("")
    print_line("one decision, from record to lesson:")
    print_fields(
        {
            "decided": f"{moment(one.decided_at)} by {one.role_id}: {one.decision}",
            "frozen": f"{str(one.context_hash)[:12]}: {_words(decided.context)}",
            "ripe": f"{moment(decided.ripe_at)}; a second before, {decided.judged_early} judged",
            "entry": _price(measured["entry"]),
            "exit": _price(measured["exit"]),
            "outcome": f"{one.verdict.outcome}: {Decimal(measured['change']) * 100:+.2f} % after a "
            f"{one.direction}, beyond its noise band of {Decimal(measured['band']) * 100:.2f} %",
            "class": f"{one.verdict.classification}, said by {one.verdict.by}",
            "lesson": one.lesson or "",
        }
    )
    print_line("")
    print_line(f"what the next decision of {SKILL} reads:")
    for line in decided.fragment.splitlines():
        print_line(f"  {line}")


def _decision(known: Sequence[Bar], decided_at: datetime) -> NewDecision:
    closes = [bar.close for bar in known]
    fast, slow = sum(closes[-FAST:]) / FAST, sum(closes[-SLOW:]) / SLOW
    assert wanted_side(closes) > 0, "the rule is long on that day"
    return NewDecision(
        ROLE,
        f"{ASSET} goes on to rise within a week: its mean of {FAST} days is above that of {SLOW}",
        {"mean_fast": f"{fast:.2f}", "mean_slow": f"{slow:.2f}"},
        asset=ASSET,
        direction="long",
        decided_at=decided_at,
        context={"closes": [str(close) for close in closes[-5:]], "rule": "moving averages"},
        key="demo",
    )


def _reflector(store: Store, registry: RoleRegistry, now: datetime) -> Reflector:
    return Reflector(store, registry, HeuristicJudge(), StoredPrices, lambda: now)


def _bar(day: date, opened: Decimal, close: Decimal) -> Bar:
    low, high = sorted((opened, close))
    return Bar(datetime.combine(day, time(), UTC), _DAY, opened, high, low, close, Decimal(0))


def _words(context: dict[str, Any]) -> str:
    closes = ", ".join(context["closes"])
    return f"{context['rule']}; closes of {closes} USD"


def _price(point: dict[str, str]) -> str:
    at = datetime.fromisoformat(point["at"])
    return f"{point['price']} USD, the close known at {moment(at)}"
