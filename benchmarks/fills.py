"""Invented fills in the form of a venue's API: positions in many markets."""

import random
from typing import Any

SEED = 11

MARKETS = ("BTC", "ETH", "SOL", "DOGE", "HYPE", "xyz:SP500")

_MINUTE_MS = 60_000
_FIRST_MS = 1_700_000_000_000


def api_rows(number: int) -> list[dict[str, Any]]:
    """Return rows of one account in the order of time, the same ones for the same number."""
    chance = random.Random(SEED)
    held = dict.fromkeys(MARKETS, 0)
    return [_row(chance, held, index) for index in range(number)]


def _row(chance: random.Random, held: dict[str, int], index: int) -> dict[str, Any]:
    """Return the next fill; positions return to flat after some eight of them."""
    coin = chance.choice(MARKETS)
    before = held[coin]
    closing = before != 0 and chance.random() < 0.25
    size = -before if closing else chance.randint(1, 9) * (1 if before >= 0 else -1)
    if before == 0 and chance.random() < 0.5:
        size = -size
    held[coin] = before + size
    pnl = chance.randint(-500, 500) / 10 if closing else 0.0
    return {
        "coin": coin,
        "px": f"{chance.uniform(1, 90_000):.2f}",
        "sz": f"{abs(size)}.0",
        "side": "B" if size > 0 else "A",
        "time": _FIRST_MS + index * _MINUTE_MS,
        "startPosition": f"{before}.0",
        "dir": "Close Long" if closing else "Open Long",
        "closedPnl": str(pnl),
        "hash": f"0x{index:064x}",
        "oid": 1_000_000 + index,
        "tid": 1 + index,
        "crossed": index % 3 == 0,
        "fee": "0.12",
        "feeToken": "USDC",
        "twapId": None,
    }
