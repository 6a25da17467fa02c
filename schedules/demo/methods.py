"""Two methods of the demo: one whose edge is planted, from seed to verdict, and one without skill.

Its clock goes from 2000 to 2007, week by week; every quarter a pass of the synthesis decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.decisions.measure_outcomes import measure_due
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decisions
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.add import add_methodology
from afterword.pipeline.domain.methodologies.model import (
    Methodology,
    NewMethodology,
    PrimarySignal,
)
from afterword.pipeline.domain.methodologies.read import (
    list_methodologies,
    methodology_story,
)
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.synthesis.judge import HeuristicSynthesisJudge
from afterword.pipeline.domain.synthesis.luck import expected_luck
from afterword.pipeline.domain.synthesis.model import GateRules
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.synthesize import synthesize
from afterword.pipeline.ids import IdSource
from afterword.pipeline.recall.methods.suggest import suggest_methods
from afterword.pipeline.rules.evidence.model import HitCount
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.text.numbers import amount
from afterword.schedules.demo.decided import as_bar, series_of
from afterword.schedules.demo.prices import demo_bars

_ASSET: Final = "AAPL"
_ROLE: Final = "market.spot.momentum"
_UNTIL: Final = datetime(2007, 9, 1, tzinfo=UTC)
WEEK: Final = timedelta(days=7)
QUARTER: Final = 13
"""Weeks between two passes."""

PEEKS: Final = 0.6
"""Share of the bad weeks that the planted method is told of before it decides."""

SEED: Final = 1
"""Of the coin, and of the weeks that are told."""

_WORDS: Final = "AAPL rises within a week: its RSI turned up."
_COIN: Final = "AAPL rises within a week: the coin fell on heads."


@dataclass(frozen=True, slots=True)
class MethodVerdict:
    """What became of one of the two methods.

    Args:
        id: its number in the store.
        text: what it says to do.
        made_at: when it was written.
        made_from: decisions it was made from; count, 0 if somebody wrote it.
        strict_at, literal_at: when each gate let it into prompts for the first time.
        record: stretches that were right, of those that voted.
        before, since: the same before the strict gate let it in, and since; empty if it never did.
        last_at: when it was scored last.
    """

    id: int
    uid: str
    text: str
    made_at: datetime
    made_from: int
    strict_at: datetime | None
    literal_at: datetime | None
    record: str
    before: str
    since: str
    last_at: datetime


@dataclass(frozen=True, slots=True)
class MethodsStory:
    """How one method came into prompts, and another did not.

    Args:
        decisions: weekly calls that cite one of them; count.
        luck: how many were tried, and how many of the graduated are luck.
        block: what an agent is shown before it decides about the asset.
    """

    asset: str
    decisions: int
    peeks: float
    seed: MethodVerdict
    coin: MethodVerdict
    luck: str
    block: str


def try_methods(store: Store, registry: RoleRegistry, clock: Clock, ids: IdSource) -> MethodsStory:
    """Decide week by week by two methods, and let the synthesis decide about both.

    Args:
        clock: of the demo; the agent is shown what stands by then.
    """
    bars = [one for one in map(as_bar, demo_bars()[_ASSET]) if one.closed_at < _UNTIL]
    chance = Random(SEED)
    first = bars[0].closed_at
    planted = _write(store, ids, first, "Buy AAPL when its chart turns up", "technical")
    coin = _write(store, ids, first, "Buy AAPL whenever a coin falls on heads", "event")
    decisions = 0
    for week, (place, bar) in enumerate(_weekly(bars)):
        is_told = chance.random() < PEEKS and _falls(bars, place)
        new = [] if is_told else [_call(_WORDS, planted, bar.closed_at)]
        if chance.random() < 0.5:
            new.append(_call(_COIN, coin, bar.closed_at))
        record_decisions(store, registry, new, _at(bar.closed_at), ids)
        decisions += len(new)
        if week % QUARTER == QUARTER - 1:
            _pass(store, registry, ids, bars[: place + 1])
            planted = _seed_of(store) or planted
    with reading(store) as conn:
        luck = expected_luck(conn)
    return MethodsStory(
        asset=_ASSET,
        decisions=decisions,
        peeks=PEEKS,
        seed=_verdict(store, planted),
        coin=_verdict(store, coin),
        luck="" if luck is None else luck.words,
        block=suggest_methods(Writer(store, clock, ids), _ASSET).block,
    )


def _weekly(bars: Sequence[Bar]) -> Iterator[tuple[int, Bar]]:
    """Yield a bar of each week, and its place: the first one at least 7 days after the last."""
    last = None
    for place, bar in enumerate(bars):
        if last is None or bar.closed_at - last >= WEEK:
            last = bar.closed_at
            yield place, bar


def _falls(bars: Sequence[Bar], place: int) -> bool:
    """Say whether the price is lower a week later: what nobody can know."""
    later = [
        one for one in bars[place : place + 8] if one.closed_at - bars[place].closed_at <= WEEK
    ]
    return later[-1].close < bars[place].close


def _write(store: Store, ids: IdSource, at: datetime, text: str, signal: PrimarySignal) -> str:
    new = NewMethodology(text, "stock", "bullish", "short", primary_signal=signal)
    return add_methodology(Writer(store, _at(at), ids), new).uid


def _call(text: str, method: str, at: datetime) -> NewDecision:
    return NewDecision(
        _ROLE, text, asset=_ASSET, direction="long", decided_at=at, methods=(method,),
        size_usd=Decimal(1_000),
    )  # fmt: skip


def _pass(store: Store, registry: RoleRegistry, ids: IdSource, known: Sequence[Bar]) -> None:
    """Bring the prices of the quarter, measure what is due, and synthesise."""
    now = _at(known[-1].closed_at)
    keep_bars(store, series_of(_ASSET), known, now)
    measure_due(store, registry, StoredPrices, now, lambda *_: None)
    by = Synthesis(store, HeuristicSynthesisJudge(), GateRules(), now, ids)
    synthesize(by, "command")


def _seed_of(store: Store) -> str | None:
    """Return the uid of the methodology that the program made from cases, once it has."""
    with reading(store) as conn:
        found = list_methodologies(conn, source="cases")
    return found[0].uid if found else None


def _verdict(store: Store, uid: str) -> MethodVerdict:
    with reading(store) as conn:
        story = methodology_story(conn, uid)
    one, counts = story.methodology, story.counts
    figures = one.figures
    assert figures is not None  # it is read as of now
    graduated = {
        event.gate: event.known_at for event in reversed(story.events) if event.kind == "graduated"
    }
    return MethodVerdict(
        id=one.id,
        uid=uid,
        text=one.methodology,
        made_at=one.known_at,
        made_from=_made_from(one),
        strict_at=graduated.get("strict"),
        literal_at=graduated.get("literal"),
        record=_words(
            HitCount(figures.effective_uses, figures.effective_correct, figures.expected)
        ),
        before="" if counts is None else _words(counts.before),
        since="" if counts is None else _words(counts.since),
        last_at=figures.scored_at or one.known_at,
    )


def _words(count: HitCount) -> str:
    without = f"{amount(count.expected)} without skill"
    return f"right {amount(count.hits)} of {amount(count.n_eff)} stretches, {without}"


def _at(moment: datetime) -> Clock:
    return lambda: moment


def _made_from(one: Methodology) -> int:
    return len(one.seeded_from[0]["decisions"]) if one.seeded_from else 0
