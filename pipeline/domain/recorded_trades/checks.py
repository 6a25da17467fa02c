"""Checks of a new recorded trade; each error names the field that is wrong."""

from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import checked_moment
from afterword.pipeline.domain.fills.money import to_micro_usd
from afterword.pipeline.domain.memory.checks import MAX_NAME, check_text, check_word, short_repr
from afterword.pipeline.domain.recorded_trades.model import (
    ORDERS,
    CheckedTrade,
    GivenNumber,
    NewTrade,
)
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.decimals import plain, read_amount
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.masking import mask

MAX_TRADE_ASSET: Final = 100
MAX_TRADE_ID: Final = 100
"""Characters of an asset, and of an id of the venue or of its client."""

MOST_UNITS: Final = Decimal(10**15)
"""The largest size and price: far above any market, so that a slip is refused."""

LEAST_UNITS: Final = Decimal("1e-20")
"""The smallest of both; prices of small coins have a dozen zeros."""

MOST_TRADE_USD: Final = Decimal(10**9)
"""The largest fee and result of one trade, either way."""


def check_trade(new: NewTrade) -> CheckedTrade:
    """Return a trade as it is written, checked and its secrets masked.

    Raises:
        InvalidInputError: the first field found to be wrong.
    """
    check_text(new.venue, MAX_NAME, "venue")
    check_text(new.account, MAX_NAME, "account")
    check_text(new.asset, MAX_TRADE_ASSET, "asset")
    check_word(new.side, ORDERS, "side")
    size, price = _units(new.size, "size"), _units(new.price, "price")
    for name in ("oid", "tid", "cloid", "fee_token"):
        _check_optional(getattr(new, name), MAX_TRADE_ID, name)
    for name in ("decision_uid", "closes_uid", "key"):
        _check_optional(getattr(new, name), MAX_NAME, name)
    fee = None if new.fee is None else signed_usd(new.fee, "fee")
    if new.fee_token is not None and fee is None:
        raise InvalidInputError("fee_token", "is given without a fee", "both, or neither")
    realised = new.realised_usd
    if new.occurred_at is not None:
        checked_moment(new.occurred_at, "occurred_at")
    return CheckedTrade(
        key=_masked(new.key),
        decision_uid=new.decision_uid,
        closes_uid=new.closes_uid,
        venue=mask(new.venue.strip().lower()),
        account=mask(new.account),
        asset=mask(new.asset),
        asset_key=mask(normalise_symbol(new.asset)),
        side=new.side,
        size=size,
        price=price,
        fee=fee,
        fee_token=_masked(new.fee_token),
        oid=_masked(new.oid),
        tid=_masked(new.tid),
        cloid=_masked(new.cloid),
        realised_micro_usd=None if realised is None else realised_micro_usd(realised),
        occurred_at=new.occurred_at,
    )


def realised_micro_usd(given: GivenNumber) -> int:
    """Return what a trade brought as a column holds it; micro-USD.

    Raises:
        InvalidInputError: it is not an amount of USD.
    """
    return to_micro_usd(signed_usd(given, "realised_usd"))


def signed_usd(given: object, field: str) -> Decimal:
    """Return an amount that may be negative, exactly as it is written.

    Raises:
        InvalidInputError: it is not a number, or beyond any single trade.
    """
    text = _written(given)
    amount = None if text is None else read_amount(text.removeprefix("-"))
    if text is None or amount is None or amount > MOST_TRADE_USD:
        accepted = f"a number up to {MOST_TRADE_USD:,} either way, with at most 20 decimals"
        raise InvalidInputError(field, f"is {short_repr(given)}", accepted)
    return -amount if text.startswith("-") else amount


def _units(given: object, field: str) -> Decimal:
    text = _written(given)
    units = None if text is None else read_amount(text)
    if units is None or not LEAST_UNITS <= units <= MOST_UNITS:
        accepted = f"a number above 0, up to {plain(MOST_UNITS)}, with at most 20 decimals"
        raise InvalidInputError(field, f"is {short_repr(given)}", accepted)
    return units


def _written(given: object) -> str | None:
    """Return a number as its shortest text; None if it is not one."""
    if isinstance(given, bool) or not isinstance(given, Decimal | int | float | str):
        return None
    if isinstance(given, int) and given.bit_length() > 64:  # too long to be written out
        return None
    return given.strip() if isinstance(given, str) else str(given)


def _check_optional(value: object, most: int, field: str) -> None:
    if value is not None:
        check_text(value, most, field)


def _masked(text: str | None) -> str | None:
    return None if text is None else mask(text)
