"""Measure what became of a subject: the one measurement, live and in a replay.

Right, wrong and noise are measured alike. Every number is a whole number rounded once, a half to
the even neighbour; what was known when the subject entered decides everything but the exit.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from afterword.pipeline.clock import from_micros, iso, to_micros
from afterword.pipeline.domain.outcomes.model import (
    RULE_VERSION,
    MeasuredOutcome,
    MeasuredVerdict,
    PlanResult,
    SubjectKind,
    TrendBefore,
    VolatilityTercile,
)
from afterword.pipeline.domain.prices.book import price_row
from afterword.pipeline.domain.prices.feed import PriceSource, Series, asset_of, refuse_future
from afterword.pipeline.rules.market.classes import asset_group, class_leader
from afterword.pipeline.rules.market.exact import PPB, ppb_of, rounded
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.market_record import (
    USUAL_RATIO_PPB,
    MarketRecord,
    MissingExit,
    find_exit,
)
from afterword.pipeline.rules.market.outcome import Reason, Stance, judged
from afterword.pipeline.rules.market.symbols import parse_symbol
from afterword.pipeline.rules.market.volatility import (
    FEWEST_MOVES,
    MOVE_PARTS,
    Costs,
    Spread,
    band_ppb,
    typical_ppb,
)
from afterword.pipeline.rules.market.windows import due_at

MICROSECOND: Final = timedelta(microseconds=1)
HOUR_US: Final = 3_600_000_000

USUAL_COSTS: Final = Costs()

_NEVER: Final = 1 << 62
"""A place after all bars."""

_NO_PLAN: Final = (None, None, None)
_NO_TREND: Final = (None, None)


class Subject(NamedTuple):
    """What is measured: a call on the price of one asset.

    Args:
        id: its row id.
        asset: in any written form.
        decided_at: aware.
        stop_price: with `target_price`, its plan; in the units of the asset as it is written.
        size_usd: value of the position, leverage included.
    """

    kind: SubjectKind
    id: int
    asset: str
    stance: Stance
    decided_at: datetime
    stop_price: Decimal | None = None
    target_price: Decimal | None = None
    size_usd: Decimal | None = None


class OutcomeObstacle(NamedTuple):
    """Why an outcome cannot be measured.

    Args:
        why: one line for people.
    """

    reason: Reason
    why: str


class _Path(NamedTuple):
    """A market around one subject, up to its entry.

    Args:
        group: see `MeasuredOutcome.asset_class`.
        record: what the market did so far, as first published.
        ladder: the bars as the subject knew them, and those after it as they were known when they
            counted; that of the record where no bar was revised.
        known: how many bars of the ladder are known.
        first: place of the first bar that its volatility looks at; `entry` is the last.
        entered_at: close of the entry; microseconds.
        tercile: see `MeasuredOutcome.volatility`.
        market: the leader of its class; None if it has none, or one that cannot be compared.
        plan: None if the subject has none.
    """

    series: Series
    group: str
    record: MarketRecord
    ladder: Ladder
    known: int
    first: int
    entry: int
    entered_at: int
    spread: Spread
    tercile: VolatilityTercile | None
    market: "_Market | None"
    plan: "_Plan | None"


class _SeriesMarket(NamedTuple):
    """A series of an asset.

    Args:
        interval: microseconds.
        group: see `MeasuredOutcome.asset_class`.
        leaders: the series of the leader of its class.
    """

    series: Series
    record: MarketRecord
    interval: int
    group: str
    leaders: tuple[tuple[Series, MarketRecord], ...]


class _Asset(NamedTuple):
    """An asset as it is written, with its series in order of preference."""

    key: str
    markets: tuple[_SeriesMarket, ...]


class _Barrier(NamedTuple):
    """A stop or a target in a ladder.

    Args:
        at: place of the first bar that reaches it; `_NEVER` if none does.
        away_ppb: how far it is from the entry.
    """

    at: int
    away_ppb: int


class _Plan(NamedTuple):
    """The plan of a subject in a ladder; a barrier that it lacks is never reached."""

    stop: _Barrier
    target: _Barrier


class _Market(NamedTuple):
    """The leader of a class at an entry.

    Args:
        oldest: how old a close of it may be; microseconds.
    """

    series: Series
    ladder: Ladder
    oldest: int
    entry: int
    beta_ppb: int
    decided: int


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
        self._assets: dict[str, _Asset] = {}

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
        asset = self._asset(subject.asset)
        usual = self._usual_path(asset, subject, decided, min(windows))
        paths: dict[int, _Path | OutcomeObstacle] = {}
        found: list[MeasuredOutcome | OutcomeObstacle] = []
        for hours in windows:
            path = usual or self._path_of(asset, subject, decided, hours, paths)
            if isinstance(path, OutcomeObstacle):
                found.append(path)
            else:
                found.append(self._over(subject, path, asset.key, decided, hours, peers))
        return found

    def _over(
        self,
        subject: Subject,
        path: _Path,
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
            return _no_exit(path, due, last)
        if ladder.jumps and (jump := ladder.jump(first, last)) is not None:
            return _jumped(path, jump)
        closes = ladder.closes
        exited_at, price, exit_price = ladder.closed[last], closes[entry], closes[last]
        passed = exited_at - entered_at
        own_move = move = rounded((exit_price - price) * PPB, price)
        if peers:
            beside = self._beside(path, move, subject, decided, hours, passed, peers)
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
        if market is not None and (led := self._led(market, exited_at)) is not None:
            symbol, beta = market.series.symbol, market.beta_ppb
            residual = own_move - rounded(beta * led, PPB)
        trend_ppb, trend = self._trend(path, subject, window)
        against, against_possible, along, along_possible = _excursions(
            ladder, entry, last, decided, due, stance
        )
        plan, plan_at, plan_ppb = _NO_PLAN
        if path.plan is not None and result is not None:
            plan, plan_at, plan_ppb = _planned(path.plan, ladder, last, result, costs)
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
            verdict if plan is None else _of_plan(plan, verdict),
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

    def _asset(self, written: str) -> _Asset:
        found = self._assets.get(written)
        if found is None:
            markets = tuple(map(self._series_market, self._prices.series(written)))
            found = self._assets[written] = _Asset(asset_of(written), markets)
        return found

    def _series_market(self, series: Series) -> _SeriesMarket:
        group = asset_group(series.symbol)
        leader = class_leader(group)
        leads = leader is not None and asset_of(series.symbol) != asset_of(leader)
        leaders = self._prices.series(leader) if leader is not None and leads else ()
        return _SeriesMarket(
            series,
            self._prices.record(series),
            series.interval // MICROSECOND,
            group or "unknown",
            tuple((one, self._prices.record(one)) for one in leaders),
        )

    def _usual_path(
        self, asset: _Asset, subject: Subject, decided: int, shortest: int
    ) -> _Path | None:
        """Return the path of the best series if it is that of all windows; else None."""
        if not asset.markets:
            return None
        best = asset.markets[0]
        if best.interval > shortest * HOUR_US or best.record.ladder.revised:
            return None
        found = self._path(best, subject, decided)
        return found if isinstance(found, _Path) else None

    def _path_of(
        self,
        asset: _Asset,
        subject: Subject,
        decided: int,
        hours: int,
        paths: dict[int, _Path | OutcomeObstacle],
    ) -> _Path | OutcomeObstacle:
        """Return the path of the best series that can tell, or the best one's obstacle."""
        obstacle: OutcomeObstacle | None = None
        window = hours * HOUR_US
        for place, market in enumerate(asset.markets):
            found = paths.get(place)
            if market.interval > window:
                found = _too_coarse(market.series, hours)
            elif found is None:
                found = paths[place] = self._path(market, subject, decided)
            if type(found) is _Path:
                if market.record.ladder.revised:
                    return self._as_known(found, subject, decided, decided + window)
                return found
            assert isinstance(found, OutcomeObstacle)
            obstacle = obstacle or found  # the best series explains the outcome
        if obstacle is None:
            why = f"no source has prices of {subject.asset}; afterword prices import"
            return OutcomeObstacle("no_series", why)
        return obstacle

    def _path(
        self, market: _SeriesMarket, subject: Subject, decided: int
    ) -> _Path | OutcomeObstacle:
        series, record, _, group, _ = market
        ladder = record.ladder
        closed = ladder.closed
        entry = bisect_right(closed, decided) - 1
        first = bisect_left(closed, decided - ladder.lookback)
        if entry < first or decided - closed[entry] > ladder.oldest:
            last = "there is none"
            if entry >= first:
                last = f"the last is of {iso(from_micros(closed[entry]))}"
            at = iso(from_micros(decided))
            return OutcomeObstacle("no_entry", f"no price of {_name(series)} at {at}: {last}")
        spread = ladder.spread(decided, entry)
        if spread is None:
            why = f"{entry - first + 1} prices of {_name(series)} before the decision,"
            return OutcomeObstacle(
                "no_volatility", f"{why} {FEWEST_MOVES + 1} say how much it moves by itself"
            )
        known = len(ladder) if closed[-1] <= self._known else bisect_right(closed, self._known)
        entered_at = closed[entry]
        return _Path(
            series,
            group,
            record,
            ladder,
            known,
            first,
            entry,
            entered_at,
            spread,
            record.volatility.tercile(spread.hourly, decided),
            _market(market, entered_at, decided),
            _plan_of(subject, series, ladder, entry),
        )

    def _as_known(self, path: _Path, subject: Subject, decided: int, due: int) -> _Path:
        """Return a path with each bar that counts as it was known when it counted.

        Up to the entry that is the decision, after it the due moment: a correction that came later
        changes nothing.
        """
        record, series = path.record.ladder, path.series
        place = record.last_by(due) + 1
        if not record.is_revised(path.first, place):
            return path
        prices, decided_at = self._prices, from_micros(decided)
        ladder = Ladder(series.symbol, series.interval, record.splits)
        until = from_micros(due)
        bars = prices.bars(series, from_micros(record.closed[path.first]), decided_at, decided_at)
        bars += prices.bars(series, from_micros(path.entered_at) + MICROSECOND, until, until)
        if path.known > place:
            proof = from_micros(record.closed[place])
            bars += prices.bars(series, proof, proof, proof)
        ladder.extend(map(price_row, bars))
        entry = path.entry - path.first
        spread = ladder.spread(decided, entry)
        assert spread is not None  # as many bars as were published first
        return path._replace(
            ladder=ladder,
            known=len(ladder),
            first=0,
            entry=entry,
            spread=spread,
            tercile=path.record.volatility.tercile(spread.hourly, decided),
            plan=_plan_of(subject, series, ladder, entry),
        )

    def _beside(
        self,
        path: _Path,
        own_move: int,
        subject: Subject,
        decided: int,
        hours: int,
        passed: int,
        peers: Sequence[str],
    ) -> tuple[int, int] | OutcomeObstacle:
        """Return its move and its deviation beside the mean of its peers."""
        paths, moves, due = [path], [], decided + hours * HOUR_US
        for peer in peers:
            asset, other = self._asset(peer), subject._replace(asset=peer, stop_price=None)
            found = self._path_of(asset, other._replace(target_price=None), decided, hours, {})
            if isinstance(found, OutcomeObstacle):
                return found
            last = find_exit(found.ladder, found.entry, due, found.known)
            if isinstance(last, MissingExit):
                return _no_exit(found, due, last)
            jump = found.ladder.jump(found.first, last)
            if jump is not None:
                return _jumped(found, jump)
            paths.append(found)
            moves.append(found.ladder.move_ppb(found.entry, last))
        spread = _spread_beside(paths)
        if spread is None:
            why = f"fewer than {FEWEST_MOVES} moves of {path.series.symbol} before the decision"
            return OutcomeObstacle("no_volatility", why)
        return own_move - rounded(sum(moves), len(moves)), spread.sigma_ppb(passed)

    def _trend(
        self, path: _Path, subject: Subject, window: int
    ) -> tuple[int | None, TrendBefore | None]:
        """Return the move over one window before the entry, and its class by the band."""
        ladder, at = path.record.ladder, path.entered_at
        closed, since = ladder.closed, at - window
        before = bisect_right(closed, since) - 1
        if before < 0 or since - closed[before] > ladder.oldest:
            return _NO_TREND
        entry = path.entry if path.ladder is ladder else ladder.last_by(at)
        if before == entry or (ladder.jumps and ladder.jump(before, entry) is not None):
            return _NO_TREND
        if path.ladder is ladder and not (ladder.revised and ladder.is_revised(before, before)):
            closes = ladder.closes
            moved = rounded((closes[entry] - closes[before]) * PPB, closes[before])
        else:
            then = self._price_then(path.series, closed[before], ladder, subject.decided_at)
            moved = _ppb((_price(path.ladder, path.entry) - then) / then)
        if not path.spread.is_beyond(abs(moved) - self._costs, at - closed[before]):
            return moved, "flat"
        return moved, "up" if moved > 0 else "down"

    def _price_then(
        self, series: Series, closed_at: int, ladder: Ladder, known_by: datetime
    ) -> Fraction:
        """Return a close as it was known at a moment, in the units of a ladder."""
        bar = self._prices.close_at(series, from_micros(closed_at), known_by)
        assert bar is not None  # the ladder has it
        return Fraction(bar.close) * ladder.factor(to_micros(bar.t_open))

    def _led(self, market: _Market, exited_at: int) -> int | None:
        """Return the move of the leader over the same hours."""
        ladder, entry = market.ladder, market.entry
        last = ladder.last_by(exited_at)
        if last <= entry or exited_at - ladder.closed[last] >= market.oldest:
            return None
        if ladder.jumps and ladder.jump(entry, last) is not None:
            return None
        if not ladder.revised or not (
            ladder.is_revised(entry, entry) or ladder.is_revised(last, last)
        ):
            return ladder.move_ppb(entry, last)
        series, closed = market.series, ladder.closed
        then = self._price_then(series, closed[entry], ladder, from_micros(market.decided))
        now = self._price_then(series, closed[last], ladder, from_micros(exited_at))
        return _ppb((now - then) / then)


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


