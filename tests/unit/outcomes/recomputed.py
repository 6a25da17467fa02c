"""The outcome of a decision, computed a second time from a CSV file, by nothing of the program.

It reads every bar from the start for each question, with fractions, so it is slow and short.
"""

import csv
import gzip
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction
from itertools import accumulate, pairwise
from math import isqrt
from pathlib import Path
from typing import Any, NamedTuple

HOUR, DAY, WEEK = 3_600_000_000, 86_400_000_000, 604_800_000_000
PPB = 10**9
COSTS = 1_300_000

Prices = tuple[Fraction, Fraction, Fraction]  # high, low, close


class Call(NamedTuple):
    """A decision as it is measured.

    Args:
        at: when it was made; microseconds.
        stop, target, size: its plan; None where it has none of that name.
    """

    at: int
    stance: str
    stop: Fraction | None = None
    target: Fraction | None = None
    size: Fraction | None = None


def micros(moment: datetime) -> int:
    """A moment in microseconds since 1970."""
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // moment.resolution


def near(share: Fraction, parts: int = PPB) -> int:
    """A share in parts, the nearest whole number; a half to the even one."""
    return round(share * parts)


def root(square: Fraction) -> int:
    """The root of a square in parts per billion, nearest; a half to the even one."""
    scaled = square * PPB * PPB
    low = isqrt(scaled.numerator // scaled.denominator)
    middle = Fraction(2 * low + 1, 2)
    if scaled == middle * middle:
        return low + low % 2
    return low + (scaled > middle * middle)


def _of_week(sums: Sequence[Fraction] | Sequence[int], start: int, end: int) -> Fraction:
    """How much of running sums over the parts of a week lies in a span."""
    part = WEEK // len(sums)

    def up_to(moment: int) -> Fraction:
        weeks, rest = divmod(moment, WEEK)
        before, into = divmod(rest, part)
        low = sums[before - 1] if before else 0
        return weeks * Fraction(sums[-1]) + low + Fraction(into, part) * (sums[before] - low)

    return up_to(end) - up_to(start)


@dataclass
class Market:
    """One file of bars, or of single prints.

    Args:
        step: length of its bars; microseconds, 0 for prints.
        oldest: how old a close may be.
        bars: as they were first published.
        splits: moment and ratio.
        revisions: by the place of a bar, each of its forms and when it was known; first the first.
    """

    step: int
    oldest: int
    bars: list[tuple[int, Fraction, Fraction, Fraction]]  # closed at, high, low, close
    splits: list[tuple[int, Fraction]] = field(default_factory=list)
    is_stock: bool = False
    symbol: str = ""
    revisions: dict[int, list[tuple[int, Prices]]] = field(default_factory=dict)
    memo: dict[Any, Any] = field(default_factory=dict)

    @property
    def lookback(self) -> int:
        return max(7 * DAY, 90 * self.step)

    def as_known(self, moment: int, due: int) -> "Market":
        """The market of one window: bars up to its beginning as known then, others as known later.

        Those after it are known when it is due, or when they close, if that is later.
        """
        if not self.revisions:
            return self
        bars = []
        for place, (closed, *_) in enumerate(self.bars):
            bars.append(
                (closed, *self.form(place, moment if closed <= moment else max(due, closed)))
            )
        return replace(self, bars=bars, revisions={}, memo={})

    def form(self, place: int, known_by: int) -> Prices:
        """A bar as it was known at a moment; of one that came later, the newest form."""
        forms = self.revisions.get(place)
        if forms is None:
            return self.bars[place][1:]
        known = [prices for at, prices in forms if at <= known_by]
        return known[-1] if known else forms[-1][1]

    def units(self, earlier: int, later: int) -> Fraction:
        """How many units of the later bar one unit of the earlier one is."""
        ratio = Fraction(1)
        for at, one in self.splits:
            if self.bars[earlier][0] - self.step < at <= self.bars[later][0] - self.step:
                ratio *= one
        return ratio

    def split_within(self, moment: int, hours: int) -> bool:
        """Whether a split falls into a window."""
        return any(moment < at <= moment + hours * HOUR for at, _ in self.splits)

    def move(self, earlier: int, later: int) -> Fraction:
        return self.bars[later][3] * self.units(earlier, later) / self.bars[earlier][3] - 1

    def last(self, moment: int) -> int | None:
        """The last bar closed by a moment."""
        low, high = 0, len(self.bars)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.bars[middle][0] <= moment else (low, middle)
        return low - 1 if low else None

    def variance(self, moment: int) -> Fraction | None:
        """The squared moves before a moment, per microsecond; None if few, or one is a jump."""
        end = self.last(moment)
        if end is None:
            return None
        begin, since = end, moment - self.lookback
        while begin > 0 and self.bars[begin - 1][0] >= since:
            begin -= 1
        if self.bars[begin][0] < since or end - begin < 20:
            return None
        squares = sum(self.square(place) for place in range(begin + 1, end + 1))
        return Fraction(squares, 10**24) / (self.bars[end][0] - self.bars[begin][0])

    def square(self, place: int) -> int:
        if ("square", place) not in self.memo:
            self.memo["square", place] = near(self.move(place - 1, place), 10**12) ** 2
        return int(self.memo["square", place])

    def jumps(self, begin: int, end: int) -> bool:
        if not self.is_stock:
            return False
        for place in range(begin + 1, end + 1):
            if ("jump", place) not in self.memo:
                ratio = self.move(place - 1, place) + 1
                self.memo["jump", place] = not Fraction(5, 9) < ratio < Fraction(9, 5)
            if self.memo["jump", place]:
                return True
        return False

    def start_of_lookback(self, moment: int) -> int:
        before = self.last(moment - self.lookback - 1)
        return 0 if before is None else before + 1

    def exit(self, entry: int, due: int) -> tuple[int, int] | None:
        """The exit, and the moment at which it was certain."""
        before = self.last(due)
        if before is not None and self.bars[before][0] == due:
            return before, due
        after = 0 if before is None else before + 1
        if after >= len(self.bars):
            return None
        if before is not None and before > entry and due - self.bars[before][0] <= self.oldest:
            return before, self.bars[after][0]
        if self.bars[after][0] - due <= self.oldest:
            return after, self.bars[after][0]
        return None

    def window(self, start: int, hours: int) -> tuple[int, int, int, int, int] | None:
        """Entry, exit, when it was certain, move and deviation of a window; None without one."""
        key = ("window", start, hours)
        if key not in self.memo:
            self.memo[key] = self._window(start, hours)
        found: tuple[int, int, int, int, int] | None = self.memo[key]
        return found

    def _window(self, start: int, hours: int) -> tuple[int, int, int, int, int] | None:
        entry = self.last(start)
        if entry is None or start - self.bars[entry][0] > self.oldest:
            return None
        variance = self.variance(start)
        found = self.exit(entry, start + hours * HOUR)
        if variance is None or found is None or self.jumps(self.start_of_lookback(start), found[0]):
            return None
        last, certain = found
        sigma = root(variance * (self.bars[last][0] - self.bars[entry][0]))
        return entry, last, certain, near(self.move(entry, last)), sigma

    def week(self, moment: int) -> tuple[int, list[Fraction], list[int]] | None:
        """What was known of a week at the end of the last one; None with fewer than four.

        Weeks with a bar; of each hour, or each bar if longer, the share of the squared moves of a
        usual week up to its end; and the bars.
        """
        first, last = -(-(self.bars[0][0] - self.step) // WEEK), moment // WEEK
        if ("week", last) not in self.memo:
            self.memo["week", last] = self._week(first * WEEK, last * WEEK)
        found: tuple[int, list[Fraction], list[int]] | None = self.memo["week", last]
        return found

    def _week(self, since: int, until: int) -> tuple[int, list[Fraction], list[int]] | None:
        if not self.step:
            return None
        part = max(HOUR, self.step)
        moves, counts, weeks = [0] * (WEEK // part), [0] * (WEEK // part), set()
        for place, (closed, *_) in enumerate(self.bars):
            if since < closed <= until:
                own = (closed - 1) % WEEK // part
                moves[own] += self.square(place) if place else 0
                counts[own] += 1
                weeks.add((closed - 1) // WEEK)
        if len(weeks) < 4:
            return None
        each = Fraction(sum(moves), sum(counts))
        usual = [
            moved + 30 * Fraction(count, len(weeks)) * each
            for moved, count in zip(moves, counts, strict=True)
        ]
        whole = sum(usual)
        shares = [Fraction(round(one / whole * 10**15)) for one in accumulate(usual)]
        return len(weeks), shares, list(accumulate(counts))

    def usual(
        self, start: int, entry: int, last: int, week: tuple[int, list[Fraction], list[int]] | None
    ) -> int | None:
        """The deviation that is usual at its place in the week; None if the market was closed."""
        entered, exited = self.bars[entry][0], self.bars[last][0]
        begin, variance = self.start_of_lookback(start), self.variance(start)
        assert variance is not None
        if week is None:
            return root(variance * (exited - entered))
        weeks, shares, bars = week
        past = _of_week(shares, self.bars[begin][0], entered)
        traded = _of_week(bars, entered, exited) / weeks
        if not traded or last - entry < traded / 2:
            return None
        squares = variance * (entered - self.bars[begin][0])
        return root(squares * _of_week(shares, entered, exited) / past)

    def ratio(self, moment: int, hours: int, entered: int) -> int:
        """The typical |move| / sigma as it was known at a moment, of calls by their entry."""
        key = ("ratio", moment, hours, entered // (4 * HOUR) % 42 if hours < 168 else None)
        if key not in self.memo:
            self.memo[key] = self._ratio(moment, hours, key[-1])
        return int(self.memo[key])

    def samples(self, hours: int) -> list[tuple[int, int, int, int]]:
        """Every window that typical moves count: when certain, entry, exit, |move| / sigma.

        They begin every two hours or with each bar, those of a week or longer every day.
        """
        step = max(2 * HOUR, self.step) if hours < 168 else DAY
        if ("samples", hours) not in self.memo:
            window, seen, before = hours * HOUR, [], None
            start = -(-self.bars[0][0] // window) * window
            while start < self.bars[-1][0]:
                entry = self.last(start)
                found = self.window(start, hours)
                if found is not None and entry != before:
                    week = self.week(self.bars[entry][0])
                    usual = self.usual(start, entry, found[1], week)
                    if usual:
                        ratio = near(Fraction(abs(found[3]), usual))
                        seen.append((found[2], found[0], found[1], ratio))
                before = entry
                start = min(start + step, (start // window + 1) * window)
            self.memo["samples", hours] = seen
        return list(self.memo["samples", hours])

    def _ratio(self, moment: int, hours: int, cell: int | None) -> int:
        samples = self.samples(hours)
        if cell is not None:
            own = [
                (place, one)
                for place, one in enumerate(samples)
                if self.bars[one[1]][0] // (4 * HOUR) % 42 == cell and one[0] <= moment
            ]
            if own:
                place, newest = own[-1]
                before = [one for one in samples[:place] if one[0] <= newest[0]]
                usual = self._median(before, hours * HOUR, 25, 620_000_000)
                return self._median([one for _, one in own], WEEK, 6, usual)
        known = [one for one in samples if one[0] <= moment]
        return self._median(known, hours * HOUR, 25, 620_000_000)

    def _median(
        self, seen: list[tuple[int, int, int, int]], each: int, pseudo: int, usual: int
    ) -> int:
        """The median of the past 250 days, drawn to a usual ratio."""
        if not seen:
            return usual
        seen = [one for one in seen if one[0] > seen[-1][0] - 250 * DAY]
        ratios = sorted(one[3] for one in seen)
        middle = len(ratios) // 2
        median = ratios[middle]
        if len(ratios) % 2 == 0:
            median = round(Fraction(ratios[middle - 1] + ratios[middle], 2))
        span = self.bars[seen[-1][2]][0] - self.bars[seen[0][1]][0]
        weight = min(len(seen), span // each)
        return round(Fraction(usual * pseudo + weight * median, pseudo + weight))

    def base(self, moment: int, hours: int, stance: str, costs: int) -> int:
        """How often a call without skill was right, as it was known at a moment."""
        window, hits, misses, before = hours * HOUR, 0, 0, None
        start = -(-self.bars[0][0] // window) * window
        while start < moment:
            entry = self.last(start)
            found = self.window(start, hours)
            if found is not None and entry != before and found[2] <= moment:
                move, sigma = found[3], found[4]
                if stance == "neutral":
                    week = self.week(self.bars[found[0]][0])
                    usual = self.usual(start, found[0], found[1], week)
                    if usual is not None:
                        ratio = self.ratio(start, hours, self.bars[found[0]][0])
                        word = rest(move, round(Fraction(usual * ratio, PPB)))
                        hits, misses = hits + (word == "right"), misses + (word == "wrong")
                elif abs(move) > round(Fraction(sigma, 4) + costs):
                    is_up = (move > 0) == (stance == "long")
                    hits, misses = hits + is_up, misses + (not is_up)
            before = entry
            start += window
        return near(Fraction(hits + 15, hits + misses + 30))

    def setup_base(
        self, moment: int, hours: int, stance: str, costs: int, trend: str | None
    ) -> dict[str, int | None]:
        """The same after one kind of move, drawn to that after any; with its windows."""
        if stance == "neutral" or trend is None:
            return {"setup_base_ppb": None, "setup_votes": None}
        window, hits, votes, before = hours * HOUR, 0, 0, None
        start = -(-self.bars[0][0] // window) * window
        while start < moment:
            entry = self.last(start)
            found = self.window(start, hours)
            if found is not None and entry != before and found[2] <= moment:
                move, sigma = found[3], found[4]
                led = _trend(self, self, start, found[0], hours, costs)["trend"]
                if abs(move) > round(Fraction(sigma, 4) + costs) and led == trend:
                    votes, hits = votes + 1, hits + ((move > 0) == (stance == "long"))
            before = entry
            start += window
        base = Fraction(self.base(moment, hours, stance, costs), PPB)
        return {"setup_base_ppb": near((hits + 60 * base) / (votes + 60)), "setup_votes": votes}

    def tercile(self, moment: int, variance: Fraction) -> str | None:
        """Where a variance stands among those of the days of the past year."""
        if ("year", moment) not in self.memo:
            self.memo["year", moment] = self._past_year(moment)
        known = self.memo["year", moment]
        if len(known) < 60:
            return None
        own, third = round(variance * 10**24 * HOUR), len(known) // 3
        return "low" if own < known[third] else "high" if own > known[-1 - third] else "middle"

    def _past_year(self, moment: int) -> list[int]:
        days: list[tuple[int, int]] = []
        day = -(-self.bars[0][0] // DAY) * DAY
        while day <= moment:
            last = self.last(day)
            assert last is not None
            later = self.last(day - 1)
            proof = (0 if later is None else later + 1) if self.bars[last][0] == day else last + 1
            is_known = proof < len(self.bars) and self.bars[proof][0] <= moment
            if is_known and self.bars[last][0] > day - DAY:
                if ("day", day) not in self.memo:
                    variance = self.variance(day)
                    jumps = self.jumps(self.start_of_lookback(day), last)
                    self.memo["day", day] = None if jumps else variance
                if self.memo["day", day] is not None:
                    days.append((day, round(self.memo["day", day] * 10**24 * HOUR)))
            day += DAY
        return sorted(one for at, one in days if at > days[-1][0] - 365 * DAY)


def compared(found: dict[str, Any], naive: dict[str, Any]) -> dict[str, Any]:
    """The columns of an outcome that a naive one has, its prices as numbers."""
    prices = {name: Fraction(found[name]) for name in ("entry_price", "exit_price")}
    return {name: (found | prices)[name] for name in naive}


def rest(move: int, typical: int) -> str:
    """Whether a neutral call was right."""
    if Fraction(abs(move)) < Fraction(9, 10) * typical:
        return "right"
    return "wrong" if Fraction(abs(move)) > Fraction(11, 10) * typical else "noise"


def beta(own: Market, leader: Market, moment: int) -> int | None:
    """The slope of the daily moves of one market on those of another."""
    key = ("beta", id(leader), moment)
    if key not in own.memo:
        own.memo[key] = _beta(own, leader, moment)
    found: int | None = own.memo[key]
    return found


def _beta(own: Market, leader: Market, moment: int) -> int | None:
    pairs, before = [], None
    day = -(-max(own.bars[0][0], leader.bars[0][0]) // DAY) * DAY
    while day <= moment:
        places = own.last(day), leader.last(day)
        assert places[0] is not None and places[1] is not None
        one, other = places
        is_open = own.bars[one][0] > day - DAY and leader.bars[other][0] > day - DAY
        proofs = []
        for market, place in ((own, one), (leader, other)):
            proof = place if market.bars[place][0] == day else place + 1
            proofs.append(proof < len(market.bars) and market.bars[proof][0] <= moment)
        if is_open and all(proofs):
            if before is not None and day - before[0] <= 5 * DAY:
                _, was, led = before
                if not own.jumps(was, one) and not leader.jumps(led, other):
                    pairs.append((day, near(own.move(was, one)), near(leader.move(led, other))))
            before = day, one, other
        day += DAY
    pairs = [one for one in pairs if one[0] > moment - 90 * DAY]
    squares = sum(led * led for _, _, led in pairs)
    if len(pairs) < 20 or not squares:
        return None
    return near(Fraction(sum(moved * led for _, moved, led in pairs), squares))


def recompute(
    call: Call,
    hours: int,
    markets: Sequence[Market],
    leaders: Sequence[Market] = (),
    peers: Sequence[Sequence[Market]] = (),
    costs: int = COSTS,
) -> dict[str, Any] | None:
    """What became of a decision over one window; None where it cannot be said.

    Args:
        markets: of its asset, the finest first; `leaders` likewise, and each of `peers`.
    """
    history = choose(markets, call.at, hours)
    if history is None:
        return None
    due = call.at + hours * HOUR
    market = history.as_known(call.at, due)
    found = market.window(call.at, hours)
    if found is None:
        return None
    entry, last, _, own_move, sigma = found
    bars, move, ratio, base = market.bars, own_move, 620_000_000, PPB // 2
    if peers:
        relative = beside(call.at, hours, market, found, peers)
        if relative is None:
            return None
        move, sigma = relative
        leaders, usual = (), sigma
    else:
        usual = market.usual(call.at, entry, last, history.week(bars[entry][0]))
        ratio = history.ratio(call.at, hours, bars[entry][0])
        base = history.base(call.at, hours, call.stance, costs)
    band = round(Fraction(sigma, 4) + costs)
    typical = None if usual is None else round(Fraction(usual * ratio, PPB))
    result = None
    if call.stance == "neutral":
        if typical is None:
            return None
        window_verdict = rest(move, typical)
    else:
        gained = move if call.stance == "long" else -move
        result = gained - costs
        window_verdict = "noise" if abs(move) <= band else "right" if gained > 0 else "wrong"
    plan = _plan(market, entry, last, call, costs, result)
    by_plan = {"target_first": "right", "stop_first": "wrong", "same_bar": "noise"}
    earned = result if plan["plan"] is None else plan["plan_ppb"]
    usd = None if call.size is None or earned is None else round(call.size * earned / 1000)
    variance = market.variance(call.at)
    assert variance is not None
    trend = _trend(history, market, call.at, entry, hours, costs)
    setup = {"setup_base_ppb": None, "setup_votes": None}
    if not peers:
        setup = history.setup_base(call.at, hours, call.stance, costs, trend["trend"])
    return (
        {
            "direction": call.stance,
            "verdict": by_plan.get(plan["plan"], window_verdict),
            "window_verdict": window_verdict,
            "symbol": market.symbol,
            "entry_at": bars[entry][0],
            "entry_price": bars[entry][3],
            "exit_at": bars[last][0],
            "exit_price": bars[last][3],
            "move_ppb": move,
            "sigma_ppb": sigma,
            "band_ppb": band,
            "costs_ppb": costs,
            "typical_ppb": typical,
            "result_ppb": result,
            "result_micro_usd": usd,
            "base_ppb": base,
            "volatility": history.tercile(call.at, variance),
        }
        | trend
        | setup
        | _residual(history, leaders, call.at, entry, bars[last][0], own_move)
        | _excursions(market, call.at, entry, last, due, call.stance)
        | plan
    )


def choose(markets: Sequence[Market], moment: int, hours: int) -> Market | None:
    """The first market that can tell a window: bars that are short enough, enough of them."""
    for one in markets:
        entry = one.last(moment)
        if one.step > hours * HOUR or entry is None or moment - one.bars[entry][0] > one.oldest:
            continue
        if one.variance(moment) is not None:
            return one
    return None


def beside(
    moment: int,
    hours: int,
    own: Market,
    window: tuple[int, int, int, int, int],
    peers: Sequence[Sequence[Market]],
) -> tuple[int, int] | None:
    """The move and the deviation of a market beside the mean of others; None where one lacks."""
    entry, last, _, own_move, _ = window
    markets, entries, moves = [own], [entry], []
    for of_asset in peers:
        chosen = choose(of_asset, moment, hours)
        peer = None if chosen is None else chosen.as_known(moment, moment + hours * HOUR)
        found = None if peer is None else peer.window(moment, hours)
        if peer is None or found is None:
            return None
        markets.append(peer)
        entries.append(found[0])
        moves.append(found[3])
    places = []
    for market, until in zip(markets, entries, strict=True):
        since = market.start_of_lookback(moment)
        places.append({market.bars[place][0]: place for place in range(since, until + 1)})
    shared = sorted(set.intersection(*map(set, places)))
    if len(shared) < 21:
        return None
    squares = 0
    for earlier, later in pairwise(shared):
        one, *others = (
            near(market.move(at[earlier], at[later]), 10**12)
            for market, at in zip(markets, places, strict=True)
        )
        squares += (one - round(Fraction(sum(others), len(others)))) ** 2
    variance = Fraction(squares, 10**24) / (shared[-1] - shared[0])
    sigma = root(variance * (own.bars[last][0] - own.bars[entry][0]))
    return own_move - round(Fraction(sum(moves), len(moves))), sigma


def _trend(
    history: Market, market: Market, moment: int, entry: int, hours: int, costs: int
) -> dict[str, Any]:
    bars = market.bars
    since = bars[entry][0] - hours * HOUR
    before = market.last(since)
    none = {"trend_ppb": None, "trend": None}
    if before is None or before == entry or since - bars[before][0] > market.oldest:
        return none
    if history.jumps(before, entry):
        return none
    moved, variance = near(market.move(before, entry)), market.variance(moment)
    assert variance is not None
    beyond = Fraction(abs(moved) - costs, PPB)
    is_flat = beyond <= 0 or 16 * beyond**2 <= variance * (bars[entry][0] - bars[before][0])
    return {"trend_ppb": moved, "trend": "flat" if is_flat else "up" if moved > 0 else "down"}


def _residual(
    own: Market, leaders: Sequence[Market], moment: int, entry: int, exited: int, move: int
) -> dict[str, Any]:
    names = "market_symbol", "market_ppb", "beta_ppb", "residual_ppb"
    none = dict.fromkeys(names)
    for leader in leaders:
        slope, first = beta(own, leader, moment), _together(own, leader, own.bars[entry][0])
        if slope is None or first is None:
            continue
        last = _together(own, leader, exited)
        if last is None or first >= last or leader.jumps(first, last):
            return none
        was, now = leader.form(first, moment)[2], leader.form(last, exited)[2]
        led = near(now * leader.units(first, last) / was - 1)
        residual = move - round(Fraction(slope * led, PPB))
        return dict(zip(names, (leader.symbol, led, slope, residual), strict=True))
    return none


def _together(own: Market, leader: Market, at: int) -> int | None:
    """The leader's close at a moment of another market; None if it is older than a bar of that."""
    place, longest = leader.last(at), min(leader.oldest, max(own.step, HOUR))
    return None if place is None or at - leader.bars[place][0] >= longest else place


def _excursions(
    market: Market, moment: int, entry: int, last: int, due: int, stance: str
) -> dict[str, Any]:
    bars, price = market.bars, market.bars[entry][3]
    sure, possible = [Fraction(0), market.move(entry, last)], []
    for place in range(entry + 1, last + 1):
        closed, high, low, close = bars[place]
        unit = market.units(entry, place)
        reached = [high * unit / price - 1, low * unit / price - 1]
        if closed - market.step >= moment and closed <= due:
            sure += reached
        else:
            possible += reached
            if place == entry + 1:
                sure.append(close * unit / price - 1)
    possible += sure
    names = "mae_sure_ppb", "mae_possible_ppb", "mfe_sure_ppb", "mfe_possible_ppb"
    down, up = (min(sure), min(possible)), (max(sure), max(possible))
    if stance == "short":
        down, up = (-up[0], -up[1]), (-down[0], -down[1])
    return dict(zip(names, map(near, (*down, *up)), strict=True))


def _plan(
    market: Market, entry: int, last: int, call: Call, costs: int, result: int | None
) -> dict[str, Any]:
    none = {"plan": None, "plan_at": None, "plan_ppb": None}
    stop, target = call.stop, call.target
    if result is None or (stop is None and target is None):
        return none
    price, side = market.bars[entry][3], 1 if call.stance == "long" else -1
    if stop is not None and side * (price - stop) <= 0:
        return none
    if target is not None and side * (target - price) <= 0:
        return none
    for place in range(entry + 1, last + 1):
        closed, high, low, _ = market.bars[place]
        unit = market.units(entry, place)
        worst, best = (low, high) if side > 0 else (high, low)
        stopped = stop is not None and side * (worst * unit - stop) <= 0
        reached = target is not None and side * (best * unit - target) >= 0
        if not stopped and not reached:
            continue
        at = stop if stopped else target
        assert at is not None
        earned = near(side * (at / price - 1)) - costs
        word = "same_bar" if stopped and reached else "stop_first" if stopped else "target_first"
        return {"plan": word, "plan_at": closed, "plan_ppb": earned}
    return {"plan": "neither", "plan_at": None, "plan_ppb": result}


def read(path: Path, step: int, oldest: int, factors: Path | None = None) -> Market:
    """Read a file of bars, and the splits of a factor file."""
    bars = [
        (int(row["t_open_ms"]) * 1000 + step, *(Fraction(row[name]) for name in PRICES))
        for row in _rows(path)
    ]
    market = Market(step, oldest, bars, symbol=path.name.split("_")[0])
    if factors is not None:
        rows = [line.split(",") for line in factors.read_text().split()]
        for (day, _, was, _), (_, _, now, _) in pairwise(rows):
            if was != now:
                ends = datetime.strptime(day, "%Y%m%d").replace(tzinfo=UTC)
                ratio = (Fraction(now) / Fraction(was)).limit_denominator(100)
                market.splits.append((micros(ends) + DAY, ratio))
    return market


def read_prints(path: Path, coin: str) -> Market:
    """Read the prints of one coin; the last one of a millisecond counts."""
    prints = {
        int(row["time_ms"]) * 1000: Fraction(row["price"])
        for row in _rows(path)
        if row["coin"] == coin
    }
    return Market(
        0, HOUR, [(at, *[price] * 3) for at, price in sorted(prints.items())], symbol=coin
    )


def _rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        return list(csv.DictReader(file))


PRICES = ("high", "low", "close")
