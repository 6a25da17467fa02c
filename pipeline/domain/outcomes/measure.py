"""Measure what became of a subject: the one measurement, live and in a replay.

Right, wrong and noise are measured alike. Every number is a whole number rounded once, a half to
the even neighbour; what was known when the subject entered decides everything but the exit.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.outcomes.beside import move_beside
from afterword.pipeline.domain.outcomes.model import RULE_VERSION, MeasuredOutcome, Subject
from afterword.pipeline.domain.outcomes.moves import leader_move, trend_before
from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle, jumped, no_exit
from afterword.pipeline.domain.outcomes.paths import HOUR_US, MarketPath, MarketPaths
from afterword.pipeline.domain.outcomes.plans import plan_result, plan_verdict
from afterword.pipeline.domain.prices.feed import PriceSource, refuse_future
from afterword.pipeline.rules.market.exact import PPB, ppb_of, rounded
from afterword.pipeline.rules.market.excursions import excursions
from afterword.pipeline.rules.market.market_record import USUAL_RATIO_PPB, MissingExit, find_exit
from afterword.pipeline.rules.market.outcome import judged
from afterword.pipeline.rules.market.volatility import Costs, band_ppb, typical_ppb
from afterword.pipeline.rules.market.windows import due_at

USUAL_COSTS: Final = Costs()

_NO_PLAN: Final = (None, None, None)


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
        LookAheadError: it is not due by `known_by`.
    """
    return OutcomeMeasurer(prices, known_by, costs).over(subject, (window_hours,), peers)[0]


class OutcomeMeasurer:
    """Measures subjects from one source of prices; what they share is read once.

    Args:
        known_by: nothing known later is read; also when the outcomes were measured.
        costs: of each trade.
    """

    def __init__(self, prices: PriceSource, known_by: datetime, costs: Costs = USUAL_COSTS) -> None:
        self._prices, self._known_by = prices, known_by
        self._known = to_micros(known_by)
        self._costs = ppb_of(costs.round_trip)
        self._paths = MarketPaths(prices, self._known)

    def over(
        self, subject: Subject, windows: Sequence[int], peers: Sequence[str] = ()
    ) -> list[MeasuredOutcome | OutcomeObstacle]:
        """Return what became of a subject over several windows; hours.

        Raises:
            LookAheadError: one of them is not due by `known_by`.
        """
        decided = to_micros(subject.decided_at)
        if decided + max(windows) * HOUR_US > self._known:
            refuse_future(due_at(subject.decided_at, max(windows)), self._known_by)
        asset = self._paths.asset(subject.asset)
        paths: dict[int, MarketPath | OutcomeObstacle] = {}
        found: list[MeasuredOutcome | OutcomeObstacle] = []
        for hours in windows:
            path = self._paths.path_of(asset, subject, decided, hours, paths)
            if isinstance(path, OutcomeObstacle):
                found.append(path)
            else:
                found.append(self._over(subject, path, asset.key, decided, hours, peers))
        return found

    def _over(
        self,
        subject: Subject,
        path: MarketPath,
        key: str,
        decided: int,
        hours: int,
        peers: Sequence[str],
    ) -> MeasuredOutcome | OutcomeObstacle:
        """Return the outcome over one window."""
        series, group, record, ladder, known, first, entry, entered_at, spread, *_ = path
        window, costs, stance = hours * HOUR_US, self._costs, subject.stance
        due = decided + window
        last = find_exit(ladder, entry, due, known)
        if isinstance(last, MissingExit):
            return no_exit(series, ladder, due, last)
        if ladder.jumps and (jump := ladder.jump(first, last)) is not None:
            return jumped(series, ladder, jump)
        closes = ladder.closes
        exited_at, price, exit_price = ladder.closed[last], closes[entry], closes[last]
        passed = exited_at - entered_at
        own_move = move = rounded((exit_price - price) * PPB, price)
        if peers:
            beside = move_beside(self._paths, path, move, subject, decided, hours, passed, peers)
            if isinstance(beside, OutcomeObstacle):
                return beside
            move, sigma = beside
            ratio, base, market = USUAL_RATIO_PPB, PPB // 2, None
        else:
            sigma = spread.sigma_ppb(passed)
            ratio, base = record.window(window, costs).as_of(stance, decided)
            market = path.market
        band, typical = band_ppb(sigma, costs), typical_ppb(sigma, ratio)
        verdict = judged(stance, move, band, typical)
        result: int | None = None
        if stance != "neutral":
            result = (move if stance == "long" else -move) - costs
        led = symbol = beta = residual = None
        if market is not None and (led := leader_move(self._prices, market, exited_at)) is not None:
            symbol, beta = market.series.symbol, market.beta_ppb
            residual = own_move - rounded(beta * led, PPB)
        trend_ppb, trend = trend_before(self._prices, path, subject.decided_at, window, costs)
        against, against_possible, along, along_possible = excursions(
            ladder, entry, last, decided, due, stance
        )
        plan, plan_at, plan_ppb = _NO_PLAN
        if path.plan is not None and result is not None:
            plan, plan_at, plan_ppb = plan_result(path.plan, ladder, last, result, costs)
        usd = None
        if subject.size_usd is not None:
            usd = _usd(subject.size_usd, result if plan is None else plan_ppb)
        return MeasuredOutcome(
            subject.kind,
            subject.id,
            hours,
            RULE_VERSION,
            self._known,
            key,
            group,
            stance,
            verdict if plan is None else plan_verdict(plan, verdict),
            verdict,
            series.source,
            series.symbol,
            entered_at,
            ladder.texts[entry],
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
            path.tercile,
            symbol,
            led,
            beta,
            residual,
            against,
            against_possible,
            along,
            along_possible,
            plan,
            plan_at,
            plan_ppb,
        )


class OutcomeMeasurers:
    """The measurers of one source of prices: one for each cost of a trade.

    Args:
        known_by: nothing known later is read; also when the outcomes were measured.
    """

    def __init__(self, prices: PriceSource, known_by: datetime) -> None:
        self.prices, self.known_by = prices, known_by
        self._by_costs: dict[Costs, OutcomeMeasurer] = {}

    def at(self, costs: Costs) -> OutcomeMeasurer:
        """Return the measurer of these costs."""
        if costs not in self._by_costs:
            self._by_costs[costs] = OutcomeMeasurer(self.prices, self.known_by, costs)
        return self._by_costs[costs]


def _usd(size: Decimal, earned_ppb: int | None) -> int | None:
    """Return what a share of a position is in millionths of a dollar."""
    if earned_ppb is None:
        return None
    above, below = size.as_integer_ratio()
    return rounded(above * earned_ppb, below * 1_000)
