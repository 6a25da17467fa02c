"""Measure what became of a subject: the one measurement, live and in a replay.

Right, wrong and noise are measured alike. Every number is a whole number rounded once, a half to
the even neighbour; what was known when the subject entered decides everything but the exit.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.outcomes.beside import move_beside
from afterword.pipeline.domain.outcomes.instant import (
    NO_LEADER,
    AssetInstant,
    BesideLeader,
    InstantCall,
    MomentMove,
)
from afterword.pipeline.domain.outcomes.model import (
    RULE_VERSION,
    MeasuredOutcome,
    PlanResult,
    Subject,
)
from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle, closed
from afterword.pipeline.domain.outcomes.paths import MarketPaths, PricedAsset
from afterword.pipeline.domain.outcomes.plans import LadderPlan, plan_result, plan_verdict
from afterword.pipeline.domain.prices.feed import PriceSource, refuse_future
from afterword.pipeline.rules.market.exact import PPB, ppb_of, rounded
from afterword.pipeline.rules.market.market_record import USUAL_RATIO_PPB
from afterword.pipeline.rules.market.outcome import Stance, judged
from afterword.pipeline.rules.market.trend_base import SetupBase
from afterword.pipeline.rules.market.volatility import Costs, band_ppb, typical_ppb
from afterword.pipeline.rules.market.windows import HOUR_US, due_at

USUAL_COSTS: Final = Costs()

_NO_SETUP: Final = (None, None)


class _JudgedMove(NamedTuple):
    """The move that a subject is judged by, and what it is compared with.

    Args:
        move: beside the mean of the peers, if there are any; parts per billion.
        sigma: deviation of such a move over the same time; parts per billion.
        usual: what of it is usual at its place in the week; None where the market was closed for
            most of it.
        ratio: typical move by deviation; parts per billion.
        base: chance of a right call of this direction without skill; parts per billion.
        setup: the same chance after such a trend as was before it; None where it is not counted.
        leader: the leader of its class; `NO_LEADER` beside peers.
    """

    move: int
    sigma: int
    usual: int | None
    ratio: int
    base: int
    setup: SetupBase | None
    leader: BesideLeader


class _PlanOutcome(NamedTuple):
    """What the plan of a subject came to.

    Args:
        met: what it met first; None without a plan, and where the plan was passed at the entry.
        at: close of the bar in which that happened; microseconds.
        earned: net of costs; parts per billion.
        is_passed: whether the entry lay at its stop or target, or beyond.
    """

    met: PlanResult | None = None
    at: int | None = None
    earned: int | None = None
    is_passed: bool = False


_NO_PLAN: Final = _PlanOutcome()


def measure(
    prices: PriceSource,
    subject: Subject,
    window_hours: int,
    known_by: datetime,
    costs: Costs = USUAL_COSTS,
    peers: Sequence[str] = (),
) -> MeasuredOutcome | OutcomeObstacle:
    """Return what became of a subject over one window, or why that cannot be said.

    Args:
        known_by: nothing known later is read; also when the outcome was measured.
        peers: assets whose mean move is taken off its own, and off its volatility.

    Raises:
        LookAheadError: it cannot be due by `known_by`, whatever its entry.
    """
    return OutcomeMeasurer(prices, known_by, costs).over(subject, (window_hours,), peers)[0]


class OutcomeMeasurer:
    """Measures subjects from one source of prices; what they share is read once.

    Args:
        known_by: nothing known later is read; also when the outcomes were measured.
        costs: of each trade.
        assets: see `MarketPaths`.
    """

    def __init__(
        self,
        prices: PriceSource,
        known_by: datetime,
        costs: Costs = USUAL_COSTS,
        assets: dict[str, PricedAsset] | None = None,
    ) -> None:
        self._prices, self._known_by = prices, known_by
        self._known = to_micros(known_by)
        self._costs = ppb_of(costs.round_trip)
        self._paths = MarketPaths(prices, self._known, assets)
        # Only the assets of the last moment are kept, as they are written: decisions come by asset
        # and moment, or moment by moment, and many kept tuples are work for the search for cycles.
        self._decided: int | None = None
        self._instants: dict[str, AssetInstant] = {}

    def over(
        self, subject: Subject, windows: Sequence[int], peers: Sequence[str] = ()
    ) -> list[MeasuredOutcome | OutcomeObstacle]:
        """Return what became of a subject over several windows; hours.

        Raises:
            LookAheadError: one of them cannot be due by `known_by`, whatever its entry.
        """
        kind, row_id, written, _, decided_at, _, _, _ = subject
        instant = self._instant(written, decided_at)
        if instant.decided + max(windows) * HOUR_US > self._known:
            refuse_future(due_at(decided_at, max(windows)), self._known_by)
        call = instant.call(subject, peers)
        outcomes: list[MeasuredOutcome | OutcomeObstacle] = []
        for hours in windows:
            outcome = call.outcomes.get(hours)
            if outcome is None:
                outcome = call.outcomes[hours] = self._over(subject, instant, call, hours, peers)
            elif isinstance(outcome, MeasuredOutcome):
                outcome = MeasuredOutcome._make((kind, row_id, *outcome[2:]))
            outcomes.append(outcome)
        return outcomes

    def _instant(self, written: str, decided_at: datetime) -> AssetInstant:
        decided = to_micros(decided_at)
        if decided != self._decided:
            self._decided, self._instants = decided, {}
        instant = self._instants.get(written)
        if instant is None:
            asset = self._paths.asset(written)
            instant = self._instants[written] = AssetInstant(
                self._prices, self._paths, asset, decided, self._costs
            )
        return instant

    def _over(
        self,
        subject: Subject,
        instant: AssetInstant,
        call: InstantCall,
        hours: int,
        peers: Sequence[str],
    ) -> MeasuredOutcome | OutcomeObstacle:
        """Return the outcome over one window."""
        moved = instant.move(hours)
        if isinstance(moved, OutcomeObstacle):
            return moved
        compared = self._judged_move(moved, subject.stance, hours, peers)
        if isinstance(compared, OutcomeObstacle):
            return compared
        move, sigma, usual, ratio, base, setup, leader = compared
        path, last, exited_at, _, _, trend_ppb, trend, away, _ = moved
        series, group, _, ladder, _, _, entry, _, _, tercile, _ = path
        costs, stance = self._costs, subject.stance
        if usual is None and stance == "neutral":
            return closed(series, entry.at, exited_at)
        band = band_ppb(sigma, costs)
        typical = None if usual is None else typical_ppb(usual, ratio)
        verdict = judged(stance, move, band, typical or 0)
        market_symbol, market_ppb, beta_ppb, residual_ppb = leader
        setup_base_ppb, setup_votes = setup or _NO_SETUP
        result: int | None = None
        if stance != "neutral":
            result = (move if stance == "long" else -move) - costs
        worst, best = (-away[1], -away[0]) if stance == "short" else away
        plan, plan_at, plan_ppb, is_passed = _NO_PLAN
        if result is not None and call.has_plan:
            planned = call.plan(subject, path, instant.decided)
            plan, plan_at, plan_ppb, is_passed = _plan_outcome(planned, moved, result, costs)
        usd = None
        if subject.size_usd is not None:
            usd = _usd(subject.size_usd, result if plan is None else plan_ppb)
        # `_make` of a plain tuple takes half the time of a call with so many arguments.
        return MeasuredOutcome._make(
            (
                subject.kind,
                subject.id,
                hours,
                RULE_VERSION,
                self._known,
                instant.asset.key,
                group,
                stance,
                verdict if plan is None else plan_verdict(plan, verdict),
                verdict,
                series.source,
                series.symbol,
                entry.at,
                ladder.entry_text(entry),
                exited_at,
                ladder.texts[last],
                move,
                sigma,
                band,
                costs,
                typical,
                base,
                result,
                usd,
                trend_ppb,
                trend,
                tercile,
                market_symbol,
                market_ppb,
                beta_ppb,
                residual_ppb,
                worst,
                worst,
                best,
                best,
                plan,
                plan_at,
                plan_ppb,
                entry.at - instant.decided,
                is_passed,
                setup_base_ppb,
                setup_votes,
            )
        )

    def _judged_move(
        self, moved: MomentMove, stance: Stance, hours: int, peers: Sequence[str]
    ) -> _JudgedMove | OutcomeObstacle:
        """Return the move of a window: its own one, or the one beside its peers."""
        path, _, exited_at, move, usual, _, trend, _, leader = moved
        if peers:
            beside = move_beside(self._paths, path, move, exited_at, hours, peers)
            if isinstance(beside, OutcomeObstacle):
                return beside
            move, sigma = beside
            return _JudgedMove(move, sigma, sigma, USUAL_RATIO_PPB, PPB // 2, None, NO_LEADER)
        entry_at = path.entry.at
        sigma = path.spread.sigma_ppb(exited_at - entry_at)
        window = path.record.window(hours * HOUR_US, self._costs)
        ratio, base, setup = window.as_of(stance, entry_at, trend)
        return _JudgedMove(move, sigma, usual, ratio, base, setup, leader)


class OutcomeMeasurers:
    """The measurers of one source of prices: one for each cost of a trade.

    Args:
        known_by: nothing known later is read; also when the outcomes were measured.
        assets: see `MarketPaths`.
    """

    def __init__(
        self,
        prices: PriceSource,
        known_by: datetime,
        assets: dict[str, PricedAsset] | None = None,
    ) -> None:
        self.prices, self.known_by = prices, known_by
        self._assets = {} if assets is None else assets
        self._by_costs: dict[Costs, OutcomeMeasurer] = {}

    def at(self, costs: Costs) -> OutcomeMeasurer:
        """Return the measurer of these costs."""
        measurer = self._by_costs.get(costs)
        if measurer is None:
            measurer = self._by_costs[costs] = OutcomeMeasurer(
                self.prices, self.known_by, costs, self._assets
            )
        return measurer


OpenPrices = Callable[[Connection], PriceSource]
"""Opens the prices for one read of a store."""

MeasurersOf = Callable[[PriceSource, datetime], OutcomeMeasurers]
"""Makes the measurers of a source of prices, as of a moment."""


class KeptMeasurers:
    """A `MeasurersOf` for passes between which no price is written: for a replay.

    The measurers of one moment are made once, and those of another moment share the assets.
    """

    def __init__(self) -> None:
        self._assets: dict[str, PricedAsset] = {}
        self._last: OutcomeMeasurers | None = None

    def __call__(self, prices: PriceSource, known_by: datetime) -> OutcomeMeasurers:
        """Return the measurers of a moment."""
        last = self._last
        if last is None or last.prices is not prices:
            self._assets = {}
        elif last.known_by == known_by:
            return last
        self._last = OutcomeMeasurers(prices, known_by, self._assets)
        return self._last


def _plan_outcome(
    planned: LadderPlan | None, moved: MomentMove, result: int, costs: int
) -> _PlanOutcome:
    """Return what a plan met first over a window.

    Args:
        result: what the direction earned over the window, net of costs; parts per billion.
    """
    if planned is None:
        return _NO_PLAN
    if planned.is_passed:
        return _PlanOutcome(is_passed=True)
    return _PlanOutcome(*plan_result(planned, moved.path.ladder, moved.last, result, costs))


def _usd(size: Decimal, earned_ppb: int | None) -> int | None:
    """Return what a share of a position is in millionths of a dollar."""
    if earned_ppb is None:
        return None
    above, below = size.as_integer_ratio()
    return rounded(above * earned_ppb, below * 1_000)