def _no_exit(path: _Path, due: int, gone: MissingExit) -> OutcomeObstacle:
    name, at, closed = _name(path.series), iso(from_micros(due)), path.ladder.closed
    if gone.is_final:
        after = iso(from_micros(closed[gone.before + 1]))
        return OutcomeObstacle("no_exit", f"no price of {name} near {at}: the next is of {after}")
    before = "none" if gone.before < 0 else iso(from_micros(closed[gone.before]))
    return OutcomeObstacle("no_exit", f"no price of {name} after {at} yet; the last is of {before}")


def _jumped(path: _Path, jump: int) -> OutcomeObstacle:
    opened = iso(from_micros(path.ladder.closed[jump] - path.ladder.interval))
    why = f"{_name(path.series)} jumps by more than a market does at {opened}"
    return OutcomeObstacle("unexplained_jump", f"{why}; import its factor file, or mark it by hand")


def _spread_beside(paths: Sequence[_Path]) -> Spread | None:
    """Return how much the first moves beside the mean of the others, where all have a close."""
    places = [
        {one.ladder.closed[place]: place for place in range(one.first, one.entry + 1)}
        for one in paths
    ]
    moments = sorted(set.intersection(*map(set, places)))
    if len(moments) <= FEWEST_MOVES:
        return None
    squares = 0
    for earlier, later in pairwise(moments):
        own, *others = (
            _move_parts(one.ladder, at[earlier], at[later])
            for one, at in zip(paths, places, strict=True)
        )
        squares += (own - rounded(sum(others), len(others))) ** 2
    return Spread(squares, moments[-1] - moments[0])


