"""Read the payments in Hyperliquid's rows, strictly: one bad row refuses the page."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

from afterword.pipeline.domain.funding.model import FundingPayment
from afterword.pipeline.gateway.http.model import AskFailedError

_SYMBOL: Final = re.compile(r"[A-Za-z0-9@#:/._+-]{1,64}")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,20}(?:\.[0-9]{1,20})?")


def payments_in(rows: Iterable[Mapping[str, Any]]) -> list[FundingPayment]:
    """Return the payments that rows of `userFunding` tell of.

    Raises:
        AskFailedError: a row is no payment of funding.
    """
    return [_payment(row) for row in rows]


def _payment(row: Mapping[str, Any]) -> FundingPayment:
    delta, time_ms = row.get("delta"), row.get("time")
    if not isinstance(delta, Mapping) or delta.get("type") != "funding":
        raise AskFailedError("Hyperliquid sent a row that is no funding; try again later")
    symbol = delta.get("coin")
    if type(time_ms) is not int or not isinstance(symbol, str) or not _SYMBOL.fullmatch(symbol):
        raise AskFailedError("Hyperliquid sent funding without a coin or a time; try again later")
    amount, position, rate = (_number(delta, name) for name in ("usdc", "szi", "fundingRate"))
    return FundingPayment(symbol, time_ms, amount, position, rate)


def _number(delta: Mapping[str, Any], name: str) -> Decimal:
    text = delta.get(name)
    if not isinstance(text, str) or not _DECIMAL.fullmatch(text):
        raise AskFailedError(f"Hyperliquid sent funding whose {name} is no number; try again later")
    return Decimal(text)
