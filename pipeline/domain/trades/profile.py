"""The trading profile of R3: what somebody traded in the last days, by group of markets."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.accounts.read import reference_names
from afterword.pipeline.domain.fills.accounts import is_of_account
from afterword.pipeline.domain.fills.money import is_dollar, to_micro_usd
from afterword.pipeline.domain.recorded_trades.model import LinkedTrade
from afterword.pipeline.domain.recorded_trades.read import recorded_trades
from afterword.pipeline.domain.trades.fill_rows import fills_since
from afterword.pipeline.domain.trades.measure import measured_costs
from afterword.pipeline.domain.trades.model import Cost
from afterword.pipeline.domain.trades.recorded_results import RecordedResult, recorded_results
from afterword.pipeline.domain.trades.sums import exact_total
from afterword.pipeline.domain.trades.totals import is_below
from afterword.pipeline.domain.trades.user_trades import (
    MarketGroup,
    UserTrade,
    closed_uids,
    group_of,
    of_fill,
    of_recorded,
    recorded_only,
)
from afterword.pipeline.domain.trades.window import PROFILE_DAYS, window_start
from afterword.pipeline.domain.trips.read import trips as read_trips
from afterword.pipeline.domain.trips.trip import Trip

TOP_SYMBOLS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolActivity:
    """One market of a profile.

    Args:
        count: trades.
        volume_micro_usd: value of the trades; those paid in dollars.
    """

    symbol: str
    count: int
    volume_micro_usd: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingActivity:
    """What was traded in one group of markets: R3's fields under their own names, and by trip.

    Args:
        trips: complete round trips that closed in the window; count. `trips_won` have a net above
            0, after fees and funding; `trips_recorded` are known by an agent's records alone.
        trips_incomplete: others; not in the sums.
        trips_net_micro_usd: net of the complete trips paid in dollars.
        not_in_net: costs that the net of some of them does not hold.
        trade_count: fills, and recorded trades of which no fill is known; `recorded_count` is how
            many are such.
        top_symbols: by count, then by volume.
        long_count: trades that open or close longs; `short_count` likewise. Of the rest nothing
            says which.
        realized_pnl_micro_usd: closed profit: of fills as the venue states it, before fees; of
            recorded trades after them. None if nothing says one.
        win_rate_fills: share of the winning ones among those that closed with a profit or loss;
            None without one. It is not how often trips win: a loser is closed in one fill, a winner
            in many, and fees are not in it.
        closing_fills: those it is drawn from; count.
        average_trade_size_micro_usd: mean value of a trade that was paid in dollars.
        last_traded_at: aware UTC; None without a trade.
    """

    trips: int
    trips_won: int
    trips_recorded: int
    trips_incomplete: int
    trips_net_micro_usd: int
    not_in_net: tuple[Cost, ...]
    trade_count: int
    recorded_count: int
    top_symbols: tuple[SymbolActivity, ...]
    long_count: int
    short_count: int
    realized_pnl_micro_usd: int | None
    win_rate_fills: float | None
    closing_fills: int
    average_trade_size_micro_usd: int | None
    last_traded_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingProfile:
    """R3's trading profile: perpetuals and futures, spot, and the rest apart.

    Args:
        days: length of the window; `until` is its end, aware UTC.
    """

    days: int
    until: datetime
    perps: TradingActivity
    spot: TradingActivity
    other: TradingActivity


class TradingProfileReader:
    """Reads the trading profile of a group, over mirrored, imported and recorded trades alike.

    A trade that an agent recorded and whose fill is known counts once. Accounts of reference are in
    no figure, unless one is named.

    Args:
        account: of this account only; None for all of the owner.
        as_of: as known at that moment; now if None.
        others: accounts that are not the owner's; those of reference if None.
    """

    def __init__(
        self,
        conn: Connection,
        *,
        account: str | None = None,
        as_of: datetime | None = None,
        others: frozenset[str] | None = None,
    ) -> None:
        self._conn, self._account, self._as_of = conn, account, as_of
        if others is None:
            others = reference_names(conn, as_of) if account is None else frozenset()
        self._others = others

    def read(self, until: datetime, days: int = PROFILE_DAYS) -> TradingProfile:
        """Return the profile of the days before a moment.

        Raises:
            InvalidInputError: a number of days that is none; or a moment that was purged.
        """
        since = window_start(until, days)
        linked = self.linked()
        trades = [*self.fills(since, until), *self.recorded(linked, since, until)]
        results, trips = self.results(linked, since, until), self.trips(since, until)
        groups = {
            group: activity_of(group, trades, trips, results)
            for group in ("perps", "spot", "other")
        }
        return TradingProfile(days=days, until=until, **groups)

    def trips(self, since: datetime, until: datetime) -> list[Trip]:
        """Return the trips that closed in a span of time."""
        trips = read_trips(self._conn, self._as_of, self._account)
        return [
            trip
            for trip in trips
            if since < trip.closed_at <= until and not is_below(trip.account, self._others)
        ]

    def fills(self, since: datetime, until: datetime) -> list[UserTrade]:
        """Return the fills of a span of time."""
        as_of = None if self._as_of is None else to_micros(self._as_of)
        span = to_micros(since) // 1_000, to_micros(until) // 1_000
        trades = map(of_fill, fills_since(self._conn, *span, as_of, self._account))
        return [trade for trade in trades if since < trade.at <= until and self._is_own(trade)]

    def linked(self) -> list[LinkedTrade]:
        """Return all recorded trades, with the fills that are the same trades."""
        return recorded_trades(self._conn, self._as_of)

    def recorded(
        self, linked: Sequence[LinkedTrade], since: datetime, until: datetime
    ) -> list[UserTrade]:
        """Return the recorded trades of a span of time of which no fill is known."""
        closed = closed_uids(linked)
        trades = (of_recorded(trade, closed) for trade in recorded_only(linked))
        return [trade for trade in trades if since < trade.at <= until and self._is_own(trade)]

    def results(
        self, linked: Sequence[LinkedTrade], since: datetime, until: datetime
    ) -> list[RecordedResult]:
        """Return the round trips that only recorded trades tell of, closed in a span of time."""
        return [
            result
            for result in recorded_results(linked)
            if since < result.closed_at <= until and self._is_own(result)
        ]

    def _is_own(self, trade: UserTrade | RecordedResult) -> bool:
        is_asked = self._account is None or is_of_account(trade.account, self._account)
        return is_asked and not is_below(trade.account, self._others)


def activity_of(
    group: MarketGroup,
    trades: Iterable[UserTrade],
    trips: Iterable[Trip],
    results: Iterable[RecordedResult],
) -> TradingActivity:
    """Return what was traded in one group of markets, of trades of all groups."""
    return _activity(
        [trade for trade in trades if trade.group == group],
        [trip for trip in trips if group_of(trip.kind) == group],
        [result for result in results if result.group == group],
    )


def _activity(
    trades: Sequence[UserTrade], trips: Sequence[Trip], results: Sequence[RecordedResult]
) -> TradingActivity:
    complete = [trip for trip in trips if not trip.is_incomplete]
    in_dollars = to_micro_usd(exact_total(trip.net for trip in complete if is_dollar(trip.quote)))
    missing = {cost for trip in complete for cost in measured_costs(trip)}
    values = [trade.size_micro_usd for trade in trades if trade.size_micro_usd is not None]
    decided = [trade.realized_pnl for trade in trades if trade.realized_pnl]
    profits = [
        trade.realized_pnl
        for trade in trades
        if trade.realized_pnl is not None and is_dollar(trade.quote)
    ]
    sides = Counter(trade.direction for trade in trades)
    return TradingActivity(
        trips=len(complete) + len(results),
        trips_won=sum(trip.net > 0 for trip in complete)
        + sum(result.net_micro_usd > 0 for result in results),
        trips_recorded=len(results),
        trips_incomplete=len(trips) - len(complete),
        trips_net_micro_usd=in_dollars + sum(result.net_micro_usd for result in results),
        not_in_net=tuple(sorted(missing)),
        trade_count=len(trades),
        recorded_count=sum(trade.source == "recorded" for trade in trades),
        top_symbols=_top(trades),
        long_count=sides["long"],
        short_count=sides["short"],
        realized_pnl_micro_usd=to_micro_usd(exact_total(profits)) if profits else None,
        win_rate_fills=sum(pnl > 0 for pnl in decided) / len(decided) if decided else None,
        closing_fills=len(decided),
        average_trade_size_micro_usd=sum(values) // len(values) if values else None,
        last_traded_at=max((trade.at for trade in trades), default=None),
    )


def _top(trades: Iterable[UserTrade]) -> tuple[SymbolActivity, ...]:
    sizes: dict[str, list[int]] = defaultdict(list)
    for trade in trades:
        sizes[trade.symbol].append(trade.size_micro_usd or 0)
    activities = [
        SymbolActivity(symbol=symbol, count=len(values), volume_micro_usd=sum(values))
        for symbol, values in sizes.items()
    ]
    activities.sort(key=lambda own: (-own.count, -own.volume_micro_usd, own.symbol))
    return tuple(activities[:TOP_SYMBOLS])
