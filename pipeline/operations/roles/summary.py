"""What the record of a role says, class by class: gathered once, told on a terminal or a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.decisions import stats_rows
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.patterns.ageing import Ageing
from afterword.pipeline.domain.patterns.counts import CellNumbers, total
from afterword.pipeline.domain.patterns.effect import effects
from afterword.pipeline.domain.patterns.family import window_of
from afterword.pipeline.domain.patterns.model import (
    STORED_STATES,
    Pattern,
    PatternKey,
)
from afterword.pipeline.domain.patterns.numbers import numbers_of, read_numbers
from afterword.pipeline.domain.patterns.placebos import PlaceboCount
from afterword.pipeline.domain.patterns.read import ClassSummary, current, summaries
from afterword.pipeline.domain.patterns.text import template_text
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.rules.evidence.calibration import ConfidenceBin, calibration
from afterword.pipeline.rules.evidence.lesson_effect import LessonEffect
from afterword.pipeline.rules.evidence.market_rate import MarketRate, market_rate
from afterword.pipeline.rules.evidence.model import PatternRecord, PatternState, Side
from afterword.pipeline.rules.evidence.rates import wilson_interval
from afterword.pipeline.rules.setup import Direction, Trend


@dataclass(frozen=True, slots=True)
class CellLine:
    """How some decisions did, against what they would have done without skill.

    Args:
        decisions: count.
        stretches: those that voted; count. `spent` stayed inside the noise band.
        hits: stretches that were right; several assets in one stretch count as fractions.
        expected: hits without skill.
        low: lower end of the 95 % interval of the share of hits; `high` is the upper one.
        mean_residual: mean move beyond the market in the direction of the decisions; a share.
        cost_micro_usd: sum of the known results, negative if lost.
    """

    decisions: int
    stretches: int
    spent: int
    hits: float
    expected: float
    low: float
    high: float
    mean_residual: float | None
    cost_micro_usd: int | None


@dataclass(frozen=True, slots=True)
class SetupLine:
    """The decisions of one direction after one kind of move.

    Args:
        market: how often any call of the direction was right there, of the assets of the class;
            None where it is not known.
    """

    direction: Direction
    trend: Trend
    numbers: CellLine
    market: MarketRate | None


@dataclass(frozen=True, slots=True)
class PatternLine:
    """A pattern that was told apart from luck, or once was, or is a hint.

    Args:
        is_class: whether it may be told of the whole class; `assets` in any case.
        reverse: how much what came since it was confirmed speaks against it; retired at 10.
        untested: since when nobody makes such decisions any more, in words; empty if somebody does.
        effect: whether prompts that held it did better; None where none could hold it.
    """

    state: PatternState
    direction: Direction
    trend: Trend
    side: Side
    is_class: bool
    assets: tuple[str, ...]
    text: str
    reverse: float
    untested: str
    effect: LessonEffect | None


@dataclass(frozen=True, slots=True)
class NearestSetup:
    """The setup that would be decided first at its present rate.

    Args:
        expected_rate: share of hits to expect next, drawn toward the base.
        stretches_needed: further stretches of it at that rate; count.
    """

    direction: Direction
    trend: Trend
    stretches: int
    hits: float
    expected: float
    expected_rate: float
    stretches_needed: int


@dataclass(frozen=True, slots=True)
class CalibrationLine:
    """Decisions of about the same stated confidence.

    Args:
        stated: mean stated confidence.
        hit: share that was right; `low` to `high` is its 95 % interval, as wide as if each
            stretch of prices were one decision.
        decisions: count.
    """

    stated: float
    hit: float
    low: float
    high: float
    decisions: int


@dataclass(frozen=True, slots=True)
class ClassOverview:
    """How a role did in one class of assets.

    Args:
        first_at: entry of the first decision; `last_at` of the last one.
        right: decisions, by the move over the window; `wrong` and `noise` likewise.
        sized: decisions whose result in USD is known.
        plans: what the plans met first, by name; counts.
        calls: long and short decisions together; stretches of different setups each count.
        neutral: neutral calls; None without any.
        setups: those with a decision, in a fixed order.
        patterns: confirmed, hinted at and retired, in this order.
        nearest: what would be decided first; None where no setup leans far enough.
        calibration: by stated confidence; empty where none was stated.
        brier: mean squared error of the stated confidence, 0 at best; `reference` is that of
            always stating the share that was right.
    """

    asset_class: str
    first_at: datetime
    last_at: datetime
    decisions: int
    right: int
    wrong: int
    noise: int
    sized: int
    plans: Mapping[str, int]
    calls: CellLine
    neutral: CellLine | None
    setups: tuple[SetupLine, ...]
    patterns: tuple[PatternLine, ...]
    nearest: NearestSetup | None
    calibration: tuple[CalibrationLine, ...]
    brier: float | None
    reference: float | None

    def in_state(self, *states: PatternState) -> list[PatternLine]:
        """Return its patterns in some states."""
        return [one for one in self.patterns if one.state in states]

    @property
    def fullest(self) -> SetupLine | None:
        """The setup with the most stretches; None without any."""
        return max(self.setups, key=lambda one: one.numbers.stretches, default=None)


@dataclass(frozen=True, slots=True)
class RoleSummary:
    """How the decisions of a role did.

    Args:
        window_hours: when its decisions are judged; None where no price judges them.
        waiting: decisions without an outcome, by reason; counts.
        classes: those with an outcome.
        erased: decisions that were forgotten, and with them their outcomes: these count nowhere;
            count. 0 as of a moment of the past, of which it is not stored.
        placebos: roles of coin flips at the same moments, by class; empty if none were asked for.
    """

    role: str
    label: str
    window_hours: int | None
    waiting: Mapping[str, int]
    classes: tuple[ClassOverview, ...]
    erased: int = 0
    placebos: tuple[PlaceboCount, ...] = ()


def summarise_roles(
    store: Store,
    roles: Sequence[tuple[Role, Mapping[str, int]]],
    level: float,
    as_of: datetime | None = None,
    ageing: Ageing | None = None,
) -> list[RoleSummary]:
    """Return how roles did, in the order given.

    Args:
        roles: each with its decisions that wait, by reason.
        level: chance of any false pattern in a role without effects.
        as_of: as it was known at this moment.
        ageing: how old failing patterns are; None to tell no age.

    Raises:
        InvalidInputError: a moment that was purged.
    """
    with reading(store) as conn:
        read_moment(conn, as_of)
        return [_summary(conn, role, waiting, level, as_of, ageing) for role, waiting in roles]


def _summary(
    conn: Connection,
    role: Role,
    waiting: Mapping[str, int],
    level: float,
    as_of: datetime | None,
    ageing: Ageing | None,
) -> RoleSummary:
    window_hours = window_of(role)
    erased = stats_rows.erased(conn, role.id) if as_of is None else 0
    if window_hours is None:
        return RoleSummary(role.id, role.label, None, waiting, (), erased)
    texts = stored_texts(conn, role, as_of)
    told = [one for one in texts.values() if one.state != "emerging"]
    stored = _StoredPatterns(texts, effects(conn, role, told, as_of), ageing)
    classes = tuple(
        _overview(one, role.id, level, stored)
        for one in summaries(conn, role, level=level, as_of=as_of)
    )
    return RoleSummary(role.id, role.label, window_hours, waiting, classes, erased)


def stored_texts(conn: Connection, role: Role, as_of: datetime | None) -> dict[PatternKey, Pattern]:
    """Return the patterns of a role that have a text, by what they are about."""
    return {one.key: one for one in current(conn, [role.id], STORED_STATES, as_of)}


class _StoredPatterns(NamedTuple):
    """What is stored of the patterns of a role."""

    texts: Mapping[PatternKey, Pattern]
    effects: Mapping[PatternKey, LessonEffect]
    ageing: Ageing | None

    def untested(self, key: PatternKey) -> str:
        """Return since when a confirmed pattern is untested, in words."""
        pattern = self.texts.get(key)
        if self.ageing is None or pattern is None or pattern.state != "confirmed":
            return ""
        return self.ageing.words(pattern)


def _overview(
    one: ClassSummary, role_id: str, level: float, stored: _StoredPatterns
) -> ClassOverview:
    records = one.family.patterns()
    stated = calibration(one.calibration)
    counts = one.directions.values()
    neutral = [cell for key, cell in one.cells.items() if key.direction == "neutral"]
    calls = [cell for key, cell in one.cells.items() if key.direction != "neutral"]
    stretches = one.all.n_eff + one.all.spent
    independent = min(1.0, stretches / one.all.n) if one.all.n else 1.0
    return ClassOverview(
        asset_class=one.asset_class,
        first_at=one.first_at,
        last_at=one.last_at,
        decisions=sum(each.n for each in counts),
        right=sum(each.right for each in counts),
        wrong=sum(each.wrong for each in counts),
        noise=sum(each.noise for each in counts),
        sized=one.sized,
        plans=dict(sorted(one.plans.items(), reverse=True)),
        calls=line_of(total(calls)),
        neutral=line_of(total(neutral)) if neutral else None,
        setups=tuple(
            SetupLine(*setup_of(each), line_of(each), market_of(each))
            for each in records
            if each.hypothesis.side == "failing" and each.n
        ),
        patterns=tuple(
            _pattern(key_of(role_id, one.asset_class, each), each, one.window_hours, level, stored)
            for state in STORED_STATES
            for each in records
            if each.state == state
        ),
        nearest=_nearest(records),
        calibration=tuple(_bin(each, independent) for each in stated.bins),
        brier=_maybe(stated.brier),
        reference=_maybe(stated.reference),
    )


def setup_of(one: PatternRecord) -> tuple[Direction, Trend]:
    """Return the direction and the move before of a hypothesis."""
    return one.hypothesis.setup


def key_of(role_id: str, asset_class: str, one: PatternRecord) -> PatternKey:
    """Return what a hypothesis of a family is about."""
    return PatternKey(role_id, asset_class, *setup_of(one), one.hypothesis.side)


def text_of(
    key: PatternKey,
    one: PatternRecord,
    window_hours: int,
    level: float,
    texts: Mapping[PatternKey, Pattern],
) -> str:
    """Return the text of a pattern; empty where nothing may be said.

    The stored one, or before the newest outcomes are weighed the one that they will give.
    """
    stored = texts.get(key)
    if one.state not in STORED_STATES:
        return ""
    if stored is not None and stored.state == one.state:
        return stored.text
    numbers = read_numbers(numbers_of(one, window_hours, level))
    return template_text(key, one.state, one.scope.is_class, one.scope.assets, numbers)


def line_of(one: PatternRecord | CellNumbers) -> CellLine:
    """Return the counts of a hypothesis, which are those of its setup, or of cells."""
    low, high = one.interval
    return CellLine(
        one.n,
        one.n_eff,
        one.spent,
        rounded(one.hits),
        rounded(one.expected),
        rounded(low),
        rounded(high),
        _maybe(one.mean_residual),
        one.cost_micro_usd,
    )


def market_of(one: PatternRecord) -> MarketRate | None:
    """Return what the market itself did in the setup of a hypothesis, of all assets together."""
    return market_rate(own.market for own in one.asset_evidence.values())


def _nearest(records: Sequence[PatternRecord]) -> NearestSetup | None:
    """Return the setup that needs the fewest further stretches."""
    open_ = [one for one in records if one.stretches_needed is not None]
    if not open_:
        return None
    one = min(open_, key=lambda one: one.stretches_needed or 0)
    return NearestSetup(
        *setup_of(one),
        one.n_eff,
        rounded(one.hits),
        rounded(one.expected),
        rounded(one.shrunk_rate),
        one.stretches_needed or 0,
    )


def _pattern(
    key: PatternKey,
    one: PatternRecord,
    window_hours: int,
    level: float,
    stored: _StoredPatterns,
) -> PatternLine:
    return PatternLine(
        *(one.state, key.direction, key.trend, key.side, one.scope.is_class, one.scope.assets),
        text_of(key, one, window_hours, level, stored.texts),
        rounded(one.reverse),
        stored.untested(key),
        stored.effects.get(key),
    )


def _bin(one: ConfidenceBin, independent: float) -> CalibrationLine:
    """Return a bin with an interval that near-same decisions do not narrow.

    Args:
        independent: stretches for each decision, at most 1.
    """
    votes = max(1.0, one.n * independent)
    low, high = wilson_interval(one.hit_rate * votes, votes)
    return CalibrationLine(
        rounded(one.stated), rounded(one.hit_rate), rounded(low), rounded(high), one.n
    )


def rounded(value: float) -> float:
    """Return a share or a count with six digits after the point."""
    return round(value, 6)


def _maybe(value: float | None) -> float | None:
    return None if value is None else rounded(value)
