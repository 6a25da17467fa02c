"""The trading profile of R3: the fills of the last 30 days, and what all trips came to."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Final, Literal

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.fills.model import EXACT, MarketKind
from afterword.pipeline.domain.fills.money import is_dollar, to_micro_usd
from afterword.pipeline.domain.prices.feed import asset_of
from afterword.pipeline.domain.trades.fill_rows import FillRow, fills_since, latest_fills, markets
from afterword.pipeline.domain.trades.local import local_time
from afterword.pipeline.domain.trades.measure import measured_costs
from afterword.pipeline.domain.trades.model import Cost, QuoteSums, TripStatistics
from afterword.pipeline.domain.trades.statistics import statistics_by_quote
from afterword.pipeline.domain.trades.sums import exact_total, sums_by_kind, sums_by_quote
from afterword.pipeline.domain.trips.read import trips as read_trips
from afterword.pipeline.domain.trips.trip import Trip

PROFILE_DAYS: Final = 30
TOP_SYMBOLS: Final = 5
MOST_FILLS: Final = 200

FillEffect = Literal["open", "close"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolActivity:
    """One market of a profile.

    Args:
        count: fills.
        volume_micro_usd: value of the fills; those paid in dollars.
    """

    symbol: str
    count: int
    volume_micro_usd: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingProfile:
    """R3's trading profile, with its fields under their own names, and the sums by trip.

    Args:
        days: length of the window; `until` is its end, aware UTC.
        trade_count: fills of perpetuals and futures.
        top_symbols: by count, then by volume.
        long_count: fills that open or close longs; `short_count` likewise. Of the rest no file says
            which.
        realized_pnl_micro_usd: the venue's closed profit before fees; None if no fill says one.
        win_rate_fills: share of winning fills among the closing ones with a profit or loss; None
            without one. It is not how often trips win: a loser is closed in one fill, a winner in
            many, and fees are not in it.
        closing_fills: those it is drawn from; count.
        average_trade_size_micro_usd: mean value of a fill that was paid in dollars.
        last_traded_at: aware UTC; None without a fill.
        trips: complete trips that closed in the window; count. `trips_won` have a net above 0.
        trips_incomplete: others; not in the sums.
        trips_net_micro_usd: net of the complete trips paid in dollars.
        not_in_net: costs that the net of some of them does not hold.
        sums: of all complete trips of all markets until then, in the window or not, by quote.
        statistics: of these, in the same order.
        kinds: their sums by kind of market: `spot`, `perp` and others.
        first_closed_at: exit of the first of them, or the noon of its day where no hour is known;
            aware UTC, None without one. `last_closed_at` likewise.
    """

    days: int
    until: datetime
    trade_count: int
    top_symbols: tuple[SymbolActivity, ...]
    long_count: int
    short_count: int
    realized_pnl_micro_usd: int | None
    win_rate_fills: float | None
    closing_fills: int
    average_trade_size_micro_usd: int | None
    last_traded_at: datetime | None
    trips: int
    trips_won: int
    trips_incomplete: int
    trips_net_micro_usd: int
    not_in_net: tuple[Cost, ...]
    sums: tuple[QuoteSums, ...]
    statistics: tuple[TripStatistics, ...]
    kinds: Mapping[MarketKind, tuple[QuoteSums, ...]]
    first_closed_at: datetime | None
    last_closed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTrade:
    """A fill as `search_user_trades` returns it.

    Args:
        effect: whether it opened or closed a position; None where nothing says it.
        size_micro_usd: its value; None if it was not paid in dollars.
        realized_pnl: profit of the closed part before fees, in the quote; None where unknown.
    """

    at: datetime
    account: str
    venue: str
    symbol: str
    side: Literal["buy", "sell"]
    effect: FillEffect | None
    direction: Literal["long", "short"] | None
    size_micro_usd: int | None
    price: Decimal
    quote: str
    realized_pnl: Decimal | None


def trading_profile(
    conn: Connection, now: datetime, *, account: str | None = None, as_of: datetime | None = None
) -> TradingProfile:
    """Return the trading profile of the 30 days before a moment, and what all trips came to.

    Args:
        account: None for all accounts.
        as_of: as known at that moment; now if None.
    """
    since = now - timedelta(days=PROFILE_DAYS)
    at = None if as_of is None else to_micros(as_of)
    fills = fills_since(conn, to_micros(since) // 1_000, to_micros(now) // 1_000, at, account)
    trips = [trip for trip in read_trips(conn, as_of, account) if trip.closed_at <= now]
    complete = [trip for trip in trips if not trip.is_incomplete]
    values = [value for fill in fills if (value := _value(fill)) is not None]
    ends = [fill for fill in fills if fill.closed_pnl is not None and effect_of(fill) == "close"]
    decided = [fill for fill in ends if fill.closed_pnl]
    sides = [direction_of(fill) for fill in fills]
    pnls = [
        fill.closed_pnl for fill in fills if fill.closed_pnl is not None and is_dollar(fill.quote)
    ]
    return TradingProfile(
        days=PROFILE_DAYS,
        until=now,
        trade_count=len(fills),
        top_symbols=_top(fills),
        long_count=sides.count("long"),
        short_count=sides.count("short"),
        realized_pnl_micro_usd=to_micro_usd(exact_total(pnls)) if pnls else None,
        win_rate_fills=(
            sum((fill.closed_pnl or 0) > 0 for fill in decided) / len(decided) if decided else None
        ),
        closing_fills=len(decided),
        average_trade_size_micro_usd=sum(values) // len(values) if values else None,
        last_traded_at=max((fill.at for fill in fills), default=None),
        **_of_trips([trip for trip in trips if since < trip.closed_at]),
        sums=sums_by_quote(complete),
        statistics=statistics_by_quote(complete),
        kinds=sums_by_kind(complete),
        first_closed_at=min(map(_closed, complete), default=None),
        last_closed_at=max(map(_closed, complete), default=None),
    )


def search_user_trades(
    conn: Connection, asset: str, *, limit: int = 20, as_of: datetime | None = None
) -> list[UserTrade]:
    """Return the latest fills of one asset, the newest first.

    Args:
        asset: in any written form; `SOL` finds `SOLUSDT` and `SOL` on every venue.
        limit: most of them, 1 to `MOST_FILLS`; a larger one counts as that.
    """
    at, wanted = None if as_of is None else to_micros(as_of), asset_of(asset)
    symbols = [symbol for symbol in markets(conn) if asset_of(symbol) == wanted]
    fills = latest_fills(conn, symbols, at, max(1, min(limit, MOST_FILLS)))
    return [
        UserTrade(
            at=fill.at,
            account=fill.account,
            venue=fill.venue,
            symbol=fill.symbol,
            side="buy" if fill.side == "B" else "sell",
            effect=effect_of(fill),
            direction=direction_of(fill),
            size_micro_usd=_value(fill),
            price=fill.price,
            quote=fill.quote,
            realized_pnl=fill.closed_pnl if effect_of(fill) != "open" else None,
        )
        for fill in fills
    ]


def effect_of(fill: FillRow) -> FillEffect | None:
    """Return whether a fill opens or closes, by the venue's word or the position before it."""
    if fill.effect is not None:
        return "open" if fill.effect == "open" else "close"
    if fill.start_position is not None:
        is_against = fill.start_position * (1 if fill.side == "B" else -1) < 0
        return "close" if is_against else "open"
    return None


