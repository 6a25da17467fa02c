"""Fills of a venue that states no positions, as its reader would make them."""

from decimal import Decimal
from typing import Any, Final

from afterword.pipeline.domain.fills.model import Fill

START_MS: Final = 1_784_500_000_000


def traded(minute: int, size: str, px: str, **changes: Any) -> Fill:
    """Return a fill of so many minutes after `START_MS`; a negative size is a sale.

    Args:
        changes: other fields; amounts may be text.
    """
    values: dict[str, Any] = {
        "venue": "binance",
        "account": "me",
        "symbol": "BTCUSDT",
        "kind": "spot",
        "side": "A" if size.startswith("-") else "B",
        "px": px,
        "sz": size.lstrip("-"),
        "quote": "USDT",
        "base": "BTC",
        "time_ms": START_MS + minute * 60_000,
        "raw": '{"made":"for a test"}',
    } | changes
    for name in ("px", "sz", "fee", "closed_pnl", "multiplier"):
        if name in values:
            values[name] = Decimal(values[name])
    return Fill(**values)
