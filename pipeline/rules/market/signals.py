"""Three textbook rules over closes: momentum, mean reversion, breakout.

They are not advice: a replay needs decisions that cost no model, and these rules everybody knows.
Each looks back by time, not by bars, and takes one close a day from it, so hourly bars give the
answers that daily bars of the same hour give. Closes are whole numbers adjusted for splits, and
each answer is computed from its own look-back: it has the same digits wherever the series begins
or ends.

Four weeks are the default of all three: the 20 trading days of Bollinger's bands and of Donchian's
four-week rule, and the shortest look-back of the study of momentum.
"""

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, ClassVar, Final, Literal, NamedTuple, Protocol

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.decimals import plain, read_amount
from afterword.pipeline.rules.market.exact import rounded, rounded_root
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.windows import HOUR_US, MOST_WINDOW_HOURS
from afterword.pipeline.rules.setup import Direction

RuleName = Literal["momentum", "mean_reversion", "breakout"]

_FOUR_WEEKS_HOURS: Final = 672
_DAY_HOURS: Final = 24

FEWEST_CLOSES: Final = 5
"""Closes that a mean or an extreme is taken from, at least: a trading week. Of five, none is more
than two deviations from their mean."""

MOST_DEVIATIONS: Final = 100

OPPOSITE: Final[Mapping[Direction, Direction]] = {"long": "short", "short": "long"}

_UNITS: Final[Mapping[int, str]] = {1: "hourly", _DAY_HOURS: "daily"}


class Signal(NamedTuple):
    """A call of a rule.

    Args:
        saw: what it saw, as the end of a sentence that begins with the asset.
    """

    side: Direction
    saw: str


class TradingRule(Protocol):
    """A fixed rule over closes.

    Args:
        name: as makers are named.
        source: where the rule is from.
    """

    name: ClassVar[RuleName]
    source: ClassVar[str]

    @property
    def variant(self) -> str:
        """Its parameters, as text: they tell two rules of one name apart."""
        ...

    def signal(self, series: Ladder, last: int) -> Signal | None:
        """Return the call at the close of a bar; None for no call. Later bars are not read."""
        ...

    def condition(self, side: Direction) -> str:
        """Say when the rule calls a side, as the end of `Go long when the close is`."""
        ...


@dataclass(frozen=True, slots=True)
class _LookbackRule:
    lookback_hours: int = _FOUR_WEEKS_HOURS

    def __post_init__(self) -> None:
        _check_hours("lookback_hours", self.lookback_hours, MOST_WINDOW_HOURS)

    @property
    def variant(self) -> str:
        """See `TradingRule`."""
        return ",".join(f"{one.name}={getattr(self, one.name)}" for one in fields(self))


@dataclass(frozen=True, slots=True)
class _SpacedRule(_LookbackRule):
    spacing_hours: int = _DAY_HOURS

    def __post_init__(self) -> None:
        _LookbackRule.__post_init__(self)
        _check_hours("spacing_hours", self.spacing_hours, self.lookback_hours)

    @property
    def unit(self) -> str:
        """How often a close is taken, in a word."""
        return _UNITS.get(self.spacing_hours, f"{self.spacing_hours}-hourly")


@dataclass(frozen=True, slots=True)
class Momentum(_LookbackRule):
    """Go with the sign of the move over the look-back.

    Args:
        lookback_hours: length of the move.

    Source: T. Moskowitz, Y. H. Ooi, L. H. Pedersen, "Time series momentum", Journal of Financial
    Economics 104 (2012), 228-250: returns persist for 1 to 12 months.
    """

    name: ClassVar[RuleName] = "momentum"
    source: ClassVar[str] = (
        "Moskowitz, Ooi and Pedersen, Journal of Financial Economics 104 (2012), 228-250"
    )

    def signal(self, series: Ladder, last: int) -> Signal | None:
        """See `TradingRule`."""
        first = _reach(series, last, self.lookback_hours)
        if first is None:
            return None
        now, then = series.closes[last], series.closes[first]
        if now == then:
            return None
        side: Direction = "long" if now > then else "short"
        saw = f"closed at {_price(series, last)}, {_percent(now, then)} {self.condition(side)}"
        return Signal(side, saw)

    def condition(self, side: Direction) -> str:
        """See `TradingRule`."""
        way = "above" if side == "long" else "below"
        return f"{way} the close of {span(self.lookback_hours)} before"


