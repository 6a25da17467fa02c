"""What every fill and closed trade must be, whichever reader made it."""

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Final

from afterword.pipeline.clock import LATEST, from_micros, to_micros
from afterword.pipeline.domain.fills.model import EXACT, ClosedTrade, Fill
from afterword.pipeline.domain.fills.money import is_dollar
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.masking import is_near_secret, shown

MOST_USD: Final = Decimal(10**9)
"""Largest value, profit or fee of one trade: a column of micro-USD holds the sum of 9,000."""

_MOST: Final = Decimal(10**18)
"""The same in any other currency: sums of them can still be written to the cent."""

_FIRST: Final = from_micros(0)
_LAST_MS: Final = to_micros(LATEST) // 1_000
_NAME: Final = re.compile(r"[^\s\x00-\x1f]{1,40}")
_LIMIT: Final = Decimal(10**25)


@lru_cache(maxsize=4_096)  # every row of a file names one
def check_account(account: str, place: str) -> None:
    """Refuse the name of an account that could not be shown in a line, or that may be a secret.

    Raises:
        InvalidInputError: it is refused.
    """
    if not (account.strip() and account.isprintable() and len(account) <= 130):
        raise InvalidInputError(
            f"{place}: account", f"is {shown(account)}", "1-130 printable characters"
        )
    if any(map(is_near_secret, account.split("/"))):  # a file may name an address below its owner
        problem = "looks like a private key or a recovery phrase"
        raise InvalidInputError(f"{place}: account", problem, "a name that you chose")


def check_fill(fill: Fill, place: str) -> None:
    """Refuse a fill that no column can hold, or whose names could become sentences.

    Args:
        place: what the message calls it.

    Raises:
        InvalidInputError: it is refused.
    """
    _check_symbol(fill.symbol, place)
    _check_quote(fill.quote, place)
    if not 0 <= fill.time_ms < _LAST_MS:
        raise InvalidInputError(f"{place}: time", f"is {fill.time_ms} ms", "1970 to 2999")
    if not (0 < fill.sz < _LIMIT and 0 < fill.multiplier < _LIMIT):
        raise InvalidInputError(f"{place}: size", f"is {fill.sz}", "a number above 0")
    if not 0 <= fill.px < _LIMIT:
        raise InvalidInputError(f"{place}: price", f"is {fill.px}", "a number, 0 or more")
    price = EXACT.multiply(fill.px, fill.multiplier)
    is_base = fill.fee_token is not None and fill.fee_token == fill.base
    # A trip's profit is a sum of these: one too large would fail only after the fills are stored.
    amounts = {
        "price times size": EXACT.multiply(price, fill.sz),
        "closedPnl": fill.closed_pnl,
        "fee": fill.fee,
        "price times fee": EXACT.multiply(price, fill.fee) if is_base else None,
    }
    _check_amounts(amounts, fill.quote, place)


def check_closed(trade: ClosedTrade, place: str) -> None:
    """Refuse a closed trade that no column can hold; see `check_fill`.

    Raises:
        InvalidInputError: it is refused.
    """
    _check_symbol(trade.symbol, place)
    _check_quote(trade.quote, place)
    opened_at = trade.opened_at or trade.closed_at
    if not _FIRST <= opened_at <= trade.closed_at < LATEST:
        problem = f"opens {opened_at.isoformat()}, closes {trade.closed_at.isoformat()}"
        accepted = "an opening before the close, both from 1970 to 2999"
        raise InvalidInputError(f"{place}: times", problem, accepted)
    if not (0 < trade.size < _LIMIT and 0 < trade.multiplier < _LIMIT):
        raise InvalidInputError(f"{place}: size", f"is {trade.size}", "a number above 0")
    units = EXACT.multiply(trade.size, trade.multiplier)
    amounts = {"net": trade.net, "gross": trade.gross, "fees": trade.fees, "funding": trade.funding}
    for name, px in (("entry", trade.entry_px), ("exit", trade.exit_px)):
        if px is not None and not abs(px) < _LIMIT:
            raise InvalidInputError(f"{place}: {name}", f"is {px}", "a price")
        amounts[f"{name} times size"] = None if px is None else EXACT.multiply(px, units)
    _check_amounts(amounts, trade.quote, place)


def _check_amounts(amounts: Mapping[str, Decimal | None], quote: str, place: str) -> None:
    most = MOST_USD if is_dollar(quote) else _MOST
    for name, amount in amounts.items():
        if amount is not None and abs(amount) > most:
            accepted = f"up to {most:,} {quote} either way"
            raise InvalidInputError(f"{place}.{name}", f"is {plain(amount)}", accepted)


def _check_symbol(symbol: str, place: str) -> None:
    if not _is_market_name(symbol):
        raise InvalidInputError(
            f"{place}: symbol", f"is {shown(symbol)}", "the name of a market, 1-64 characters"
        )


@lru_cache(maxsize=1_024)  # thousands of fills name one market
def _is_market_name(symbol: str) -> bool:
    """Names of markets are repeated in prompts: a few words at most, unless they hold digits."""
    words = symbol.split(" ")
    is_short = len(symbol) <= 64 and sum(word.isalpha() for word in words) <= 4
    return bool(symbol.strip() and symbol.isprintable() and is_short)


def _check_quote(quote: str, place: str) -> None:
    if not _is_quote(quote):
        raise InvalidInputError(f"{place}: quote currency", f"is {shown(quote)}", "such as USDT")


@lru_cache(maxsize=1_024)
def _is_quote(quote: str) -> bool:
    return _NAME.fullmatch(quote) is not None
