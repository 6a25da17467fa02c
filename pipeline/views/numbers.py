"""Numbers that may be unknown, as short words: the same on the terminal and on a page."""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from afterword.pipeline.rules.market.taxonomy import DOLLAR_TOKENS
from afterword.pipeline.rules.text import numbers

_LEAST: Final = Decimal("1e-12")
"""An amount below it is a rest of rounding, in every currency."""

NONE: Final = "–"
"""A number that is not known."""

_CENT: Final = Decimal("0.01")
_HAS_CENTS: Final = frozenset({"", "USD", "EUR", "GBP", "CHF", "CAD", "AUD", "JPY", *DOLLAR_TOKENS})
"""Currencies in which less than a cent is nothing; an amount of BTC keeps its digits."""

_BARS: Final = "▁▂▃▄▅▆▇█"


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


def money(
    amount: Decimal | None, currency: str, *, is_signed: bool = True, is_named: bool = True
) -> str:
    """Return an exact amount to the cent: `−1,240.15 USDT`, `+0.00012 BTC`; a dash for None.

    Half a cent is rounded away from 0, as brokers round it.

    Args:
        currency: which digits count follows from it, also where it is not named.
    """
    if amount is None:
        return NONE
    cents = amount.quantize(_CENT, ROUND_HALF_UP)
    is_coarse = cents == 0 and abs(amount) >= _LEAST and currency not in _HAS_CENTS
    written = f"{Decimal(f'{abs(amount):.2g}'):f}" if is_coarse else f"{abs(cents):,}"
    shown = amount if is_coarse else cents
    sign = ("−" if shown < 0 else "+" if shown > 0 else "") if is_signed else "−" * (shown < 0)
    return f"{sign}{written} {currency if is_named else ''}".rstrip()


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 decision`, `1,204 decisions`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def held_words(held_us: int | None) -> str:
    """Return how long a trade was open: `45 s`, `4 min`, `3 h 12 min`, `2 d 5 h`."""
    if held_us is None:
        return NONE
    seconds = held_us // 1_000_000
    if seconds < 60:
        return f"{seconds} s"
    days, rest = divmod(seconds // 60, 1440)
    hours, left = divmod(rest, 60)
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {left} min" if hours else f"{left} min"


def interval(low: float, high: float) -> str:
    """Return the ends of an interval of shares: `24–56 %`."""
    return f"{low * 100:.0f}–{high * 100:.0f} %"


def times_words(multiple: float) -> str:
    """Return a multiple with two digits at least: `0.44`, `3.2`, `6,700`."""
    if multiple >= 1e9:
        return "over a billion"
    return f"{multiple:,.0f}" if multiple >= 100 else f"{multiple:.2g}"


def sparkline(scores: Iterable[float | None]) -> str:
    """Return scores of 0 to 100 as a line of bars; a dot where nothing could be scored."""
    return "".join(
        "·" if score is None else _BARS[min(int(score / 100 * len(_BARS)), len(_BARS) - 1)]
        for score in scores
    )


def signed_interval(low: float, high: float) -> str:
    """Return the ends of an interval of differences: `−1.38 to +0.69`."""
    return f"{numbers.signed(low)} to {numbers.signed(high)}"