@dataclass(frozen=True, slots=True)
class MeanReversion(_SpacedRule):
    """Go against a close that is far from the mean of the look-back, the close among them.

    Args:
        lookback_hours: length of the moving average.
        spacing_hours: from one close of it to the next.
        deviations: how far is far; standard deviations of those closes, above 0.

    Source: J. Bollinger, "Bollinger on Bollinger Bands" (2001): 20 trading days, 2 deviations; N.
    Jegadeesh, Journal of Finance 45 (1990), 881-898: returns of a month reverse.
    """

    deviations: Decimal = Decimal(2)
    name: ClassVar[RuleName] = "mean_reversion"
    source: ClassVar[str] = (
        "Bollinger on Bollinger Bands (2001); Jegadeesh, Journal of Finance 45 (1990), 881-898"
    )

    def __post_init__(self) -> None:
        _SpacedRule.__post_init__(self)
        given = self.deviations
        if not (isinstance(given, Decimal) and given.is_finite() and 0 < given <= MOST_DEVIATIONS):
            accepted = f"a Decimal above 0, up to {MOST_DEVIATIONS}"
            raise InvalidInputError("deviations", f"is {given!r}", accepted)
        object.__setattr__(self, "deviations", Decimal(plain(given)))  # 2.0 and 2 are one rule

    def signal(self, series: Ladder, last: int) -> Signal | None:
        """See `TradingRule`."""
        if _reach(series, last, self.lookback_hours) is None:
            return None
        now = series.closes[last]
        count = self.lookback_hours // self.spacing_hours
        window = [now, *_spaced(series, last, count - 1, self.spacing_hours)]
        if len(window) < FEWEST_CLOSES:
            return None
        # The distance from the mean times the count, and the variance times its square: both whole.
        total = sum(window)
        beyond = len(window) * now - total
        spread = len(window) * sum(one * one for one in window) - total * total
        above, below = self.deviations.as_integer_ratio()
        if beyond * beyond * below * below <= spread * above * above:
            return None
        hundredths = rounded_root(beyond * beyond * 10_000, spread)
        way = "above" if beyond > 0 else "below"
        saw = (
            f"closed at {_price(series, last)}, {hundredths // 100}.{hundredths % 100:02} standard "
            f"deviations {way} the mean {self.unit} close of {span(self.lookback_hours)}"
        )
        return Signal("short" if beyond > 0 else "long", saw)

    def condition(self, side: Direction) -> str:
        """See `TradingRule`."""
        way = "below" if side == "long" else "above"
        return (
            f"more than {self.deviations} standard deviations {way} the mean {self.unit} close of "
            f"{span(self.lookback_hours)}"
        )


@dataclass(frozen=True, slots=True)
class Breakout(_SpacedRule):
    """Go with a close beyond all closes of the look-back before it.

    Args:
        lookback_hours: length of the range.
        spacing_hours: from one close of it to the next.

    Source: R. Donchian's four-week rule; on closes: W. Brock, J. Lakonishok, B. LeBaron, Journal of
    Finance 47 (1992), 1731-1764 (trading range break).
    """

    name: ClassVar[RuleName] = "breakout"
    source: ClassVar[str] = (
        "Donchian's four-week rule; Brock, Lakonishok and LeBaron, Journal of Finance 47 (1992), "
        "1731-1764"
    )

    def signal(self, series: Ladder, last: int) -> Signal | None:
        """See `TradingRule`."""
        if _reach(series, last, self.lookback_hours) is None:
            return None
        count = self.lookback_hours // self.spacing_hours
        before = _spaced(series, last, count, self.spacing_hours)
        if len(before) < FEWEST_CLOSES:
            return None
        now, highest, lowest = series.closes[last], max(before), min(before)
        if lowest <= now <= highest:
            return None
        side: Direction = "long" if now > highest else "short"
        distance = _percent(now, highest if now > highest else lowest)
        return Signal(side, f"closed at {_price(series, last)}, {distance} {self.condition(side)}")

    def condition(self, side: Direction) -> str:
        """See `TradingRule`."""
        way = "above the highest" if side == "long" else "below the lowest"
        return f"{way} {self.unit} close of the {span(self.lookback_hours)} before"


