"""What the record of a role says, class by class: gathered once, told on a terminal or a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.decisions import read_rows
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.patterns.ageing import Ageing
from afterword.pipeline.domain.patterns.counts import CellNumbers, total
from afterword.pipeline.domain.patterns.effect import effects
from afterword.pipeline.domain.patterns.family import window_of
from afterword.pipeline.domain.patterns.model import STORED_STATES, Pattern, PatternKey
from afterword.pipeline.domain.patterns.numbers import numbers_of, read_numbers
from afterword.pipeline.domain.patterns.placebos import PlaceboCount
from afterword.pipeline.domain.patterns.read import ClassSummary, current, summaries
from afterword.pipeline.domain.patterns.text import template_text
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.operations.roles.figures import (
    CalibrationLine,
    calibration_lines,
    maybe,
    rounded,
)
from afterword.pipeline.rules.evidence.calibration import calibration
from afterword.pipeline.rules.evidence.lesson_effect import LessonEffect
from afterword.pipeline.rules.evidence.market_rate import MarketRate, market_rate
from afterword.pipeline.rules.evidence.model import PatternRecord, PatternState, Side
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
        return [pattern for pattern in self.patterns if pattern.state in states]

    @property
    def fullest(self) -> SetupLine | None:
        """The setup with the most stretches; None without any."""
        return max(self.setups, key=lambda setup: setup.numbers.stretches, default=None)


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
    erased = read_rows.erased(conn, role.id) if as_of is None else 0
    if window_hours is None:
        return RoleSummary(role.id, role.label, None, waiting, (), erased)
    texts = stored_texts(conn, role, as_of)
    told = [pattern for pattern in texts.values() if pattern.state != "emerging"]
    stored = _StoredPatterns(texts, effects(conn, role, told, as_of), ageing)
    classes = tuple(
        _overview(summary, role.id, level, stored)
        for summary in summaries(conn, role, level=level, as_of=as_of)
    )
    return RoleSummary(role.id, role.label, window_hours, waiting, classes, erased)


def stored_texts(conn: Connection, role: Role, as_of: datetime | None) -> dict[PatternKey, Pattern]:
    """Return the patterns of a role that have a text, by what they are about."""
    return {pattern.key: pattern for pattern in current(conn, [role.id], STORED_STATES, as_of)}


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
    summary: ClassSummary, role_id: str, level: float, stored: _StoredPatterns
) -> ClassOverview:
    records = summary.family.patterns()
    stated = calibration(summary.calibration)
    counts = summary.directions.values()
    neutral = [cell for key, cell in summary.cells.items() if key.direction == "neutral"]
    calls = [cell for key, cell in summary.cells.items() if key.direction != "neutral"]
    stretches = summary.all.n_eff + summary.all.spent
    independent = min(1.0, stretches / summary.all.n) if summary.all.n else 1.0
    return ClassOverview(
        asset_class=summary.asset_class,
        first_at=summary.first_at,
        last_at=summary.last_at,
        decisions=sum(counted.n for counted in counts),
        right=sum(counted.right for counted in counts),
        wrong=sum(counted.wrong for counted in counts),
        noise=sum(counted.noise for counted in counts),
        sized=summary.sized,
        plans=dict(sorted(summary.plans.items(), reverse=True)),
        calls=line_of(total(calls)),
        neutral=line_of(total(neutral)) if neutral else None,
        setups=tuple(
            SetupLine(*setup_of(record), line_of(record), market_of(record))
            for record in records
            if record.hypothesis.side == "failing" and record.n
        ),
        patterns=tuple(
            _pattern(
                key_of(role_id, summary.asset_class, record),
                record,
                summary.window_hours,
                level,
                stored,
            )
            for state in STORED_STATES
            for record in records
            if record.state == state
        ),
        nearest=_nearest(records),
        calibration=calibration_lines(stated.bins, independent),
        brier=maybe(stated.brier),
        reference=maybe(stated.reference),
    )


def setup_of(record: PatternRecord) -> tuple[Direction, Trend]:
    """Return the direction and the move before of a hypothesis."""
    return record.hypothesis.setup


def key_of(role_id: str, asset_class: str, record: PatternRecord) -> PatternKey:
    """Return what a hypothesis of a family is about."""
    return PatternKey(role_id, asset_class, *setup_of(record), record.hypothesis.side)


def text_of(
    key: PatternKey,
    record: PatternRecord,
    window_hours: int,
    level: float,
    texts: Mapping[PatternKey, Pattern],
) -> str:
    """Return the text of a pattern; empty where nothing may be said.

    The stored one, or before the newest outcomes are weighed the one that they will give.
    """
    stored = texts.get(key)
    if record.state not in STORED_STATES:
        return ""
    if stored is not None and stored.state == record.state:
        return stored.text
    numbers = read_numbers(numbers_of(record, window_hours, level))
    return template_text(key, record.state, record.scope.is_class, record.scope.assets, numbers)


def line_of(counts: PatternRecord | CellNumbers) -> CellLine:
    """Return the counts of a hypothesis, which are those of its setup, or of cells."""
    low, high = counts.interval
    return CellLine(
        counts.n,
        counts.n_eff,
        counts.spent,
        rounded(counts.hits),
        rounded(counts.expected),
        rounded(low),
        rounded(high),
        maybe(counts.mean_residual),
        counts.cost_micro_usd,
    )


def market_of(record: PatternRecord) -> MarketRate | None:
    """Return what the market itself did in the setup of a hypothesis, of all assets together."""
    return market_rate(own.market for own in record.asset_evidence.values())


def _nearest(records: Sequence[PatternRecord]) -> NearestSetup | None:
    """Return the setup that needs the fewest further stretches."""
    open_ = [record for record in records if record.stretches_needed is not None]
    if not open_:
        return None
    nearest = min(open_, key=lambda record: record.stretches_needed or 0)
    return NearestSetup(
        *setup_of(nearest),
        nearest.n_eff,
        rounded(nearest.hits),
        rounded(nearest.expected),
        rounded(nearest.shrunk_rate),
        nearest.stretches_needed or 0,
    )


def _pattern(
    key: PatternKey,
    record: PatternRecord,
    window_hours: int,
    level: float,
    stored: _StoredPatterns,
) -> PatternLine:
    return PatternLine(
        *(record.state, key.direction, key.trend, key.side),
        *(record.scope.is_class, record.scope.assets),
        text_of(key, record, window_hours, level, stored.texts),
        rounded(record.reverse),
        stored.untested(key),
        stored.effects.get(key),
    )
