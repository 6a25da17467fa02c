"""The rule's whole record: each of its turns as a decision, and what that shows about the one.

Its clock is set to March 2013.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decisions
from afterword.pipeline.domain.patterns.placebos import placebo_counts
from afterword.pipeline.domain.patterns.weigh import weigh_patterns
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.ids import IdSource
from afterword.pipeline.operations.loop.reflect_now import reflect_now
from afterword.pipeline.operations.roles.summary import ClassOverview, SetupLine, summarise_roles
from afterword.pipeline.recall.lessons.fragment import skill_fragment
from afterword.pipeline.rules.evidence.family import CONFIRMED_LEVEL
from afterword.pipeline.views.roles.words import (
    change_words,
    placebo_lines,
    right_words,
    setup_words,
    verdict_words,
)
from afterword.schedules.demo.decided import (
    ASSET,
    DEMO_DAY,
    ROLE,
    SKILL,
    as_bar,
    rule_decision,
    series_of,
)
from afterword.schedules.demo.prices import DailyBar, demo_bars
from afterword.schedules.demo.rule import SLOW, wanted_side

_COINS: Final = 20
"""Roles of coin flips beside the rule."""

SETUP: Final = ("long", "up")
"""The one decision was a long after a rise."""


@dataclass(frozen=True, slots=True)
class RecordStory:
    """What many decisions of one rule show.

    Args:
        assets: markets it decided on; count.
        decisions: with a measured outcome; count. Of these `right`, `wrong` and `noise`.
        setup: what the one decision was, in words.
        setup_record: how all such decisions did, against calls without skill.
        verdict: what can be told apart from luck.
        patterns: the texts of what can.
        change: what would change the verdict.
        next_prompt: what the skill's next decision is told of it all.
        coins: how many roles of coin flips at the same moments would have been told something.
    """

    role: str
    asset_class: str
    assets: int
    decisions: int
    right: int
    wrong: int
    noise: int
    setup: str
    setup_record: str
    verdict: str
    patterns: tuple[str, ...]
    change: str
    next_prompt: str
    coins: str


def weigh_record(store: Store, registry: RoleRegistry, clock: Clock, ids: IdSource) -> RecordStory:
    """Record every turn of the rule as a decision, measure them all, and weigh what they show."""
    role, bars = registry.role(ROLE), demo_bars()
    for asset, days in bars.items():
        keep_bars(store, series_of(asset), [as_bar(day) for day in days], clock)
    new = [one for asset, days in bars.items() for one in _turns(asset, days)]
    record_decisions(store, registry, sorted(new, key=_when), clock, ids)
    reflector = Reflector(store, registry, HeuristicJudge(), StoredPrices, clock)
    reflect_now(reflector, [role], lambda *_: None)
    weigh_patterns(store, [role], clock())
    (summary,) = summarise_roles(store, [(role, {})], CONFIRMED_LEVEL)
    (one,) = summary.classes
    with reading(store) as conn:
        counts = placebo_counts(
            conn, role, StoredPrices(conn), _COINS, store.name, clock(), level=CONFIRMED_LEVEL
        )
    return _story(one, len(bars), skill_fragment(store, registry, SKILL), placebo_lines(counts)[0])


def _turns(asset: str, days: Sequence[DailyBar]) -> list[NewDecision]:
    """Return a decision for each close on which the rule changes its side."""
    closes = [day.close for day in days]
    found, side = [], 0
    for place, day in enumerate(days):
        wanted = wanted_side(closes[max(0, place + 1 - SLOW) : place + 1])
        if wanted in (0, side):
            continue
        side = wanted
        if (asset, day.day) != (ASSET, DEMO_DAY):  # that one is recorded
            known = closes[place + 1 - SLOW : place + 1]
            found.append(rule_decision(asset, known, as_bar(day).closed_at))
    return found


def _story(one: ClassOverview, assets: int, next_prompt: str, coins: str) -> RecordStory:
    return RecordStory(
        role=ROLE,
        asset_class=one.asset_class,
        assets=assets,
        decisions=one.decisions,
        right=one.right,
        wrong=one.wrong,
        noise=one.noise,
        setup=setup_words(*SETUP),
        setup_record=right_words(_setup(one).numbers),
        verdict=verdict_words(one),
        patterns=tuple(pattern.text for pattern in one.in_state("confirmed", "emerging")),
        change=change_words(one),
        next_prompt=next_prompt,
        coins=coins,
    )


def _setup(one: ClassOverview) -> SetupLine:
    (found,) = (line for line in one.setups if (line.direction, line.trend) == SETUP)
    return found


def _when(one: NewDecision) -> tuple[datetime, str]:
    assert one.decided_at is not None
    return one.decided_at, one.asset or ""
