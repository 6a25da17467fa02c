"""Does following one arm beat following another: a bet on their difference, stretch by stretch.

Prices and regimes meet both arms of a stretch alike, so the difference leaves them out. The bet
assumes nothing about the spread or the shape of differences, only how large one can be, and it may
be read after every stretch.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import fsum
from typing import Final, Literal, NamedTuple

from afterword.pipeline.rules.evidence.bets import Wager
from afterword.pipeline.rules.evidence.graduation import MOST_NEEDED

HelpVerdict = Literal["helps", "hurts", "cannot tell yet"]

TOLD_AT: Final = 20.0
"""The e-value of a verdict: without a difference, either verdict is ever reached with a chance of
at most 1 in 20, however often one looks."""

WIDEST_DIFFERENCE: Final = 2.0
"""The largest difference of two means in [-1, 1]."""

_STEPS: Final = 22
"""Halvings of an interval's range: its ends are good to a millionth."""


class PairedStretch(NamedTuple):
    """What two arms made of the same stretch of time.

    Args:
        entry_at: when the decisions of both arms entered; microseconds UTC.
        exit_at: when the last of them ended; microseconds UTC, after `entry_at`.
        a: mean of (hit - base) over the first arm's decisions, in [-1, 1].
        b: the same of the second arm.
        bound: the largest difference that was possible, as known at the entry. The bet risks a
            share of it, so a close bound finds an effect sooner.
    """

    entry_at: int
    exit_at: int
    a: float
    b: float
    bound: float = WIDEST_DIFFERENCE


class PairedVerdict(NamedTuple):
    """Whether the first arm is better than the second.

    Args:
        n: stretches with both arms; count.
        mean: mean of a - b; 0 without a stretch.
        interval: where the mean lies if it is the same in all stretches; each end is ever wrong
            with a chance of at most 5 %. It leaves 0 out exactly when there is a verdict.
        up: e-value of "a is better".
        down: e-value of "b is better".
        verdict: `helps` if up is 20 or more, `hurts` if down is.
        needed: further stretches until a verdict, if those to come are like those so far; 0 with a
            verdict. None if none is in sight: there is hardly a difference, or 2,000 are too few.
    """

    n: int
    mean: float
    interval: tuple[float, float]
    up: float
    down: float
    verdict: HelpVerdict
    needed: int | None


def paired_verdict(stretches: Iterable[PairedStretch]) -> PairedVerdict:
    """Bet on the difference of two arms, in both directions.

    The null of `up` is: given all earlier stretches, the mean of a - b is at most 0. Each bet risks
    a fixed share δ of the bound, so its factor 1 + δ (a - b) / bound has a mean of at most 1; the
    e-value is the mean over six δ, by the same wager as everywhere. The two e-values never both
    reach 20.

    Args:
        stretches: in any order; equal sets give equal bits, and a repeated one counts once.

    Raises:
        ValueError: two stretches overlap (a bet must be made when all earlier ones are decided),
            one ends before it begins, or a difference exceeds its bound.

    Source: I. Waudby-Smith, A. Ramdas, Estimating means of bounded random variables by betting,
    JRSS B 86 (2024), 1-27; J. Ville, Étude critique de la notion de collectif (1939).
    """
    checked = _checked(stretches)
    if not checked:
        return PairedVerdict(
            0, 0.0, (-WIDEST_DIFFERENCE, WIDEST_DIFFERENCE), 1.0, 1.0, "cannot tell yet", None
        )
    wins = [(one.a - one.b, one.bound) for one in checked]
    losses = [(-won, bound) for won, bound in wins]
    up, down = _wager(wins), _wager(losses)
    verdict: HelpVerdict = "cannot tell yet"
    if up.value >= TOLD_AT:
        verdict = "helps"
    elif down.value >= TOLD_AT:
        verdict = "hurts"
    mean = fsum(won for won, _ in wins) / len(wins)
    return PairedVerdict(
        n=len(checked),
        mean=mean,
        interval=(_lower_end(wins), -_lower_end(losses)),
        up=up.value,
        down=down.value,
        verdict=verdict,
        needed=_needed(up if up.value > down.value else down, len(checked)),
    )


def _checked(stretches: Iterable[PairedStretch]) -> list[PairedStretch]:
    ordered = sorted(set(stretches))
    for stretch in ordered:
        if stretch.exit_at <= stretch.entry_at:
            raise ValueError(f"a stretch must end after its entry at {stretch.entry_at}")
        if (
            not abs(stretch.a - stretch.b) <= stretch.bound * (1 + 1e-9)
            or not 0 < stretch.bound <= WIDEST_DIFFERENCE
        ):
            raise ValueError(
                f"the difference of the stretch at {stretch.entry_at} must lie within its bound "
                f"{stretch.bound}, and that in (0, 2]; got {stretch.a} - {stretch.b}"
            )
    for stretch, after in pairwise(ordered):
        if after.entry_at < stretch.exit_at:
            raise ValueError(
                f"stretches must not overlap: one ends at {stretch.exit_at}, the next enters at "
                f"{after.entry_at}"
            )
    return ordered


def _wager(wins: Sequence[tuple[float, float]], least: float = 0.0) -> Wager:
    """Return the bet that the mean of some differences is above a number.

    Args:
        wins: differences, and how far below 0 each could be.
        least: the number; above minus the smallest bound.
    """
    wager = Wager()
    for won, bound in wins:
        wager.add((won - least) / (bound + least))
    return wager


def _lower_end(wins: Sequence[tuple[float, float]]) -> float:
    """Return the largest number that the bets exclude as a mean, to a millionth."""
    smallest = min(bound for _, bound in wins)
    widest = max(bound for _, bound in wins)

    def is_excluded(least: float) -> bool:
        # No mean lies below what is possible in one stretch.
        return least <= -smallest or _wager(wins, least).value >= TOLD_AT

    # The first number tried is 0: the interval leaves 0 out exactly when there is a verdict.
    return _last_true(is_excluded, -widest, widest)


def _last_true(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return the largest number at which a falling statement still holds; it does at `low`."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return low


def _needed(wager: Wager, n: int) -> int | None:
    """Return the further stretches until a bet is told, if they win and lose as those so far did.

    After k more, each of the six products has grown to its power 1 + k / n.
    """
    if wager.value >= TOLD_AT:
        return 0
    low, high = 1, MOST_NEEDED + 1
    while low < high:
        more = (low + high) // 2
        grown = [one ** (1 + more / n) for one in wager.products]
        if sum(grown) / len(grown) >= TOLD_AT:
            high = more
        else:
            low = more + 1
    return low if low <= MOST_NEEDED else None
