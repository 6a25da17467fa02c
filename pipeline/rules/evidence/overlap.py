"""Results that overlap in time: how much the variance of their sum exceeds that of single ones.

Trades that are open at the same time share prices, in one asset or in assets that move together. So
they are not as many proofs. The sum of the products of every two that overlap is what a variance of
independent results leaves out.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import fsum
from typing import NamedTuple


class Spans(NamedTuple):
    """When some results were open; microseconds, in order of the entries."""

    entries: Sequence[int]
    exits: Sequence[int]


def shared_products(spans: Spans, values: Sequence[float]) -> float:
    """Return the sum of the products of every two values whose spans overlap.

    Source: W. K. Newey, K. D. West, A simple, positive semi-definite, heteroskedasticity and
    autocorrelation consistent covariance matrix, Econometrica 55 (1987), 703-708; here with equal
    weights for all that overlap, and never used where it would lower a variance.
    """
    sums = [0.0, *accumulate(values)]
    entries = spans.entries
    return fsum(
        value * (sums[bisect_left(entries, exit_at, place + 1)] - sums[place + 1])
        for place, (value, exit_at) in enumerate(zip(values, spans.exits, strict=True))
    )


def products_with_others(spans: Spans, values: Sequence[float]) -> list[float]:
    """Return of each value the sum of its products with those whose spans overlap its own."""
    sums = [0.0, *accumulate(values)]
    by_exit = sorted(range(len(values)), key=spans.exits.__getitem__)
    ended = [spans.exits[place] for place in by_exit]
    ended_sums = [0.0, *accumulate(values[place] for place in by_exit)]
    products = []
    for place, value in enumerate(values):
        later = sums[bisect_left(spans.entries, spans.exits[place], place + 1)] - sums[place + 1]
        earlier = sums[place] - ended_sums[bisect_right(ended, spans.entries[place])]
        products.append(value * (later + earlier))
    return products
