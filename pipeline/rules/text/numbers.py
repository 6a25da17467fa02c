"""Counts, shares and money as short words, the same in every text."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

_CENT: Final = Decimal("0.01")
_DOLLAR: Final = Decimal(1)


def amount(number: float) -> str:
    """Return a count that may be a fraction with one digit at most: `15.2`, `31`, `1,240`."""
    return _without_minus_zero(number, 1).removesuffix(".0")


def percent(share: float, digits: int = 0) -> str:
    """Return a share as `57 %`.

    Args:
        share: 0.57 is 57 %.
    """
    return f"{_without_minus_zero(share * 100, digits).replace('-', '−')} %"


def signed_percent(share: float, digits: int = 1) -> str:
    """Return a move as `+2.1 %` or `−2.1 %`; one that rounds to nothing has no sign."""
    return f"{signed(share * 100, digits)} %"


def signed(number: float, digits: int = 2) -> str:
    """Return a number as `+2.10` or `−2.10`; one that rounds to nothing has no sign."""
    written = _without_minus_zero(number, digits)
    sign = "−" if written.startswith("-") else "+" if float(written.replace(",", "")) else ""
    return f"{sign}{written.removeprefix('-')}"


def signed_dollars(micro_usd: int) -> str:
    """Return money with its sign: `+$12.30`, `−$1,240`; what rounds to nothing has none."""
    written = dollars(micro_usd)
    if written == dollars(0):
        return written
    return f"{'−' if micro_usd < 0 else '+'}{written}"


def dollars(micro_usd: int) -> str:
    """Return an amount of money without its sign: `$1,240`, and `$3.32` with cents below 100.

    A half is rounded up, as brokers round it.

    Args:
        micro_usd: millionths of a dollar.
    """
    usd = Decimal(abs(micro_usd)).scaleb(-6)
    return f"${usd.quantize(_CENT if usd < 100 else _DOLLAR, ROUND_HALF_UP):,}"


def _without_minus_zero(number: float, digits: int) -> str:
    written = f"{number:,.{digits}f}"
    return written if float(written.replace(",", "")) else written.removeprefix("-")
