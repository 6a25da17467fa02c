"""What rules and placebos decide over past prices, and when.

One decision for each asset every so often: at the first close at or after each multiple of that
time since 1970. The moment of a decision is that close, and nothing later is read, so a call is
equal whether or not the prices go on.

A placebo has no skill beyond that of the rule it is made from. It decides wherever it can: a drawn
one at every moment, `flipped` where its rule calls, `stale` where its rule called one step before.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from heapq import merge
from typing import Final, Literal, NamedTuple

from afterword.pipeline.clock import from_micros
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.classes import NOTHING_STATED, StatedClasses
from afterword.pipeline.rules.market.ladder import Ladder
from afterword.pipeline.rules.market.signals import OPPOSITE, Signal, TradingRule
from afterword.pipeline.rules.market.taxonomy import AssetClass
from afterword.pipeline.rules.setup import Direction

PlaceboKind = Literal["fixed", "anew", "flipped", "stale"]
"""`fixed`: one side, drawn once for each asset class. `anew`: drawn at each decision. `flipped`:
the opposite of a rule. `stale`: what a rule said one step before."""

_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class MakerCall:
    """A decision that a maker would have made.

    Args:
        at: the close it was made at; microseconds.
        asset: its key, such as `BTC`.
        maker: `momentum`, `fixed`, `flipped:momentum` and so on.
        words: the decision as a sentence.
        variant: parameters of its rule, or number of a drawn placebo; makers of one name differ in
            it.
    """

    at: int
    asset: str
    maker: str
    stance: Direction
    words: str
    variant: str


@dataclass(frozen=True, slots=True)
class Placebo:
    """A maker of decisions without skill.

    Args:
        rule: what `flipped` and `stale` are made from; None of the drawn kinds.
        number: tells several drawn ones of one kind apart; count from 1.
    """

    kind: PlaceboKind
    rule: TradingRule | None = None
    number: int = 1

    def __post_init__(self) -> None:
        is_drawn = self.kind in ("fixed", "anew")
        if is_drawn != (self.rule is None):
            accepted = "none for fixed and anew, one for flipped and stale"
            raise InvalidInputError("rule", f"does not fit the placebo {self.kind}", accepted)

    @property
    def maker(self) -> str:
        """The name of the maker."""
        return self.kind if self.rule is None else f"{self.kind}:{self.rule.name}"

    @property
    def variant(self) -> str:
        """See `MakerCall`."""
        return str(self.number) if self.rule is None else self.rule.variant


def usual_placebos(rules: Sequence[TradingRule]) -> tuple[Placebo, ...]:
    """Return a placebo of each kind, those made from a rule once for each rule."""
    made = [Placebo(kind, rule) for kind in _DERIVED for rule in rules]
    return (Placebo("fixed"), Placebo("anew"), *made)


def rule_calls(
    series: Mapping[str, Ladder], rules: Sequence[TradingRule], every: timedelta
) -> Iterator[MakerCall]:
    """Yield what rules decide, in order of moment, asset, maker and variant.

    Args:
        series: by the key of the asset.
        every: time between two decisions about one asset; usually the horizon.

    Raises:
        InvalidInputError: `every` is not above 0.
    """
    step = _step(every)
    ordered = sorted(rules, key=lambda rule: (rule.name, rule.variant))
    return _merged(_rule_calls(asset, ladder, ordered, step) for asset, ladder in series.items())


def placebo_calls(
    series: Mapping[str, Ladder],
    placebos: Sequence[Placebo],
    every: timedelta,
    seed: int,
    classes: StatedClasses = NOTHING_STATED,
) -> Iterator[MakerCall]:
    """Yield what placebos decide, in order of moment, asset, maker and variant.

    Args:
        series, every: see `rule_calls`.
        seed: of what is drawn; a draw depends on nothing else but its asset and moment.
        classes: of the assets.

    Raises:
        InvalidInputError: `every` is not above 0.
    """
    step = _step(every)
    ordered = sorted(placebos, key=lambda placebo: (placebo.maker, placebo.variant))
    return _merged(
        _placebo_calls(asset, classes.of(asset), ladder, ordered, step, seed)
        for asset, ladder in series.items()
    )


def fixed_side(placebo: Placebo, of: AssetClass, seed: int) -> Direction:
    """Return the side that a fixed placebo calls on all assets of a class."""
    return _drawn(seed, "fixed", placebo.number, of)


_DERIVED: Final[tuple[PlaceboKind, ...]] = ("flipped", "stale")


class _Moment(NamedTuple):
    """A moment at which makers decide.

    Args:
        last: place of the bar that closed then.
        before: place at the moment one step before; None if that is too long ago.
    """

    at: int
    last: int
    before: int | None


def _moments(series: Ladder, step: int) -> Iterator[_Moment]:
    """Yield the first close at or after each multiple of a step, each once."""
    closed = series.closed
    due, before = 0, None
    if closed:  # a first bar counts if the multiple is within it, wherever the series begins
        due = ((closed[0] - max(series.interval, 1)) // step + 1) * step
    last = bisect_left(closed, due)
    while last < len(closed):
        at = closed[last]
        if before is not None and at - closed[before] > step + series.oldest:
            before = None
        yield _Moment(at, last, before)
        before = last
        last = bisect_left(closed, (at // step + 1) * step, last + 1)


def _rule_calls(
    asset: str, series: Ladder, rules: Sequence[TradingRule], step: int
) -> Iterator[MakerCall]:
    for at, last, _ in _moments(series, step):
        for rule in rules:
            signal = rule.signal(series, last)
            if signal is not None:
                words = f"{asset} {signal.saw}: {_name(rule)} says {signal.side}."
                yield MakerCall(at, asset, rule.name, signal.side, words, rule.variant)


def _placebo_calls(
    asset: str, of: AssetClass, series: Ladder, placebos: Sequence[Placebo], step: int, seed: int
) -> Iterator[MakerCall]:
    signals = _Signals(series)
    for moment in _moments(series, step):
        for placebo in placebos:
            call = _placebo_call(asset, of, placebo, moment, signals, seed)
            if call is not None:
                side, words = call
                yield MakerCall(moment.at, asset, placebo.maker, side, words, placebo.variant)


class _Signals:
    """The signals of rules on one series, the newest ones kept."""

    def __init__(self, series: Ladder) -> None:
        self.closed = series.closed
        self._series = series
        self._kept: dict[TradingRule, dict[int, Signal | None]] = {}

    def at(self, rule: TradingRule, place: int) -> Signal | None:
        by_place = self._kept.setdefault(rule, {})
        if place not in by_place:
            if len(by_place) > 1:  # that of one step before is asked once more
                del by_place[min(by_place)]
            by_place[place] = rule.signal(self._series, place)
        return by_place[place]


def _placebo_call(
    asset: str, of: AssetClass, placebo: Placebo, moment: _Moment, signals: _Signals, seed: int
) -> tuple[Direction, str] | None:
    if placebo.rule is None:
        if placebo.kind == "fixed":
            side = fixed_side(placebo, of, seed)
            return side, f"{asset}, whatever its price does: this placebo always says {side}."
        side = _drawn(seed, "anew", placebo.number, asset, moment.at)
        return side, f"{asset}, whatever its price does: the coin of this moment says {side}."
    if placebo.kind == "flipped":
        signal = signals.at(placebo.rule, moment.last)
        if signal is None:
            return None
        side = OPPOSITE[signal.side]
        told = f"{_name(placebo.rule)} says {signal.side}, its opposite {side}"
        return side, f"{asset} {signal.saw}: {told}."
    signal = None if moment.before is None else signals.at(placebo.rule, moment.before)
    if signal is None or moment.before is None:
        return None
    then = from_micros(signals.closed[moment.before])
    told = f"{_name(placebo.rule)} said {signal.side} then"
    return signal.side, f"On {then:%Y-%m-%d %H:%M} {asset} {signal.saw}: {told}."


def _merged(parts: Iterator[Iterator[MakerCall]]) -> Iterator[MakerCall]:
    return merge(*parts, key=lambda call: (call.at, call.asset, call.maker, call.variant))


def _drawn(seed: int, *parts: str | int) -> Direction:
    """Draw a side by what it is for; never by order, nor by the hash of this process."""
    digest = hashlib.sha256(" ".join(map(str, (seed, *parts))).encode()).digest()
    return "long" if digest[0] & 1 else "short"


def _name(rule: TradingRule) -> str:
    return rule.name.replace("_", " ")


def _step(every: timedelta) -> int:
    if every <= timedelta(0):
        raise InvalidInputError("every", f"is {every}", "a time above 0")
    return every // _MICROSECOND
