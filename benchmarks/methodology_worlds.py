"""Methodologies with and without skill on real prices and block-shuffled twins, as stretches."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple

import numpy as np

from afterword.pipeline.rules.evidence.method_record import (
    MethodStretch,
    MethodVote,
    method_stretches,
)
from afterword.pipeline.rules.evidence.neutral import neutral_kappa, neutral_verdict, usual_move
from afterword.pipeline.rules.evidence.rates import PSEUDO_VOTES
from benchmarks.evidence_worlds import (
    DAILY,
    Chance,
    Closes,
    Floats,
    Ints,
    chance_of,
    market,
    series,
    shuffled,
    twin,
)

Kind = Literal["fixed", "anew", "flipped", "stale", "long", "short", "neutral"]
KINDS: Final[tuple[Kind, ...]] = ("fixed", "anew", "flipped", "stale", "long", "short", "neutral")
"""Methods without skill: one direction drawn once, or anew each time; the opposite of the last
move, or the last move but one; always long, always short; always neutral. The two that follow moves
may have an edge, or its opposite, on real prices; on twins they have none."""

WINDOWS: Final = {"1d": 1, "7d": 5, "30d": 21}
"""Bars of a decision: trading days."""

YEAR: Final = 250
YEARS: Final = 252
"""Bars of a year; coins have more, which makes their years shorter here."""

FIRST: Final = 300
"""Bars before the first decision: a year of history for the base rate."""


@dataclass(frozen=True, slots=True)
class Windows:
    """What a call at each close of a series comes to, and what was known then.

    Args:
        bars: of a decision.
        up: 1 a rise beyond the band, -1 a fall, 0 inside.
        rises: share of rises among the moves that were known, shrunk.
        calm: 1 a neutral call is right, -1 wrong, 0 noise.
        calms: share of right ones among the neutral calls that were known, shrunk.
    """

    name: str
    bars: int
    up: Ints
    rises: Floats
    calm: Ints
    calms: Floats
    last: Ints

    @property
    def count(self) -> int:
        """Closes with an outcome."""
        return len(self.up) - self.bars


class Span(NamedTuple):
    """A part of a series in which methods are tried: its first close and the one after its last."""

    start: int
    stop: int


def windows_of(closes: Closes, bars: int) -> Windows:
    """Compute the outcome of every call on a series, by the rules that judge decisions."""
    known = market(closes, bars)
    steps, n = closes.moves, len(closes.moves)
    up = np.where(known.moves > known.bands, 1, np.where(known.moves < -known.bands, -1, 0))
    last = np.zeros(n, dtype=np.int64)
    last[bars:] = up[:-bars]
    squares = np.concatenate([[0.0], np.cumsum(steps**2)])
    month = closes.month
    sigma = np.full(n, np.nan)
    sigma[month:] = np.sqrt((squares[month + 1 :] - squares[1 : n - month + 1]) / month * bars)
    ratios = np.full(n, np.nan)
    with np.errstate(invalid="ignore"):
        ratios[bars:] = np.abs(known.moves[:-bars]) / sigma[:-bars]
    calm = np.zeros(n, dtype=np.int64)
    for bar in range(month + bars, n - bars):
        recent = ratios[max(0, bar - YEAR + 1) : bar + 1]
        recent = recent[~np.isnan(recent)]
        median = float(np.median(recent)) if len(recent) else 0.0
        usual = usual_move(float(sigma[bar]), neutral_kappa(median, len(recent) / bars))
        verdict = neutral_verdict(float(known.moves[bar]), usual)
        calm[bar] = {"right": 1, "wrong": -1, "noise": 0}[verdict]
    was = np.zeros(n, dtype=np.int64)
    was[bars:] = calm[:-bars]
    right, judged = np.cumsum(was > 0) / bars, np.cumsum(was != 0) / bars
    calms = (right + PSEUDO_VOTES / 2) / (judged + PSEUDO_VOTES)
    return Windows(closes.name, bars, up, known.rises, calm, calms, last)


def worlds(folder: Path, bars: int, is_twin: bool) -> Iterator[Windows]:
    """Yield every daily series, or a shuffled twin of it, with its outcomes."""
    for name in DAILY:
        closes = series(folder, name)
        if len(closes.at) < FIRST + 2 * YEARS + 21:
            continue
        if is_twin:
            chance = chance_of("methods", name, str(bars))
            closes = twin(closes, shuffled(len(closes.at), chance))
        yield windows_of(closes, bars)


def spans(one: Windows, years: int) -> list[Span]:
    """Return spans of some years, one starting each year."""
    length = years * YEARS
    return [Span(start, start + length) for start in range(FIRST, one.count - length + 1, YEARS)]


def calls(one: Windows, span: Span, kind: Kind, chance: Chance, every: int) -> Floats:
    """Return the calls of a method: a row of closes and a row of directions.

    Args:
        every: bars between two calls; the first one comes at a random one of them.
    """
    at = np.arange(span.start + int(chance.integers(every)), span.stop, every)
    last = np.where(one.last[at] == 0, 1, one.last[at])
    match kind:
        case "fixed":
            way = np.full(len(at), chance.choice([-1, 1]))
        case "anew":
            way = chance.choice([-1, 1], len(at))
        case "flipped":
            way = -last
        case "stale":
            earlier = at - one.bars
            way = np.where(one.last[earlier] == 0, 1, one.last[earlier])
        case "long" | "short":
            way = np.full(len(at), 1 if kind == "long" else -1)
        case "neutral":
            way = np.zeros(len(at))
    return np.stack([at, way]).astype(np.float64)


def stretches(one: Windows, made: Floats, edge: float, chance: Chance) -> list[MethodStretch]:
    """Return the stretches of a method's calls.

    Args:
        edge: share of its misses that are turned into hits.
    """
    return list(method_stretches(_votes(one, made, edge, chance)))


def stretches_apart(one: Windows, made: Floats, edge: float, chance: Chance) -> list[MethodStretch]:
    """Return each call as a stretch of its own, as the literal gate counts them."""
    votes = _votes(one, made, edge, chance)
    return [found for vote in votes for found in method_stretches([vote])]


def _votes(one: Windows, made: Floats, edge: float, chance: Chance) -> list[MethodVote]:
    votes = []
    for close, way in zip(made[0].astype(int).tolist(), made[1].tolist(), strict=True):
        if way == 0:
            came, base = int(one.calm[close]), float(one.calms[close])
            is_hit = None if came == 0 else came > 0
        else:
            came = int(one.up[close])
            is_hit = None if came == 0 else came == way
            rises = float(one.rises[close])
            base = rises if way > 0 else 1 - rises
        if is_hit is False and chance.random() < edge:
            is_hit = True
        votes.append(MethodVote(close, close + one.bars, one.name, is_hit, base))
    return votes
