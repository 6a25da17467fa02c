"""An asset at one moment: what all decisions of that moment about it share."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject, TrendBefore
from afterword.pipeline.domain.outcomes.moves import leader_move, trend_before
from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle
from afterword.pipeline.domain.outcomes.paths import MarketPath, MarketPaths, PricedAsset
from afterword.pipeline.domain.outcomes.plans import LadderPlan, plan_of
from afterword.pipeline.domain.prices.feed import PriceSource
from afterword.pipeline.rules.market.exact import PPB, rounded
from afterword.pipeline.rules.market.excursions import excursions
from afterword.pipeline.rules.market.windows import HOUR_US

BesideLeader = tuple[str | None, int | None, int | None, int | None]
"""The leader of a class, its move, the beta and the residual; see `MeasuredOutcome`."""

NO_LEADER: Final[BesideLeader] = (None, None, None, None)


class MomentMove(NamedTuple):
    """What a market did over one window of a decision, whatever its stance.

    Args:
        last: place of the bar of the exit in the ladder of the path; `exited_at` is its close.
        move: of the price; parts per billion.
        usual: the deviation that is usual at its place in the week; None where the market was
            closed for most of it; see `UsualPace`.
        away: how far it went down and up; see `excursions`.
    """

    path: MarketPath
    last: int
    exited_at: int
    move: int
    usual: int | None
    trend_ppb: int | None
    trend: TrendBefore | None
    away: tuple[int, int]
    beside: BesideLeader


class InstantCall:
    """The outcomes of subjects of one moment that make the same call with the same plan.

    Attributes:
        has_plan: whether it has a stop or a target.
        outcomes: those found so far, by window (hours).
    """

    __slots__ = ("_plans", "has_plan", "outcomes")

    def __init__(self, has_plan: bool) -> None:
        self.has_plan = has_plan
        self.outcomes: dict[int, MeasuredOutcome | OutcomeObstacle] = {}
        self._plans: dict[int, LadderPlan | None] = {}

    def plan(self, subject: Subject, path: MarketPath, decided: int) -> LadderPlan | None:
        """Return its plan on a path that `AssetInstant.move` found."""
        key = id(path)  # the path is kept with its move, so no other one has its identity
        if key not in self._plans:
            self._plans[key] = plan_of(subject, path.series, path.ladder, path.entry, decided)
        return self._plans[key]


class AssetInstant:
    """An asset at the moment of decisions about it.

    Args:
        costs: of a round trip; parts per billion.

    Attributes:
        decided: the moment; microseconds.
    """

    def __init__(
        self,
        prices: PriceSource,
        paths: MarketPaths,
        asset: PricedAsset,
        decided: int,
        costs: int,
    ) -> None:
        self.asset, self.decided = asset, decided
        self._prices, self._finder, self._costs = prices, paths, costs
        self._paths: dict[int, MarketPath | OutcomeObstacle] = {}
        self._moves: dict[int, MomentMove | OutcomeObstacle] = {}
        self._calls: dict[tuple[object, ...], InstantCall] = {}

    def move(self, hours: int) -> MomentMove | OutcomeObstacle:
        """Return what the market did over a window, or why that cannot be said."""
        move = self._moves.get(hours)
        if move is None:
            move = self._moves[hours] = self._move(hours)
        return move

    def call(self, subject: Subject, peers: Sequence[str]) -> InstantCall:
        """Return what the subjects share that differ in nothing but their number."""
        _, _, _, stance, _, stop, target, size = subject
        key = stance, stop, target, size, *peers
        call = self._calls.get(key)
        if call is None:
            call = self._calls[key] = InstantCall(stop is not None or target is not None)
        return call

    def _move(self, hours: int) -> MomentMove | OutcomeObstacle:
        span = self._finder.span_of(self.asset, self.decided, hours, self._paths)
        if isinstance(span, OutcomeObstacle):
            return span
        path, last = span
        ladder, entry = path.ladder, path.entry
        exited_at, move = ladder.closed[last], ladder.move_from_ppb(entry.price, last)
        usual = path.pace.sigma_ppb(exited_at, last - entry.last)
        trend_ppb, trend = trend_before(self._prices, path, entry.at, hours * HOUR_US, self._costs)
        away = excursions(ladder, entry, last)
        beside = self._beside_leader(path, move, exited_at)
        return MomentMove(path, last, exited_at, move, usual, trend_ppb, trend, away, beside)

    def _beside_leader(self, path: MarketPath, move: int, exited_at: int) -> BesideLeader:
        market = path.market
        if market is None or (led := leader_move(self._prices, market, exited_at)) is None:
            return NO_LEADER
        beta = market.beta_ppb
        return market.series.symbol, led, beta, move - rounded(beta * led, PPB)