def _move_parts(ladder: Ladder, first: int, last: int) -> int:
    before = ladder.closes[first]
    return rounded((ladder.closes[last] - before) * MOVE_PARTS, before)


def _market(own: _SeriesMarket, entered_at: int, decided: int) -> _Market | None:
    """Return the leader of a class at an entry, by its first series with a close of then.

    A close counts until it is older than a bar of the own series.
    """
    for series, record in own.leaders:
        ladder = record.ladder
        oldest = min(ladder.oldest, max(own.interval, HOUR_US))
        entry = ladder.last_by(entered_at)
        if entry >= 0 and entered_at - ladder.closed[entry] < oldest:
            beta = own.record.beta(record).beta_ppb(decided)
            if beta is not None:
                return _Market(series, ladder, oldest, entry, beta, decided)
    return None


def _excursions(
    ladder: Ladder, entry: int, last: int, decided: int, due: int, stance: Stance
) -> tuple[int, int, int, int]:
    """Return the excursions: against it, surely and possibly; with it, surely and possibly.

    Bars that were open at the decision, or at the due moment, are only possible.
    """
    closed, closes, lows, highs = ladder.closed, ladder.closes, ladder.lows, ladder.highs
    price, exit_price, first = closes[entry], closes[last], entry + 1
    begin = first if closed[first] - ladder.interval >= decided else first + 1
    end = last if closed[last] <= due else last - 1
    # The entry, the exit and the close of the first bar are points of the window in any case.
    low, high = min(price, exit_price, closes[first]), max(price, exit_price, closes[first])
    if begin <= end:
        low, high = min(low, lows.between(begin, end)), max(high, highs.between(begin, end))
    least = min(low, lows.values[first], lows.values[last])
    most = max(high, highs.values[first], highs.values[last])
    down, up = rounded((low - price) * PPB, price), rounded((high - price) * PPB, price)
    down_possible = rounded((least - price) * PPB, price) if least < low else down
    up_possible = rounded((most - price) * PPB, price) if most > high else up
    if stance == "short":
        return -up, -up_possible, -down, -down_possible
    return down, down_possible, up, up_possible


