"""An asset at one moment: what all decisions of that moment about it share."""

from typing import Final, NamedTuple

from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject, TrendBefore
from afterword.pipeline.domain.outcomes.moves import leader_move, trend_before
from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle
from afterword.pipeline.domain.outcomes.paths import HOUR_US, MarketPath, MarketPaths, PricedAsset
from afterword.pipeline.domain.outcomes.plans import LadderPlan, plan_of
from afterword.pipeline.domain.prices.feed import PriceSource
from afterword.pipeline.rules.market.exact import PPB, rounded
from afterword.pipeline.rules.market.excursions import excursions

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


class AssetInstant:
    """An asset at the moment of decisions about it.

    Args:
        costs: of a round trip; parts per billion.

    Attributes:
        decided: the moment; microseconds.
        outcomes: those of its subjects so far, by window and all that makes subjects differ but
            their number.
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
        self.outcomes: dict[tuple[object, ...], MeasuredOutcome | OutcomeObstacle] = {}
        self._prices, self._finder, self._costs = prices, paths, costs
        self._paths: dict[int, MarketPath | OutcomeObstacle] = {}
        self._moves: dict[int, MomentMove | OutcomeObstacle] = {}
        self._plans: dict[tuple[object, ...], LadderPlan | None] = {}

    def move(self, hours: int) -> MomentMove | OutcomeObstacle:
        """Return what the market did over a window, or why that cannot be said."""
        found = self._moves.get(hours)
        if found is None:
            found = self._moves[hours] = self._move(hours)
        return found

    def plan(self, subject: Subject, path: MarketPath) -> LadderPlan | None:
        """Return the plan of a subject on a path that `move` found."""
        if subject.stop_price is None and subject.target_price is None:
            return None
        # The path is kept with its move, so no other one has its identity.
        key = id(path), subject.stance, subject.stop_price, subject.target_price
        if key not in self._plans:
            self._plans[key] = plan_of(subject, path.series, path.ladder, path.entry, self.decided)
        return self._plans[key]

    def _move(self, hours: int) -> MomentMove | OutcomeObstacle:
        span = self._finder.span_of(self.asset, self.decided, hours, self._paths)
        if isinstance(span, OutcomeObstacle):
            return span
        path, last = span
        ladder, entry = path.ladder, path.entry
        exited_at, move = ladder.closed[last], ladder.move_from_ppb(entry.price, last)
        return MomentMove(
            path,
            last,
            exited_at,
            move,
            path.pace.sigma_ppb(exited_at, last - entry.last),
            *trend_before(self._prices, path, entry.at, hours * HOUR_US, self._costs),
            excursions(ladder, entry, last),
            self._beside_leader(path, move, exited_at),
        )

    def _beside_leader(self, path: MarketPath, move: int, exited_at: int) -> BesideLeader:
        market = path.market
        if market is None or (led := leader_move(self._prices, market, exited_at)) is None:
            return NO_LEADER
        beta = market.beta_ppb
        return market.series.symbol, led, beta, move - rounded(beta * led, PPB)
