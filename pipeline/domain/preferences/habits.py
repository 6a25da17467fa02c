"""What the user's trades of each day show, as observations.

A day is one observation, however many fills and positions it has: they share one market and one
mood. What most of a day's positions did is what the day shows; a day without a majority shows
`MIXED`, which speaks against every value. Base rates keep chance out: of hours there are three
values, of sizes five, so that no random hand is above a Wilson bound of 0.6 for long.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, timedelta
from decimal import Decimal
from statistics import median
from typing import Final

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.fills.money import is_dollar
from afterword.pipeline.domain.preferences.dimensions import LARGEST_ENTRY, MIXED
from afterword.pipeline.domain.preferences.model import Evidence, PreferenceObservation
from afterword.pipeline.domain.preferences.source_rows import TradedPosition
from afterword.pipeline.rules.market.classes import StatedClasses
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.market.windows import DAY_US, HOUR_US
from afterword.pipeline.rules.user_tags.observed import ACTIVE_TRADES, SIGN_SHARE

MOST_EVIDENCE: Final = 5
"""Things that an observation names: enough to look it up, few enough to read."""

WEEKEND_ENTRIES: Final = 3
"""Positions that a week needs before a weekend without one says something: of three entries at
random in a week that never closes, 36 % leave the weekend out; of one, 71 %."""

_DAILY_DAYS: Final = 5
"""Days with a trade in a week from which on somebody trades daily: `DAILY_SHARE` of seven."""

_LEVERAGED: Final = frozenset({"perp", "future", "cfd"})
_BOTH_WAYS: Final = _LEVERAGED | {"forex", "option"}
"""Kinds of market in which a long position is a choice."""

_HOURS: Final = ("asia", "europe", "us")
_SIZES: Final = (
    (Decimal(100), "under_100"),
    (Decimal(1_000), "100_to_1k"),
    (Decimal(10_000), "1k_to_10k"),
    (Decimal(100_000), "10k_to_100k"),
)
_HOLDING: Final = ((HOUR_US, "minutes"), (DAY_US, "hours"), (7 * DAY_US, "days"))

_MONDAY: Final = 4
"""The first Monday, as a day numbered from 1970 (a Thursday)."""

Days = Mapping[int, Sequence[TradedPosition]]


def habits(
    positions: Iterable[TradedPosition],
    classes: StatedClasses,
    today: int,
) -> Iterator[PreferenceObservation]:
    """Yield what the trades of each day, and of each week, show; only of those that ended.

    Args:
        positions: the user's own.
        today: the day that is not over, numbered from 1970.
    """
    known = list(positions)
    opened = _by_day((one for one in known if one.is_entry_known), "opened_at", today)
    closed = _by_day((one for one in known if one.closed_at is not None), "closed_at", today)
    for day, ones in opened.items():
        yield from _assets(day, ones)
        yield from _most(day, "direction", ones, _direction)
        yield from _most(day, "session_hours", ones, _hours)
        yield from _most(day, "order_type", ones, _order_type)
        yield from _sizes(day, ones)
    for day, ones in closed.items():
        yield from _holding(day, ones)
        yield from _risk(day, ones)
    yield from _weekends(opened, classes, today)
    yield from _frequency(opened, closed, today)


def _by_day(positions: Iterable[TradedPosition], moment: str, today: int) -> Days:
    days: defaultdict[int, list[TradedPosition]] = defaultdict(list)
    for one in positions:
        day = getattr(one, moment) // DAY_US
        if day < today:
            days[day].append(one)
    return days


def _assets(day: int, ones: Sequence[TradedPosition]) -> Iterator[PreferenceObservation]:
    by_asset: defaultdict[str, list[TradedPosition]] = defaultdict(list)
    for one in ones:
        by_asset[normalise_symbol(one.symbol)].append(one)
    for asset, of_asset in by_asset.items():
        yield _observed("asset", asset, day, of_asset)


def _most(
    day: int,
    dimension: str,
    ones: Sequence[TradedPosition],
    value_of: Callable[[TradedPosition], str | None],
) -> Iterator[PreferenceObservation]:
    """Yield the value of more than half of the positions that have one."""
    values = [(value, one) for one in ones if (value := value_of(one)) is not None]
    if values:
        value, count = Counter(value for value, _ in values).most_common(1)[0]
        shown = value if 2 * count > len(values) else MIXED
        yield _observed(dimension, shown, day, [one for _, one in values])


def _direction(one: TradedPosition) -> str | None:
    return one.direction if one.kind in _BOTH_WAYS else None


def _hours(one: TradedPosition) -> str | None:
    return None if one.is_day else _HOURS[one.opened_at % DAY_US // (8 * HOUR_US)]


def _order_type(one: TradedPosition) -> str | None:
    return None if one.took is None else ("market" if one.took else "limit")


def _sizes(day: int, ones: Sequence[TradedPosition]) -> Iterator[PreferenceObservation]:
    sized = [
        (Decimal(one.first_notional), one)
        for one in ones
        if one.first_notional and is_dollar(one.quote)
    ]
    if not sized:
        return
    middle = median(size for size, _ in sized)
    bucket = next((name for most, name in _SIZES if middle < most), "over_100k")
    of_day = [one for _, one in sized]
    yield _observed("position_size", bucket, day, of_day)
    largest, one = max(sized, key=lambda pair: pair[0])
    cents = largest.quantize(Decimal("0.01"))
    yield _observed(LARGEST_ENTRY, f"{cents:f}", day, [one])


def _holding(day: int, ones: Sequence[TradedPosition]) -> Iterator[PreferenceObservation]:
    held = [
        (one.closed_at - one.opened_at, one)
        for one in ones
        if one.closed_at is not None and one.is_entry_known and not one.is_day
    ]
    if held:
        middle = median(time for time, _ in held)
        value = next((name for most, name in _HOLDING if middle < most), "weeks")
        yield _observed("holding_time", value, day, [one for _, one in held])


def _risk(day: int, ones: Sequence[TradedPosition]) -> Iterator[PreferenceObservation]:
    leveraged = [one for one in ones if one.kind in _LEVERAGED and one.is_whole]
    signs = [one for one in leveraged if one.losing_adds]
    if not leveraged:
        return
    is_aggressive = any(one.liquidated for one in leveraged)
    is_aggressive |= len(signs) > SIGN_SHARE * len(leveraged)
    yield _observed("risk", "aggressive" if is_aggressive else MIXED, day, signs or leveraged)


def _weekends(opened: Days, classes: StatedClasses, today: int) -> Iterator[PreferenceObservation]:
    for monday, days in _weeks(opened, today).items():
        ones = [
            one
            for day in days
            for one in opened[day]
            if not one.is_day and classes.group(one.symbol) == "crypto"
        ]
        if len(ones) >= WEEKEND_ENTRIES:
            at_end = [one for one in ones if one.opened_at // DAY_US - monday >= 5]
            value = MIXED if at_end else "none"
            yield _observed("weekends", value, monday, at_end or ones)


def _frequency(opened: Days, closed: Days, today: int) -> Iterator[PreferenceObservation]:
    """Yield how often each whole week between the first trade and the last had a trade."""
    traded = sorted({*opened, *closed})
    if not traded:
        return
    weeks = _weeks(dict.fromkeys(traded, ()), today)
    for monday in range(_monday(traded[0]) + 7, _monday(traded[-1]) + 1, 7):
        if monday + 7 > today:
            return
        days = weeks.get(monday, [])
        ones = [one for day in days for one in (*opened.get(day, ()), *closed.get(day, ()))]
        ended = sum(len(closed.get(day, ())) for day in days)
        if len(days) >= _DAILY_DAYS:
            value = "active" if ended >= ACTIVE_TRADES * len(days) else "daily"
        else:
            value = "weekly" if days else "passive"
        yield _observed("frequency", value, monday, ones)


def _weeks(days: Iterable[int], today: int) -> dict[int, list[int]]:
    """Return the days of each week that ended, by its Monday."""
    weeks: defaultdict[int, list[int]] = defaultdict(list)
    for day in sorted(days):
        if _monday(day) + 7 <= today:
            weeks[_monday(day)].append(day)
    return weeks


def _monday(day: int) -> int:
    return day - (day - _MONDAY) % 7


def _observed(
    dimension: str, value: str, stretch: int, shown: Sequence[TradedPosition]
) -> PreferenceObservation:
    once = dict.fromkeys(one.evidence for one in shown)
    named: tuple[Evidence, ...] = tuple(once)[:MOST_EVIDENCE]
    return PreferenceObservation(
        dimension,
        value,
        "habit",
        "trades",
        stretch,
        times=max(1, len(once)),
        evidence=named,
    )


def day_of(stretch: int) -> str:
    """Return the day of a stretch as people read it."""
    return (from_micros(0) + timedelta(days=stretch)).astimezone(UTC).date().isoformat()
