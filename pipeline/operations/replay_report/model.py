"""What a report of a replay says: frozen values that become JSON as they are.

Shares are fractions (0.57 is 57 %), results are in σ: the usual move of the market of a decision
over its window, as known when it was made. Moments are aware UTC.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from afterword.pipeline.domain.audit.model import Band, Severity
from afterword.pipeline.domain.methodologies.model import (
    MethodDirection,
    MethodGate,
    MethodSource,
    MethodState,
)
from afterword.pipeline.domain.patterns.placebos import PlaceboCount
from afterword.pipeline.domain.trades.sums_model import QuoteSums
from afterword.pipeline.operations.replay.model import ReplayInput, ReplayState
from afterword.pipeline.operations.replay.run import Throughput
from afterword.pipeline.operations.roles.figures import CalibrationLine
from afterword.pipeline.rules.evidence.model import PatternState, Side
from afterword.pipeline.rules.setup import Direction, Trend

CurvePoints = tuple[tuple[datetime, float], ...]
"""What all results add up to, by moment; σ."""


@dataclass(frozen=True, slots=True)
class ReportHead:
    """What was replayed, and how far it is.

    Args:
        reached_at: everything up to this pass is done.
        days: from the begin until then.
        rules: who decided by a rule, each with its parameters.
        known_until: the last day that the model that judged may know; empty without a model.
        known_decisions: decisions made before that; count.
        state_hash: digest of all that is done; empty before the first link.
        decisions: prepared ones; `recorded` of these until now; counts.
        settled: recorded ones with an outcome over their own window; `waiting` have none yet.
        unpriced: recorded ones that too few prices of their market could measure; count.
        priced_by_fills: markets of decisions whose only prices are the fills of the trades.
        outcomes: over all windows; count.
        events: rows that the chain has hashed; count.
    """

    name: str
    state: ReplayState
    begins_at: datetime
    reached_at: datetime
    ends_at: datetime
    days: int
    inputs: tuple[ReplayInput, ...]
    rules: tuple[tuple[str, str], ...]
    horizon_hours: int
    every_hours: int
    placebos: bool
    seed: int
    gate: MethodGate
    fdr: float
    pattern_error: float
    judge: str
    known_until: str
    known_decisions: int
    state_hash: str
    settings_hash: str
    decisions: int
    recorded: int
    settled: int
    waiting: int
    unpriced: int
    priced_by_fills: tuple[str, ...]
    outcomes: int
    events: int


@dataclass(frozen=True, slots=True)
class RoundTripsPart:
    """What round trips really came to, whatever their decisions are judged by.

    Args:
        trips: complete ones that closed so far; count.
        sums: of these, by quote.
        left_out: trips that do not decide, by reason; counts.
    """

    trips: int
    sums: tuple[QuoteSums, ...]
    left_out: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ReportCurve:
    """Some decisions at equal risk.

    Args:
        decisions: those with a position and an outcome; count.
        total: sum of all results; `drawdown` its deepest fall.
        mean: mean result of a decision; `mean_error` its standard error; None where unknown.
        most_open: decisions that were open at once, at most; count.
        points: at most 400, the first and the last one among them.
    """

    decisions: int
    total: float
    drawdown: float
    mean: float | None
    mean_error: float | None
    most_open: int
    points: CurvePoints


@dataclass(frozen=True, slots=True)
class RoleEquity:
    """What the decisions of a role came to at equal risk.

    Args:
        window_hours: when its decisions are judged.
        decided: net of fees and slippage.
        held: the same assets, times and risk, always long, without costs.
        coin: what a coin would have earned over as many decisions; None without such a placebo.
        assets: count.
        right: decisions, by the move over the window; `wrong` and `noise` likewise.
        neutral: decisions without a position; count.
        unscaled: decisions left out because their market did not move before; count.
    """

    role: str
    is_placebo: bool
    window_hours: int
    decided: ReportCurve
    held: ReportCurve
    coin: CurvePoints | None
    coin_total: float | None
    assets: int
    right: int
    wrong: int
    noise: int
    neutral: int
    unscaled: int


@dataclass(frozen=True, slots=True)
class PlaceboEquity:
    """What the decisions of one placebo came to; see `ReportCurve`.

    Args:
        is_coin: whether it is what the roles are held against.
    """

    maker: str
    is_coin: bool
    decisions: int
    total: float
    mean: float | None
    mean_error: float | None


@dataclass(frozen=True, slots=True)
class CostLine:
    """Costs of a round trip that were taken off, as a share of its value."""

    asset_class: str
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class EquityPart:
    """Equity at equal risk.

    Args:
        roles: placebos last.
        costs: by class of assets.
        fee_bps, slippage_bps: of one side of a trade; basis points of its value.
    """

    roles: tuple[RoleEquity, ...]
    placebos: tuple[PlaceboEquity, ...]
    costs: tuple[CostLine, ...]
    fee_bps: float
    slippage_bps: float


@dataclass(frozen=True, slots=True)
class HitShare:
    """How often something was right, against what it would have been without skill.

    Args:
        uses: votes; count.
        hits: of these, right; fractions where several assets share a vote.
        expected: hits without skill; None where the gate does not ask.
        rate: share that was right; None without votes, as is `base`.
        low: lower end of the 95 % interval of the rate, by Wilson; `high` the upper one.
    """

    uses: float
    hits: float
    expected: float | None
    rate: float | None
    base: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Graduation:
    """The time for which a gate had a methodology graduated.

    Args:
        ended_at: when it lost that; None while it stands.
        before: its record until it graduated.
        since: its record since, which nobody knew then; None where it was not kept.
    """

    gate: MethodGate
    at: datetime
    ended_at: datetime | None
    before: HitShare
    since: HitShare | None


@dataclass(frozen=True, slots=True)
class ReplayMethod:
    """A methodology and its record.

    Args:
        number: its row id.
        horizon_hours: when decisions that apply it are judged.
        decisions: that applied it; count.
        strict: its record by stretches, since its evidence began; `literal` by windows.
        spent: stretches without a vote; count.
        e_value: what a bet of 1 on it became.
        uses_needed: further stretches until a verdict at its present rate; None: none in sight.
        verdict_at: when that would be; `months_needed` from the end of the replay.
        promising_ever: whether it was ever told apart from luck by itself.
        graduations: by both gates, in order.
    """

    number: int
    uid: str
    name: str
    text: str
    source: MethodSource
    asset_class: str
    direction: MethodDirection
    horizon_hours: int
    state: MethodState
    decisions: int
    strict: HitShare
    literal: HitShare
    spent: int
    e_value: float
    uses_needed: int | None
    verdict_at: datetime | None
    months_needed: float | None
    promising_ever: bool
    graduations: tuple[Graduation, ...]

    @property
    def is_placebo(self) -> bool:
        """Whether it was made without skill, to test the gates."""
        return self.source == "placebo"


@dataclass(frozen=True, slots=True)
class GateCount:
    """How many methodologies came how far; counts.

    Args:
        written: all; `voted` of these have an outcome that counts.
        promising: ever told apart from luck by themselves.
        strict: ever graduated by the strict gate; of placebos, those that it would have let
            through. `literal` likewise.
    """

    written: int
    voted: int
    promising: int
    strict: int
    literal: int


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """All that a gate ever graduated, until then and since.

    Args:
        graduations: of which both are known; count.
        before: their records until they graduated; `since` what came then. The uses of several
            methodologies share prices: their sums have no interval worth telling.
    """

    gate: MethodGate
    graduations: int
    before: HitShare
    since: HitShare


@dataclass(frozen=True, slots=True)
class TriedPart:
    """How many were tried, and what is expected to be luck.

    Args:
        tried: methodologies that ever cast a vote; `graduated` of these stand now.
        expected_false: how many of the graduated are luck, at most, on average.
        without: how many luck would let through if each were judged by itself.
        bar: e-value that graduates one more; None before the first pass.
        words: the same as sentences.
        methods: all but placebos.
        placebos: a replay's own honesty check: none of them should pass.
        before_after: by gate, the strict one first.
    """

    tried: int
    graduated: int
    expected_false: float
    without: float
    bar: float | None
    words: str
    methods: GateCount
    placebos: GateCount
    before_after: tuple[BeforeAfter, ...]


@dataclass(frozen=True, slots=True)
class ReplayPattern:
    """A pattern of a role, with its text."""

    role: str
    is_placebo: bool
    state: PatternState
    asset_class: str
    direction: Direction
    trend: Trend
    side: Side
    text: str


@dataclass(frozen=True, slots=True)
class FoldCount:
    """What decisions of a fold came to; they share prices, so no interval is told.

    Args:
        decisions: with an outcome; `voted` of these beyond the noise band; counts.
        hits: of these, right; `expected` without skill.
        rate: share that was right; None without votes, as is `base`.
    """

    decisions: int
    voted: int
    hits: int
    expected: float
    rate: float | None
    base: float | None


@dataclass(frozen=True, slots=True)
class FoldLine:
    """A part of the span: what was graduated when it began, and what came then.

    Args:
        graduated: names of the methodologies in prompts at its start.
        cited: decisions in it that cite one of these.
        every: all decisions in it that are no placebo's; `placebo` those that are.
    """

    number: int
    from_at: datetime
    to_at: datetime
    graduated: tuple[str, ...]
    cited: FoldCount
    every: FoldCount
    placebo: FoldCount


@dataclass(frozen=True, slots=True)
class StatedPart:
    """Stated confidence beside what came true.

    Args:
        decisions: that stated one, and were right or wrong; `stretches` of them do not overlap.
        brier: mean squared error of the confidence; `reference` that of always stating the share
            that was right. None without decisions.
    """

    decisions: int
    stretches: int
    bins: tuple[CalibrationLine, ...]
    brier: float | None
    reference: float | None


@dataclass(frozen=True, slots=True)
class AuditPoint:
    """One audit of the learning loop.

    Args:
        composite: 0 to 100; None where nothing could be scored.
    """

    at: datetime
    composite: float | None
    band: Band | None


@dataclass(frozen=True, slots=True)
class LoopFinding:
    """What the last audit found."""

    severity: Severity
    text: str


@dataclass(frozen=True, slots=True)
class LoopPart:
    """How the learning loop itself ran.

    Args:
        passes: of the synthesis; `frozen` of these graduated nobody in some market, by its name.
        audits: count; `trend` has at most 400 of them.
        findings: of the last audit.
    """

    passes: int
    frozen: int
    frozen_markets: Mapping[str, int]
    audits: int
    trend: tuple[AuditPoint, ...]
    findings: tuple[LoopFinding, ...]


@dataclass(frozen=True, slots=True)
class CoinRoles:
    """How many roles of coin flips at the moments of a role would have been told something.

    Args:
        counts: by class of assets.
    """

    role: str
    counts: tuple[PlaceboCount, ...]


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What came of a replay, as of its cursor.

    Args:
        throughput: of the run that just ended; None if the report is read later.
        coins: beside the patterns of each role; empty if no coins were sent.
    """

    head: ReportHead
    trips: RoundTripsPart
    equity: EquityPart
    tried: TriedPart
    methods: tuple[ReplayMethod, ...]
    patterns: tuple[ReplayPattern, ...]
    folds: tuple[FoldLine, ...]
    stated: StatedPart
    loop: LoopPart
    throughput: Throughput | None
    coins: tuple[CoinRoles, ...] = ()

    def graduated(self) -> list[ReplayMethod]:
        """Return the methodologies that the gate in force has graduated now."""
        return [method for method in self.methods if method.state == "graduated"]