SignalRule = Momentum | MeanReversion | Breakout

_RULES: Final[Mapping[str, type[SignalRule]]] = {
    rule.name: rule for rule in (Momentum, MeanReversion, Breakout)
}


def read_rule(name: str, parameters: str = "{}") -> SignalRule:
    """Return a rule by its name.

    Args:
        parameters: those that differ from the defaults, as a JSON object:
            `{"lookback_hours": 336, "deviations": 1.5}`.

    Raises:
        InvalidInputError: an unknown rule or parameter, or one out of range.
    """
    rule = _RULES.get(name)
    if rule is None:
        raise InvalidInputError("rule", f"{name!a:.40} is unknown", ", ".join(_RULES))
    try:
        given = json.loads(parameters)
    except ValueError:
        given = None
    known = [one.name for one in fields(rule)]
    if not isinstance(given, dict):
        raise InvalidInputError(name, "parameters must be a JSON object", ", ".join(known))
    for parameter in given:
        if parameter not in known:
            raise InvalidInputError(name, f"unknown parameter {parameter!a:.40}", ", ".join(known))
    values: dict[str, Any] = given
    if "deviations" in values:
        values["deviations"] = read_amount(str(values["deviations"]))
    return rule(**values)


def span(hours: int) -> str:
    """Return a length of time in words: `28 days`, `36 hours`."""
    count, unit = (hours, "hour") if hours % 24 else (hours // 24, "day")
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def _reach(series: Ladder, last: int, hours: int) -> int | None:
    """Return the place of the close some hours before that of `last`.

    Returns:
        None where the series begins later, where that close is too old to count as the price of its
        moment, where bars are longer than the hours, or where a jump lies between.
    """
    moment = series.closed[last] - hours * HOUR_US
    place = bisect_right(series.closed, moment, 0, last) - 1
    if place < 0 or series.interval > hours * HOUR_US:
        return None
    if moment - series.closed[place] > series.oldest:
        return None
    return None if series.jump(place, last) is not None else place


def _spaced(series: Ladder, last: int, count: int, hours: int) -> list[int]:
    """Return the closes at each of some moments before that of `last`, the newest first.

    Args:
        count: of moments; the series reaches back to all of them.
        hours: between one and the next. A close is taken once, also where it is the last one at
            several of them.
    """
    closed, closes = series.closed, series.closes
    step, moment, place = hours * HOUR_US, closed[last], last
    places = []
    for _ in range(count):
        moment -= step
        before = bisect_right(closed, moment, 0, place + 1) - 1
        if before < place:
            places.append(closes[before])
            place = before
    return places


def _price(series: Ladder, place: int) -> str:
    """Return a close for people, as its source has it: `42,283.58`."""
    whole, point, part = series.texts[place].partition(".")
    return f"{int(whole):,}{point}{part}"


def _percent(now: int, then: int) -> str:
    """Return how far two prices are apart: `6.1 %`, below one percent `0.61 %`."""
    apart = abs(now - then)
    hundredths = rounded(apart * 10_000, then)
    if hundredths < 100:
        return f"0.{hundredths:02} %"
    tenths = rounded(apart * 1_000, then)
    return f"{tenths // 10:,}.{tenths % 10} %"


def _check_hours(field: str, hours: object, most: int) -> None:
    if type(hours) is not int or not 1 <= hours <= most:
        raise InvalidInputError(field, f"is {hours!r}", f"whole hours, 1 to {most}")
