"""Trades of perpetuals, as Hyperliquid writes them, for tests of what they say of their owner."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.ids import IdSource

_TIDS = count(1)


def import_trips(
    store: Store,
    clock: Clock,
    ids: IdSource,
    days_ago: list[float],
    *,
    coin: str = "SOL",
    adds: int = 0,
    account: str = "main",
    wallet: str | None = None,
) -> None:
    """Import a round trip for each of the days.

    Args:
        adds: how many of the first trips raised their position while it was losing.
    """
    rows: list[dict[str, Any]] = []
    for place, days in enumerate(days_ago):
        rows += _trip(clock() - timedelta(days=days), coin, is_added_to=place < adds)
    rows.sort(key=lambda row: row["time"])
    wallets = {} if wallet is None else {account: wallet}
    import_fills(store, parse_fills(rows, account, "fills"), clock, ids, wallets=wallets)


def _trip(start: datetime, coin: str, *, is_added_to: bool) -> Iterator[dict[str, Any]]:
    buys = [("100.0", "0.0"), ("90.0", "1.0")] if is_added_to else [("100.0", "0.0")]
    minute = count()
    for price, held in buys:
        yield _fill(start, next(minute), coin, "B", price, "1.0", held)
    size = f"{len(buys)}.0"
    yield _fill(start, next(minute), coin, "A", "101.0", size, size)


def _fill(
    start: datetime, minute: int, coin: str, side: str, price: str, size: str, held: str
) -> dict[str, Any]:
    tid = next(_TIDS)
    return {
        "coin": coin,
        "px": price,
        "sz": size,
        "side": side,
        "startPosition": held,
        "time": to_micros(start) // 1_000 + 60_000 * minute,
        "tid": tid,
        "oid": tid,
        "dir": "x",
        "closedPnl": "0.0",
        "hash": "0x0",
        "crossed": True,
        "fee": "0.0",
        "feeToken": "USDC",
    }
