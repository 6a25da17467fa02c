"""Whole numbers rounded exactly: shares as parts per billion, the same digits on every machine."""

from decimal import Decimal
from math import isqrt
from typing import Final

PPB: Final = 1_000_000_000
"""Parts of a share: 50,000,000 of them are 5 %."""


def rounded(part: int, whole: int) -> int:
    """Return a quotient as the nearest whole number; a half goes to the even neighbour.

    Args:
        whole: above 0.
    """
    quotient, rest = divmod(part, whole)
    twice = rest + rest
    if twice > whole or (twice == whole and quotient & 1):
        return quotient + 1
    return quotient


def rounded_root(part: int, whole: int) -> int:
    """Return the square root of a quotient, 0 or more, as the nearest whole number.

    A half goes to the even neighbour.

    Args:
        whole: above 0.
    """
    halves = isqrt(4 * part // whole)
    root, is_half = halves >> 1, halves & 1
    if not is_half:
        return root
    if root & 1 == 0 and halves * halves * whole == 4 * part:
        return root
    return root + 1


def ppb_of(share: Decimal) -> int:
    """Return a share as parts per billion, a half rounded to even."""
    above, below = share.as_integer_ratio()
    return rounded(above * PPB, below)


def share_of(ppb: int) -> Decimal:
    """Return parts per billion as a share: 50,000,000 is 0.05."""
    return Decimal(ppb).scaleb(-9).normalize() if ppb else Decimal(0)