def direction_of(fill: FillRow) -> Literal["long", "short"] | None:
    """Return the direction of the position that a fill opens or closes."""
    effect = effect_of(fill)
    if effect is None:
        return None
    return "long" if (fill.side == "B") == (effect == "open") else "short"


def _closed(trip: Trip) -> datetime:
    return local_time(trip.closed_at, UTC, is_day=trip.is_day)


def _of_trips(trips: Sequence[Trip]) -> dict[str, Any]:
    complete = [trip for trip in trips if not trip.is_incomplete]
    nets = [trip.net for trip in complete if is_dollar(trip.quote)]
    missing = {cost for trip in complete for cost in measured_costs(trip)}
    return {
        "trips": len(complete),
        "trips_won": sum(trip.net > 0 for trip in complete),
        "trips_incomplete": len(trips) - len(complete),
        "trips_net_micro_usd": to_micro_usd(exact_total(nets)),
        "not_in_net": tuple(sorted(missing)),
    }


def _top(fills: Iterable[FillRow]) -> tuple[SymbolActivity, ...]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for fill in fills:
        own = counts[fill.symbol]
        own[0] += 1
        own[1] += _value(fill) or 0
    activities = [
        SymbolActivity(symbol=symbol, count=count, volume_micro_usd=volume)
        for symbol, (count, volume) in counts.items()
    ]
    activities.sort(key=lambda own: (-own.count, -own.volume_micro_usd, own.symbol))
    return tuple(activities[:TOP_SYMBOLS])


def _value(fill: FillRow) -> int | None:
    if not is_dollar(fill.quote):
        return None
    return to_micro_usd(EXACT.multiply(EXACT.multiply(fill.price, fill.size), fill.multiplier))
