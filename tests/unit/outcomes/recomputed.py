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

Prices = tuple[Fraction, Fraction, Fraction, Fraction]  # high, low, close, open


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


class Entry(NamedTuple):
    """The first price at or after a moment.

    Args:
        last: the last bar that is known then; the next one is the first of the window.
        at: when it was the price.
        place: the bar that it is a price of.
    """

    last: int
    at: int
    place: int
    price: Fraction


class Window(NamedTuple):
    """What a market did over one window.

    Args:
        last: the bar of the exit.
    """

    entry: Entry
    last: int
    move: int
    sigma: int


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
    bars: list[tuple[int, Fraction, Fraction, Fraction, Fraction]]  # closed at, then `Prices`
    splits: list[tuple[int, Fraction]] = field(default_factory=list)
    is_stock: bool = False
    symbol: str = ""
    revisions: dict[int, list[tuple[int, Prices]]] = field(default_factory=dict)
    memo: dict[Any, Any] = field(default_factory=dict)

    @property
    def at_open(self) -> bool:
        """Whether the moment of a close is only a label: days of a market that closes."""
        return self.step >= DAY and self.oldest > 2 * self.step

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

    def units_since(self, moment: int, later: int) -> Fraction:
        """How many units of a bar one unit of a moment is."""
        opened, ratio = self.bars[later][0] - self.step, Fraction(1)
        for at, one in self.splits:
            if moment < at <= opened:
                ratio *= one
            if opened < at <= moment:
                ratio /= one
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

    def entry(self, moment: int) -> Entry | None:
        """The first open, or the first close, at or after a moment; None if none is near."""
        lead = self.step if self.at_open else 0
        before = self.last(moment + lead - 1)
        place = 0 if before is None else before + 1
        if place >= len(self.bars):
            return None
        at = self.bars[place][0] - lead
        if at - moment > self.oldest:
            return None
        price = self.bars[place][4 if lead else 3]
        return Entry(place - 1 if lead else place, at, place, price)

    def moved(self, entry: Entry, later: int) -> Fraction:
        """The move from an entry to a close."""
        return self.bars[later][3] * self.units(entry.place, later) / entry.price - 1

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

    def exit(self, due: int) -> int | None:
        """The first close at or after a moment."""
        before = self.last(due - 1)
        after = 0 if before is None else before + 1
        if after >= len(self.bars) or self.bars[after][0] - due > self.oldest:
            return None
        return after

    def window(self, start: int, hours: int, due: int | None = None) -> Window | None:
        """What the market did from a moment on; None without an entry, an exit or a deviation."""
        key = ("window", start, hours, due)
        if key not in self.memo:
            self.memo[key] = self._window(start, hours, due)
        found: Window | None = self.memo[key]
        return found

    def _window(self, start: int, hours: int, due: int | None) -> Window | None:
        entry = self.entry(start)
        if entry is None:
            return None
        variance = self.variance(entry.at)
        last = self.exit(entry.at + hours * HOUR if due is None else due)
        if variance is None or last is None:
            return None
        if self.jumps(self.start_of_lookback(entry.at), last):
            return None
        sigma = root(variance * (self.bars[last][0] - entry.at))
        return Window(entry, last, near(self.moved(entry, last)), sigma)

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
        self, window: Window, week: tuple[int, list[Fraction], list[int]] | None
    ) -> int | None:
        """The deviation that is usual at its place in the week; None if the market was closed."""
        entry, last, _, sigma = window
        if week is None:
            return sigma
        weeks, shares, bars = week
        begin, exited = self.bars[self.start_of_lookback(entry.at)][0], self.bars[last][0]
        newest, variance = self.bars[entry.last][0], self.variance(entry.at)
        assert variance is not None
        traded = _of_week(bars, entry.at, exited) / weeks
        if not traded or last - entry.last < traded / 2:
            return None
        squares = variance * (newest - begin)
        past = _of_week(shares, begin, newest)
        return root(squares * _of_week(shares, entry.at, exited) / past)

    def ratio(self, entered: int, hours: int) -> int:
        """The typical |move| / sigma as it was known at an entry, of its time of the week."""
        key = ("ratio", entered, hours)
        if key not in self.memo:
            cell = entered // (4 * HOUR) % 42 if hours < 168 else None
            self.memo[key] = self._ratio(entered, hours, cell)
        return int(self.memo[key])

    def samples(self, hours: int) -> list[tuple[int, int, int]]:
        """Every window that typical moves count: entry, exit, |move| / sigma.

        They begin every two hours or with each bar, those of a week or longer every day.
        """
        step = max(2 * HOUR, self.step) if hours < 168 else DAY
        if ("samples", hours) not in self.memo:
            window, seen, before = hours * HOUR, [], None
            start = -(-self.bars[0][0] // window) * window
            while start < self.bars[-1][0]:
                entry, found = self.entry(start), self.window(start, hours)
                if found is not None and entry != before:
                    usual = self.usual(found, self.week(found.entry.at))
                    if usual:
                        ratio = near(Fraction(abs(found.move), usual))
                        seen.append((found.entry.at, self.bars[found.last][0], ratio))
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
                if one[0] // (4 * HOUR) % 42 == cell and one[1] <= moment
            ]
            if own:
                place, newest = own[-1]
                before = [one for one in samples[:place] if one[1] <= newest[1]]
                usual = self._median(before, hours * HOUR, 25, 620_000_000)
                return self._median([one for _, one in own], WEEK, 6, usual)
        known = [one for one in samples if one[1] <= moment]
        return self._median(known, hours * HOUR, 25, 620_000_000)

    def _median(self, seen: list[tuple[int, int, int]], each: int, pseudo: int, usual: int) -> int:
        """The median of the past 250 days, drawn to a usual ratio."""
        if not seen:
            return usual
        seen = [one for one in seen if one[1] > seen[-1][1] - 250 * DAY]
        ratios = sorted(one[2] for one in seen)
        middle = len(ratios) // 2
        median = ratios[middle]
        if len(ratios) % 2 == 0:
            median = round(Fraction(ratios[middle - 1] + ratios[middle], 2))
        span = seen[-1][1] - seen[0][0]
        weight = min(len(seen), span // each)
        return round(Fraction(usual * pseudo + weight * median, pseudo + weight))

    def base(self, moment: int, hours: int, stance: str, costs: int) -> int:
        """How often a call without skill was right, as it was known at a moment."""
        window, hits, misses, before = hours * HOUR, 0, 0, None
        start = -(-self.bars[0][0] // window) * window
        while start < moment:
            entry, found = self.entry(start), self.window(start, hours)
            if found is not None and entry != before and self.bars[found.last][0] <= moment:
                move, sigma = found.move, found.sigma
                if stance == "neutral":
                    usual = self.usual(found, self.week(found.entry.at))
                    if usual is not None:
                        ratio = self.ratio(found.entry.at, hours)
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
            entry, found = self.entry(start), self.window(start, hours)
            if found is not None and entry != before and self.bars[found.last][0] <= moment:
                move, sigma = found.move, found.sigma
                led = _trend(self, self, found.entry, hours, costs)["trend"]
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
    known = None if history is None else history.window(call.at, hours)
    if history is None or known is None:
        return None
    at = known.entry.at
    market = history.as_known(at, history.bars[known.last][0])
    found = market.window(call.at, hours)
    assert found is not None
    entry, last, own_move, sigma = found
    bars, move, ratio, base = market.bars, own_move, 620_000_000, PPB // 2
    if peers:
        relative = beside(hours, market, found, peers)
        if relative is None:
            return None
        move, sigma = relative
        leaders, usual = (), sigma
    else:
        usual = market.usual(found, history.week(at))
        ratio = history.ratio(at, hours)
        base = history.base(at, hours, call.stance, costs)
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
    variance = market.variance(at)
    assert variance is not None
    trend = _trend(history, market, entry, hours, costs)
    setup = {"setup_base_ppb": None, "setup_votes": None}
    if not peers:
        setup = history.setup_base(at, hours, call.stance, costs, trend["trend"])
    return (
        {
            "direction": call.stance,
            "verdict": by_plan.get(plan["plan"], window_verdict),
            "window_verdict": window_verdict,
            "symbol": market.symbol,
            "entry_at": at,
            "entry_price": entry.price,
            "entry_age_us": at - call.at,
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
            "volatility": history.tercile(at, variance),
        }
        | trend
        | setup
        | _residual(history, leaders, entry, bars[last][0], own_move)
        | _excursions(market, entry, last, call.stance)
        | plan
    )


def choose(
    markets: Sequence[Market], moment: int, hours: int, due: int | None = None
) -> Market | None:
    """The first market that has both ends of a window, with bars short enough, and enough."""
    for one in markets:
        if one.step <= hours * HOUR and one.window(moment, hours, due) is not None:
            return one
    return None


def beside(
    hours: int, own: Market, window: Window, peers: Sequence[Sequence[Market]]
) -> tuple[int, int] | None:
    """The move and the deviation of a market beside the mean of others; None where one lacks."""
    at, due = window.entry.at, own.bars[window.last][0]
    markets, entries, moves = [own], [window.entry], []
    for of_asset in peers:
        chosen = choose(of_asset, at, hours, due)
        known = None if chosen is None else chosen.window(at, hours, due)
        if chosen is None or known is None:
            return None
        peer = chosen.as_known(known.entry.at, chosen.bars[known.last][0])
        found = peer.window(at, hours, due)
        assert found is not None
        markets.append(peer)
        entries.append(found.entry)
        moves.append(found.move)
    places = []
    for market, entry in zip(markets, entries, strict=True):
        since = market.start_of_lookback(entry.at)
        places.append({market.bars[place][0]: place for place in range(since, entry.last + 1)})
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
    sigma = root(variance * (due - at))
    return window.move - round(Fraction(sum(moves), len(moves))), sigma


def _trend(history: Market, market: Market, entry: Entry, hours: int, costs: int) -> dict[str, Any]:
    bars, since = market.bars, entry.at - hours * HOUR
    before = market.last(since)
    none = {"trend_ppb": None, "trend": None}
    if before is None or since - bars[before][0] > market.oldest:
        return none
    if history.jumps(before, entry.last):
        return none
    moved = near(entry.price * market.units(before, entry.place) / bars[before][3] - 1)
    variance = market.variance(entry.at)
    assert variance is not None
    beyond = Fraction(abs(moved) - costs, PPB)
    is_flat = beyond <= 0 or 16 * beyond**2 <= variance * (entry.at - bars[before][0])
    return {"trend_ppb": moved, "trend": "flat" if is_flat else "up" if moved > 0 else "down"}


def _residual(
    own: Market, leaders: Sequence[Market], entry: Entry, exited: int, move: int
) -> dict[str, Any]:
    names = "market_symbol", "market_ppb", "beta_ppb", "residual_ppb"
    none = dict.fromkeys(names)
    for leader in leaders:
        slope, first = beta(own, leader, entry.at), _entry_beside(own, leader, entry.at)
        if slope is None or first is None:
            continue
        last = _together(own, leader, exited)
        if last is None or first.last >= last or leader.jumps(first.last, last):
            return none
        known_by = exited if own.at_open else entry.at
        was = leader.form(first.place, known_by)[3 if own.at_open else 2]
        now = leader.form(last, exited)[2]
        led = near(now * leader.units(first.place, last) / was - 1)
        residual = move - round(Fraction(slope * led, PPB))
        return dict(zip(names, (leader.symbol, led, slope, residual), strict=True))
    return none


def _entry_beside(own: Market, leader: Market, at: int) -> Entry | None:
    """The leader's open at the moment of an open, or its close by the moment of a close."""
    if own.at_open:
        entry = leader.entry(at) if leader.at_open else None
        return entry if entry is not None and entry.at == at else None
    place = _together(own, leader, at)
    return None if place is None else Entry(place, at, place, leader.bars[place][3])


def _together(own: Market, leader: Market, at: int) -> int | None:
    """The leader's close at a moment of another market; None if it is older than a bar of that."""
    place, longest = leader.last(at), min(leader.oldest, max(own.step, HOUR))
    return None if place is None or at - leader.bars[place][0] >= longest else place


def _excursions(market: Market, entry: Entry, last: int, stance: str) -> dict[str, Any]:
    reached = [Fraction(0)]
    for place in range(entry.last + 1, last + 1):
        _, high, low, *_ = market.bars[place]
        unit = market.units(entry.place, place)
        reached += [high * unit / entry.price - 1, low * unit / entry.price - 1]
    names = "mae_sure_ppb", "mae_possible_ppb", "mfe_sure_ppb", "mfe_possible_ppb"
    down, up = min(reached), max(reached)
    if stance == "short":
        down, up = -up, -down
    return dict(zip(names, map(near, (down, down, up, up)), strict=True))


def _plan(
    market: Market, entry: Entry, last: int, call: Call, costs: int, result: int | None
) -> dict[str, Any]:
    none = {"plan": None, "plan_at": None, "plan_ppb": None, "plan_passed": False}
    stop, target = call.stop, call.target
    if result is None or (stop is None and target is None):
        return none
    side = 1 if call.stance == "long" else -1
    price = entry.price * market.units_since(call.at, entry.place)
    if (stop is not None and side * (price - stop) <= 0) or (
        target is not None and side * (target - price) <= 0
    ):
        return none | {"plan_passed": True}
    for place in range(entry.last + 1, last + 1):
        closed, high, low, *_ = market.bars[place]
        unit = market.units_since(call.at, place)
        worst, best = (low, high) if side > 0 else (high, low)
        stopped = stop is not None and side * (worst * unit - stop) <= 0
        reached = target is not None and side * (best * unit - target) >= 0
        if not stopped and not reached:
            continue
        at = stop if stopped else target
        assert at is not None
        earned = near(side * (at / price - 1)) - costs
        word = "same_bar" if stopped and reached else "stop_first" if stopped else "target_first"
        return none | {"plan": word, "plan_at": closed, "plan_ppb": earned}
    return none | {"plan": "neither", "plan_ppb": result}


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
        0, HOUR, [(at, *[price] * 4) for at, price in sorted(prints.items())], symbol=coin
    )


def _rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        return list(csv.DictReader(file))


PRICES = ("high", "low", "close", "open")
