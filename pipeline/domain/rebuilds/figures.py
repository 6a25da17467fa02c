"""What the trading summary counts, each source read by itself: a broken one holds no other."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.fills.money import is_dollar, to_micro_usd
from afterword.pipeline.domain.rebuilds import summary_rows
from afterword.pipeline.domain.rebuilds.sources import (
    CLOSED,
    FILLS,
    ON_CHAIN,
    RECORDED,
    REFERENCES,
    TRIPS,
    SummarySource,
)
from afterword.pipeline.domain.recorded_trades import rows as recorded_rows
from afterword.pipeline.domain.recorded_trades.model import LinkedTrade
from afterword.pipeline.domain.spot import rows as spot_rows
from afterword.pipeline.domain.spot.totals import SpotTotals, spot_totals
from afterword.pipeline.domain.trades.measure import measured_costs
from afterword.pipeline.domain.trades.model import Cost
from afterword.pipeline.domain.trades.profile import (
    TradingActivity,
    TradingProfileReader,
    activity_of,
)
from afterword.pipeline.domain.trades.recorded_results import RecordedResult
from afterword.pipeline.domain.trades.sums import exact_total
from afterword.pipeline.domain.trades.totals import is_below
from afterword.pipeline.domain.trades.user_trades import MarketGroup, UserTrade, group_of
from afterword.pipeline.domain.trades.window import PROFILE_DAYS, window_start
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

GROUPS: Final[tuple[MarketGroup, ...]] = ("spot", "perps", "other")

MOST_REFERENCES: Final = 20
"""Reference wallets of a summary (R3 gives no number)."""

_MAX_SOURCE_ERROR: Final = 200
_ALL: Final = -1


class NetOf(NamedTuple):
    """Complete round trips with one thing in common: how many, and their net; micro-USD.

    Args:
        trips: those paid in dollars, so that the net is of all of them; count.
    """

    name: str
    trips: int
    net_micro_usd: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TripFigures:
    """What complete round trips came to; amounts in micro-USD, of those paid in dollars.

    Args:
        trips: complete ones, in any currency; count. `won` have a net above 0.
        in_other_money: of these, not paid in dollars: in no amount.
        incomplete: others whose fills are not known whole: in no figure.
        gross, fees, funding: before costs, and what costs took; None where no trip tells.
        average_win, average_loss: of a winner and of a loser; None without one.
        by_market: net by market, the best first; `longs` and `shorts` likewise.
        not_in_net: costs that nobody said of some of them.
    """

    trips: int
    won: int
    in_other_money: int
    incomplete: int
    net: int
    gross: int | None
    fees: int | None
    funding: int | None
    average_win: int | None
    average_loss: int | None
    by_market: tuple[NetOf, ...]
    longs: NetOf
    shorts: NetOf
    not_in_net: tuple[Cost, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedFigures:
    """What agents recorded and no fill is known of.

    Args:
        trades: count.
        closed: round trips that are closed and have an outcome; count. `won` above 0.
        net: of these; micro-USD.
        is_linked: whether it is known which fills are the same trades.
    """

    trades: int
    closed: int
    won: int
    net: int
    is_linked: bool


@dataclass(frozen=True, slots=True)
class ChainFigures:
    """What own wallets did on chains.

    Args:
        tokens: swaps by token, the most first.
    """

    totals: SpotTotals
    tokens: tuple[tuple[str, int], ...]


class ReferenceWallet(NamedTuple):
    """What one wallet traded that the owner compares with.

    Args:
        markets: fills by market, the most first.
    """

    name: str
    trips: TripFigures
    markets: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ReferenceFigures:
    """What wallets that the owner compares with traded.

    Args:
        wallets: by name, up to `MOST_REFERENCES`.
        addresses: of those that are compared with now.
        more: wallets beyond those; count.
    """

    wallets: tuple[ReferenceWallet, ...]
    addresses: tuple[str, ...]
    more: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryFigures:
    """All that a summary tells; what could not be read is None.

    Args:
        until: end of the window (aware UTC), which has `days` days.
        all_trips: of all markets; `trips`, `fills` and `recorded` by group of them.
        broken: why a source could not be read, by its cursor.
    """

    until: datetime
    days: int = PROFILE_DAYS
    all_trips: TripFigures | None = None
    trips: Mapping[MarketGroup, TripFigures] | None = None
    fills: Mapping[MarketGroup, TradingActivity] | None = None
    recorded: Mapping[MarketGroup, RecordedFigures] | None = None
    on_chain: ChainFigures | None = None
    references: ReferenceFigures | None = None
    broken: Mapping[str, str] = field(default_factory=dict)


Value = TypeVar("Value")


class _Reads:
    """Reads sources one by one, and keeps why some cannot be read."""

    def __init__(self) -> None:
        self.broken: dict[str, str] = {}

    def of(self, sources: Sequence[SummarySource], read: Callable[[], Value]) -> Value | None:
        """Return what is read; None if that fails, whatever is wrong with the rows."""
        try:
            return read()
        except Exception as error:  # a row that no reader understands must hold no other source
            words = one_line(mask(str(error)), _MAX_SOURCE_ERROR)
            why = f"{type(error).__name__}: {words}" if words else type(error).__name__
            self.broken |= dict.fromkeys((source.cursor for source in sources), why)
            return None


def summary_figures(conn: Connection, until: datetime) -> SummaryFigures:
    """Count what the owner traded in the days before a moment, and the reference wallets apart.

    Raises:
        UnavailableError: the accounts cannot be read, so nobody can tell whose trades are whose.
    """
    reads, since = _Reads(), window_start(until, PROFILE_DAYS)
    try:
        accounts = summary_rows.reference_accounts(conn)
    except DBAPIError as error:
        raise UnavailableError(f"the accounts cannot be read: {error}") from error
    names = frozenset(account.name for account in accounts)
    addresses = [account.address for account in accounts]
    aliases = reads.of((FILLS,), lambda: summary_rows.aliases(conn, addresses))
    reader = TradingProfileReader(conn, others=names | (aliases or frozenset()))
    fills = trips = None
    if aliases is None:
        # Trades of these wallets may be kept under names that nobody knows now.
        reads.broken |= dict.fromkeys((TRIPS.cursor, CLOSED.cursor), reads.broken[FILLS.cursor])
    else:
        trips = reads.of((TRIPS, CLOSED), lambda: reader.trips(since, until))
        fills = reads.of((FILLS,), lambda: reader.fills(since, until))
    return SummaryFigures(
        until=until,
        all_trips=None if trips is None else trip_figures(trips),
        trips=None if trips is None else _by_group(trips),
        fills=None if fills is None else _activities(fills),
        recorded=reads.of((RECORDED,), lambda: _recorded(conn, reader, since, until)),
        on_chain=reads.of((ON_CHAIN,), lambda: _on_chain(conn, names, since, until)),
        references=reads.of(
            (REFERENCES,), lambda: _references(conn, accounts, aliases, since, until)
        ),
        broken=reads.broken,
    )


def trip_figures(trips: Sequence[Trip]) -> TripFigures:
    """Return what round trips came to."""
    complete = [trip for trip in trips if not trip.is_incomplete]
    dollars = [trip for trip in complete if is_dollar(trip.quote)]
    markets: dict[str, list[Trip]] = defaultdict(list)
    for trip in dollars:
        markets[trip.symbol].append(trip)
    by_market = [_net_of(name, its_trips) for name, its_trips in markets.items()]
    return TripFigures(
        trips=len(complete),
        won=sum(trip.net > 0 for trip in complete),
        in_other_money=len(complete) - len(dollars),
        incomplete=len(trips) - len(complete),
        net=_sum([trip.net for trip in dollars]) or 0,
        gross=_sum([trip.gross for trip in dollars]),
        fees=_sum([trip.fees for trip in dollars]),
        funding=_sum([trip.funding for trip in dollars]),
        average_win=_mean([trip.net for trip in dollars if trip.net > 0]),
        average_loss=_mean([trip.net for trip in dollars if trip.net < 0]),
        by_market=tuple(sorted(by_market, key=lambda each: (-each.net_micro_usd, each.name))),
        longs=_net_of("long", [trip for trip in dollars if trip.direction == "long"]),
        shorts=_net_of("short", [trip for trip in dollars if trip.direction == "short"]),
        not_in_net=tuple(sorted({cost for trip in complete for cost in measured_costs(trip)})),
    )


def _by_group(trips: Sequence[Trip]) -> dict[MarketGroup, TripFigures]:
    return {
        group: trip_figures([trip for trip in trips if group_of(trip.kind) == group])
        for group in GROUPS
    }


def _activities(fills: Sequence[UserTrade]) -> dict[MarketGroup, TradingActivity]:
    return {group: activity_of(group, fills, (), ()) for group in GROUPS}


def _recorded(
    conn: Connection, reader: TradingProfileReader, since: datetime, until: datetime
) -> dict[MarketGroup, RecordedFigures]:
    """Count recorded trades without a fill; all of them where the fills cannot be read."""
    try:
        linked, is_linked = reader.linked(), True
    except (DBAPIError, ArithmeticError):
        recorded = recorded_rows.recorded(conn, None, None, _ALL)
        linked, is_linked = [LinkedTrade(trade, ()) for trade in recorded], False
    trades = reader.recorded(linked, since, until)
    results = reader.results(linked, since, until)
    return {group: _recorded_of(group, trades, results, is_linked) for group in GROUPS}


def _recorded_of(
    group: MarketGroup,
    trades: Sequence[UserTrade],
    results: Sequence[RecordedResult],
    is_linked: bool,
) -> RecordedFigures:
    closed = [result.net_micro_usd for result in results if result.group == group]
    return RecordedFigures(
        trades=sum(trade.group == group for trade in trades),
        closed=len(closed),
        won=sum(net > 0 for net in closed),
        net=sum(closed),
        is_linked=is_linked,
    )


def _on_chain(
    conn: Connection, others: frozenset[str], since: datetime, until: datetime
) -> ChainFigures:
    activities = [
        stored
        for stored in spot_rows.activities(conn, since=since)
        if from_millis(stored.activity.time_ms) <= until
        and not is_below(stored.activity.account, others)
    ]
    tokens = Counter(
        token
        for stored in activities
        if stored.activity.type == "swap" and stored.activity.status == "confirmed"
        for token in dict.fromkeys(token for token, _ in stored.activity.sides)
    )
    by_count = sorted(tokens.items(), key=lambda item: (-item[1], item[0]))
    return ChainFigures(spot_totals(activities), tuple(by_count))


def _references(
    conn: Connection,
    accounts: Sequence[summary_rows.ReferenceAccount],
    aliases: frozenset[str] | None,
    since: datetime,
    until: datetime,
) -> ReferenceFigures:
    """Count what the wallets traded that the owner compares with now, each by itself."""
    if accounts and aliases is None:
        raise UnavailableError("the fills of these wallets cannot be read")
    current = [account for account in accounts if account.is_current]
    kept_as = summary_rows.aliases(conn, [account.address for account in current])
    names = sorted(kept_as.union(account.name for account in current))
    wallets = []
    for name in names[:MOST_REFERENCES]:
        reader = TradingProfileReader(conn, account=name)
        trips, fills = reader.trips(since, until), reader.fills(since, until)
        wallets.append(ReferenceWallet(name, trip_figures(trips), _of_all(fills)))
    addresses = tuple(sorted({account.address for account in current}))[:MOST_REFERENCES]
    return ReferenceFigures(tuple(wallets), addresses, max(0, len(names) - MOST_REFERENCES))


def _of_all(fills: Sequence[UserTrade]) -> tuple[tuple[str, int], ...]:
    markets = Counter(fill.symbol for fill in fills)
    return tuple(sorted(markets.items(), key=lambda item: (-item[1], item[0])))


def _net_of(name: str, trips: Sequence[Trip]) -> NetOf:
    return NetOf(name, len(trips), _sum([trip.net for trip in trips]) or 0)


def _sum(amounts: Iterable[Decimal | None]) -> int | None:
    """Return the sum of what is known, in micro-USD; None if nothing is."""
    known = [amount for amount in amounts if amount is not None]
    return to_micro_usd(exact_total(known)) if known else None


def _mean(amounts: Sequence[Decimal]) -> int | None:
    total = _sum(amounts)
    return None if total is None else round(Decimal(total) / len(amounts))