def _plan_of(subject: Subject, series: Series, ladder: Ladder, entry: int) -> _Plan | None:
    """Return the plan of a subject; None without one, or with one on the wrong side of its entry.

    Stop and target count from the first bar after the entry on.
    """
    if subject.stop_price is None and subject.target_price is None:
        return None
    if subject.stance == "neutral":
        return None
    is_long = subject.stance == "long"
    per = parse_symbol(series.symbol).multiplier, parse_symbol(subject.asset).multiplier
    stop = _barrier(subject.stop_price, per, ladder, entry, is_above=not is_long)
    target = _barrier(subject.target_price, per, ladder, entry, is_above=is_long)
    return None if stop is None or target is None else _Plan(stop, target)


def _barrier(
    written: Decimal | None, per: tuple[int, int], ladder: Ladder, entry: int, *, is_above: bool
) -> _Barrier | None:
    """Return where a price of a plan is reached; None if it is on the wrong side of the entry.

    Args:
        per: how many of the asset one unit of the series is, and one unit as it is written.
    """
    if written is None:
        return _Barrier(_NEVER, 0)
    number, parts = written.as_integer_ratio()
    number, parts = number * ladder.unit(entry) * per[0], parts * per[1]
    price, first, last = ladder.closes[entry], entry + 1, len(ladder) - 1
    if is_above:
        away = number - price * parts
        at = ladder.highs.first_reaching(-(-number // parts), first, last)
    else:
        away = price * parts - number
        at = ladder.lows.first_reaching(number // parts, first, last)
    if away <= 0:
        return None
    return _Barrier(_NEVER if at is None else at, rounded(away * PPB, price * parts))


def _planned(
    plan: _Plan, ladder: Ladder, last: int, result: int, costs: int
) -> tuple[PlanResult, int | None, int]:
    """Return what a plan met first by the exit, when, and what it earned."""
    stop, target = plan
    if min(stop.at, target.at) > last:
        return "neither", None, result
    if target.at < stop.at:
        return "target_first", ladder.closed[target.at], target.away_ppb - costs
    # Of two touches in one bar the order is unknown: it earned no less than at the stop.
    word: PlanResult = "same_bar" if target.at == stop.at else "stop_first"
    return word, ladder.closed[stop.at], -stop.away_ppb - costs


def _usd(size: Decimal, earned_ppb: int | None) -> int | None:
    """Return what a share of a position is in millionths of a dollar."""
    if earned_ppb is None:
        return None
    above, below = size.as_integer_ratio()
    return rounded(above * earned_ppb, below * 1_000)


def _of_plan(plan: PlanResult, window: MeasuredVerdict) -> MeasuredVerdict:
    """Return the verdict of a plan; of two touches in one bar the order proves nothing."""
    match plan:
        case "target_first":
            return "right"
        case "stop_first":
            return "wrong"
        case "same_bar":
            return "noise"
    return window


def _too_coarse(series: Series, hours: int) -> OutcomeObstacle:
    """Refuse bars longer than the window: most of a move could lie outside it."""
    each = series.interval / timedelta(hours=1)
    why = f"a price of {_name(series)} each {each:g} h says little about {hours:g} h"
    return OutcomeObstacle("too_coarse", f"{why}; afterword prices fetch or import")


def _price(ladder: Ladder, place: int) -> Fraction:
    """Return a close in the units that all ladders of its series share."""
    return Fraction(ladder.closes[place] * ladder.factor_at(place), ladder.unit(place))


def _ppb(share: Fraction) -> int:
    return rounded(share.numerator * PPB, share.denominator)


def _name(series: Series) -> str:
    return f"{series.symbol} ({series.source})"
