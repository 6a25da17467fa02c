"""What decisions would have earned at equal risk, beside holding the same assets.

Every decision has a weight of 1 / σ of its move, as known at its entry: a quiet market and a wild
one risk the same, and the unit of a result is one σ. Results add up and nothing is reinvested, so
neither the order nor the capital matters. Whole numbers until the last division: the same digits on
every machine.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import sqrt
from typing import Final, Literal, NamedTuple

from afterword.pipeline.rules.evidence.overlap import Spans, shared_products

CAPTION: Final = (
    "Each decision risks the same: its result is the move after costs, over the deviation of such "
    "moves as known at its entry. Results add up; nothing is reinvested. No funding is charged or "
    "paid, and no interest on borrowed coins or cash. Holding has the same assets, times and risk, "
    "always long, and pays no costs, since it hardly trades."
)
"""The assumptions, for the caption of a curve."""

MICRO: Final = 1_000_000
"""Parts of one σ."""


class RiskedDecision(NamedTuple):
    """A decision whose window is over.

    Args:
        entry_at: close of the entry bar; microseconds UTC.
        exit_at: close of the exit bar; microseconds UTC, after `entry_at`.
        asset: key of its market.
        stance: a neutral one takes no position: it earns nothing and is left out.
        move_ppb: of the price; parts per billion, above 0 is up.
        sigma_ppb: standard deviation of such a move, as known at the entry; above 0.
        costs_ppb: fees and slippage of the round trip; parts per billion, at least 0.
    """

    entry_at: int
    exit_at: int
    asset: str
    stance: Literal["long", "short", "neutral"]
    move_ppb: int
    sigma_ppb: int
    costs_ppb: int


class EquityPoint(NamedTuple):
    """The sum of all results until a moment.

    Args:
        at: an exit; microseconds UTC.
        micro_sigma: the sum; millionths of one σ.
    """

    at: int
    micro_sigma: int


class EquityCurve(NamedTuple):
    """The results of some decisions at equal risk.

    Args:
        n: decisions with a position; count.
        points: one for each moment with an exit, in order.
        drawdown: deepest fall from an earlier height, the beginning included; millionths of one σ.
        mean: mean result of a decision; σ. None without one.
        mean_error: its standard error; σ. None with fewer than two.
        ratio: mean over standard deviation of the results; None if all results are equal.
        ratio_error: its standard error.
        most_open: decisions that were open at once, at most: the largest risk, in σ, if their moves
            were the same; count.
    """

    n: int
    points: tuple[EquityPoint, ...]
    drawdown: int
    mean: float | None
    mean_error: float | None
    ratio: float | None
    ratio_error: float | None
    most_open: int

    @property
    def total(self) -> int:
        """The sum of all results; millionths of one σ."""
        return self.points[-1].micro_sigma if self.points else 0


class Equity(NamedTuple):
    """Decisions at equal risk, beside the same assets held.

    Args:
        decided: what the decisions earned after costs.
        held: what always being long would have, in the same assets and times, without costs.
        neutral: decisions without a position; count.
    """

    decided: EquityCurve
    held: EquityCurve
    neutral: int


def equity(decisions: Iterable[RiskedDecision]) -> Equity:
    """Add up what decisions earned at equal risk; see `CAPTION` for the assumptions.

    Args:
        decisions: in any order; equal ones are different decisions.

    Raises:
        ValueError: an exit is not after its entry, or σ is not above 0.
    """
    ordered = sorted(decisions)
    for decision in ordered:
        if decision.exit_at <= decision.entry_at or decision.sigma_ppb <= 0:
            raise ValueError(
                f"the decision on {decision.asset} at {decision.entry_at} must end after its "
                f"entry, and its deviation be above 0, got {decision.sigma_ppb}"
            )
    risked = [one for one in ordered if one.stance != "neutral"]
    return Equity(
        _curve(risked, [_result(one) for one in risked]),
        _curve(risked, [_scaled(one.move_ppb, one) for one in risked]),
        len(ordered) - len(risked),
    )


def _result(decision: RiskedDecision) -> int:
    gained = decision.move_ppb if decision.stance == "long" else -decision.move_ppb
    return _scaled(gained - decision.costs_ppb, decision)


def _scaled(gained_ppb: int, decision: RiskedDecision) -> int:
    """Return a gain in millionths of one σ, a half rounded to even."""
    return round(Fraction(gained_ppb * MICRO, decision.sigma_ppb))


def _curve(risked: Sequence[RiskedDecision], results: Sequence[int]) -> EquityCurve:
    points, drawdown = _points(risked, results)
    n = len(results)
    if n < 2:
        mean = results[0] / MICRO if results else None
        return EquityCurve(n, points, drawdown, mean, None, None, None, _most_open(risked))
    mean = sum(results) / n / MICRO
    # n² times the variance, exactly.
    squares = n * sum(one * one for one in results) - sum(results) ** 2
    alone = squares / n / MICRO**2
    error = ratio = ratio_error = None
    if squares:
        spans = Spans([one.entry_at for one in risked], [one.exit_at for one in risked])
        shared = shared_products(spans, [one / MICRO - mean for one in results])
        # Results that share prices are fewer proofs; never count them as more.
        growth = max(1.0, 1 + 2 * shared / alone)
        error = sqrt(alone / (n - 1) / n * growth)
        ratio = mean / sqrt(alone / (n - 1))
        ratio_error = sqrt((1 + ratio * ratio / 2) / n * growth)
    return EquityCurve(
        n, points, drawdown, mean, error or 0.0, ratio, ratio_error, _most_open(risked)
    )


def _points(
    risked: Sequence[RiskedDecision], results: Sequence[int]
) -> tuple[tuple[EquityPoint, ...], int]:
    """Return the curve, and its deepest fall."""
    points: list[EquityPoint] = []
    total = highest = deepest = 0
    by_exit: dict[int, int] = {}
    for decision, result in zip(risked, results, strict=True):
        by_exit[decision.exit_at] = by_exit.get(decision.exit_at, 0) + result
    for at in sorted(by_exit):
        total += by_exit[at]
        highest = max(highest, total)
        deepest = max(deepest, highest - total)
        points.append(EquityPoint(at, total))
    return tuple(points), deepest


def _most_open(risked: Sequence[RiskedDecision]) -> int:
    """Return how many were open at once; one that ends makes room for one that enters then."""
    changes = sorted([(one.entry_at, 1) for one in risked] + [(one.exit_at, -1) for one in risked])
    is_open = most = 0
    for _, change in changes:
        is_open += change
        most = max(most, is_open)
    return most
