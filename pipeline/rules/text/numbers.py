"""Counts, shares and money as short words, the same in every text."""


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
    written = _without_minus_zero(share * 100, digits)
    sign = "−" if written.startswith("-") else "+" if float(written.replace(",", "")) else ""
    return f"{sign}{written.removeprefix('-')} %"


def dollars(micro_usd: int) -> str:
    """Return an amount of money without its sign: `$1,240`, and `$3.32` with cents below 100.

    Args:
        micro_usd: millionths of a dollar.
    """
    usd = abs(micro_usd) / 1_000_000
    return f"${usd:,.2f}" if usd < 100 else f"${usd:,.0f}"


def _without_minus_zero(number: float, digits: int) -> str:
    written = f"{number:,.{digits}f}"
    return written if float(written.replace(",", "")) else written.removeprefix("-")
