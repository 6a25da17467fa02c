"""Numbers that may be unknown, as short words: the same on the terminal and on a page."""

from typing import Final

from afterword.pipeline.rules.text import numbers

NONE: Final = "–"
"""A number that is not known."""


def percent(share: float | None, digits: int = 0) -> str:
    """Return a share as `57 %`, or a dash where it is not known.

    Args:
        share: 0.57 is 57 %.
    """
    return NONE if share is None else numbers.percent(share, digits)


def signed_percent(share: float | None, digits: int = 1) -> str:
    """Return a move as `+2.1 %` or `−2.1 %`, or a dash where it is not known."""
    return NONE if share is None else numbers.signed_percent(share, digits)


def usd(micro_usd: int | None) -> str:
    """Return money as `−$1,240`, with cents below a hundred, or a dash where it is not known.

    Args:
        micro_usd: millionths of a dollar; negative where it was lost.
    """
    if micro_usd is None:
        return NONE
    written = numbers.dollars(micro_usd)
    is_loss = micro_usd < 0 and written != numbers.dollars(0)
    return f"−{written}" if is_loss else written


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 decision`, `1,204 decisions`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def interval(low: float, high: float) -> str:
    """Return the ends of an interval of shares: `24–56 %`."""
    return f"{low * 100:.0f}–{high * 100:.0f} %"
