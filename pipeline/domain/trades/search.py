"""Search the user's own trades of one asset, page by page."""

import re
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.accounts.read import reference_names
from afterword.pipeline.domain.recorded_trades.model import TradeRecord
from afterword.pipeline.domain.recorded_trades.read import recorded_trades
from afterword.pipeline.domain.trades.fill_rows import FillRow, latest_fills, markets
from afterword.pipeline.domain.trades.totals import is_below
from afterword.pipeline.domain.trades.user_trades import (
    UserTrade,
    closed_uids,
    of_fill,
    of_recorded,
    recorded_only,
)
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.entities.entities import extract_entities
from afterword.pipeline.rules.market.symbols import normalise_symbol

MOST_FILLS: Final = 200

_PLACE: Final = re.compile(r"[0-9]{1,18}\.[01]\.(-1|[0-9]{1,18})\.[0-9]{1,18}")
_LAST: Final = 10**18


class _Place(NamedTuple):
    """Where a trade stands in the list of all: a later one is greater.

    Args:
        at: microseconds.
        is_recorded: of one moment, recorded trades are the later ones.
        order: of a fill in its millisecond, -1 before it is known.
        row: in its table.
    """

    at: int
    is_recorded: int
    order: int
    row: int

    @property
    def id(self) -> str:
        return ".".join(map(str, self))


def search_user_trades(
    conn: Connection,
    asset: str,
    *,
    limit: int = 20,
    after: str | None = None,
    as_of: datetime | None = None,
) -> list[UserTrade]:
    """Return the latest trades of one asset on the owner's accounts, the newest first.

    Args:
        asset: in any written form, or a name: `SOL` finds `SOLUSDT`, `pepe` finds `kPEPE`, `hype`
            finds `@107`, and `bitcoin` what `BTC` finds.
        limit: most of them, 1 to `MOST_FILLS`; a larger one counts as that.
        after: the `id` of a trade of an earlier call: only older ones.

    Raises:
        InvalidInputError: `after` is not such an `id`; or a moment that was purged.
    """
    most, end = max(1, min(limit, MOST_FILLS)), _place_after(after)
    others, names = reference_names(conn, as_of), markets(conn)
    linked = recorded_trades(conn, as_of)
    keys = _keys(asset, {*map(normalise_symbol, names), *(link.trade.asset_key for link in linked)})
    fills = latest_fills(
        conn,
        [name for name in names if normalise_symbol(name) in keys],
        None if as_of is None else to_micros(as_of),
        most,
        # A recorded trade is later than all fills of its millisecond.
        (end.at // 1_000, _LAST if end.is_recorded else end.order, end.row),
        others,
    )
    closed = closed_uids(linked)
    trades = {
        place: of_fill(fill, place.id)
        for place, fill in zip(map(_of_fill, fills), fills, strict=True)
    }
    for trade in recorded_only(linked):
        place = _of_recorded(trade)
        if trade.asset_key in keys and place < end and not is_below(trade.account, others):
            trades[place] = of_recorded(trade, closed, place.id)
    return [trades[place] for place in sorted(trades, reverse=True)[:most]]


def _keys(asset: str, known: set[str]) -> set[str]:
    """Return the keys of an asset: of its symbol, or where none was traded, of its name."""
    key = normalise_symbol(asset)
    if key in known:
        return {key}
    return {entity.key for entity in extract_entities(asset) if entity.kind == "ticker"}


def _place_after(after: str | None) -> _Place:
    if after is None:
        return _Place(_LAST * 1_000, 1, 0, 0)
    if not _PLACE.fullmatch(after):
        raise InvalidInputError("after", "must be the id of a trade", "the id of a listed trade")
    return _Place(*map(int, after.split(".")))


def _of_fill(fill: FillRow) -> _Place:
    order = -1 if fill.order_in_ms is None else fill.order_in_ms
    return _Place(to_micros(fill.at), 0, order, fill.id)


def _of_recorded(trade: TradeRecord) -> _Place:
    return _Place(to_micros(trade.occurred_at), 1, 0, trade.id)
