"""Shares, counts and money as short words, the same on the terminal and on a page."""

from typing import Final

NONE: Final = "–"
"""A number that is not known."""


def percent(share: float | None, digits: int = 0) -> str:
    """Return a share as `57 %`, or a dash where it is not known.

    Args:
        share: 0.57 is 57 %.
    """
    return NONE if share is None else f"{_without_minus_zero(share * 100, digits)} %"


def signed_percent(share: float | None, digits: int = 1) -> str:
    """Return a move as `+2.1 %` or `−2.1 %`, or a dash where it is not known."""
    if share is None:
        return NONE
    written = _without_minus_zero(share * 100, digits)
    sign = "−" if written.startswith("-") else "" if not float(written) else "+"
    return f"{sign}{written.removeprefix('-')} %"


def usd(micro_usd: int | None) -> str:
    """Return money as `−$1,240`, with cents below a hundred, or a dash where it is not known.

    Args:
        micro_usd: millionths of a dollar; negative where it was lost.
    """
    if micro_usd is None:
        return NONE
    amount = abs(micro_usd) / 1_000_000
    written = f"{amount:,.2f}" if amount < 100 else f"{amount:,.0f}"
    sign = "−" if micro_usd < 0 and float(written.replace(",", "")) else ""
    return f"{sign}${written}"


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 decision`, `1,204 decisions`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def amount(number: float) -> str:
    """Return a count that may be a fraction with one digit at most: `15.2`, `31`."""
    return _without_minus_zero(number, 1).removesuffix(".0")


def interval(low: float, high: float) -> str:
    """Return the ends of an interval of shares: `24–56 %`."""
    return f"{low * 100:.0f}–{high * 100:.0f} %"


def _without_minus_zero(number: float, digits: int) -> str:
    written = f"{number:,.{digits}f}"
    return written if float(written.replace(",", "")) else written.removeprefix("-")
