"""The journal: trades that fit some conditions, and what they came to day by day.

Every number of a journal is a sum of its days, so none can disagree with another one.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Final, NamedTuple, cast

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.accounts.read import reference_names
from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.domain.prices.feed import asset_of
from afterword.pipeline.domain.trades import rows
from afterword.pipeline.domain.trades.sums import by_count, exact_total
from afterword.pipeline.domain.trades.tag import checked_tag, tagged_trips, tags_of
from afterword.pipeline.domain.trades.totals import is_below
from afterword.pipeline.domain.trips.day_rows import (
    TripDay,
    TripPlace,
    TripResult,
    TripScope,
    markets,
    traded_accounts,
    trip_days,
    trips_of_days,
)
from afterword.pipeline.domain.trips.read import trips_named
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.evidence.rates import wilson_interval
from afterword.pipeline.rules.setup import Direction

TRIP_SIDES: Final = ("long", "short")
TRIP_RESULTS: Final[tuple[TripResult, ...]] = ("won", "lost", "even")
JOURNAL_TRADES: Final = 50
"""Trades of one page of a journal where nobody says how many."""

MOST_OF_JOURNAL: Final = 1_000
"""Trades of one page of a journal."""

_PLACE: Final = re.compile(r"(-?[0-9]{1,7})-(-?[0-9]{1,17})-([0-9a-zA-Z]{1,64})")


@dataclass(frozen=True, slots=True)
class JournalQuery:
    """Which trades are asked for; None leaves a condition out.

    Args:
        account: its own trades, and those of accounts that a file names below it. Without it, those
            of all accounts of the owner.
        market: as `asset_of` writes it.
        since: they closed from then on; aware, likewise `until`, which is left out.
    """

    account: str | None = None
    market: str | None = None
    side: Direction | None = None
    tag: str | None = None
    result: TripResult | None = None
    since: datetime | None = None
    until: datetime | None = None


class JournalChoices(NamedTuple):
    """The accounts, markets and tags that trades have."""

    accounts: Sequence[str]
    markets: Sequence[str]
    tags: Sequence[str]


@dataclass(frozen=True, slots=True)
class JournalSums:
    """What complete trades of one quote came to; amounts to the cent.

    Args:
        low: lower end of the 95 % interval of the share that won; `high` is the upper one.
        fees: of those whose fees are known.
        fees_unknown: the others; count.
    """

    quote: str
    trips: int
    winners: int
    losers: int
    low: float
    high: float
    net: Decimal
    fees: Decimal
    fees_unknown: int


@dataclass(frozen=True, slots=True)
class TradeJournal:
    """Trades that fit, and what they came to.

    Args:
        sums: by quote, the one with the most trades first.
        days: those with complete trades, by day and quote.
        incomplete: trades with missing fills: they are listed, and in no sum; count.
        trips: those of this page, the newest first; `tags` by their names.
        next: what asks for the next page; None on the last one.
    """

    query: JournalQuery
    sums: Sequence[JournalSums]
    days: Sequence[TripDay]
    incomplete: int
    trips: Sequence[Trip]
    tags: dict[str, list[str]]
    next: str | None

    @property
    def is_narrowed(self) -> bool:
        """Whether not all trades are asked for."""
        return self.query != JournalQuery()

    @property
    def fitting(self) -> int:
        """How many trades fit, the incomplete ones included."""
        return self.incomplete + sum(sums.trips for sums in self.sums)


def journal_query(
    *,
    account: str | None = None,
    market: str | None = None,
    side: str | None = None,
    tag: str | None = None,
    result: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> JournalQuery:
    """Return a question as a door was asked it; see `JournalQuery`.

    Raises:
        InvalidInputError: an unknown side or result, not a tag, or no time between the moments.
    """
    if side is not None:
        check_word(side, TRIP_SIDES, "side")
    if result is not None:
        check_word(result, TRIP_RESULTS, "result")
    if since is not None and until is not None and since >= until:
        raise InvalidInputError("until", "is not after since", "a later moment")
    return JournalQuery(
        account=account,
        market=None if market is None else asset_of(market),
        side=cast(Direction | None, side),
        tag=None if tag is None else checked_tag(tag),
        result=cast(TripResult | None, result),
        since=since,
        until=until,
    )


def trade_journal(
    conn: Connection, query: JournalQuery, *, most: int, after: str | None = None
) -> TradeJournal:
    """Return the trades that fit, a page of them, and the sums of all.

    Args:
        most: trades of the page; count.
        after: what the page before told as `next`; None for the first one.

    Raises:
        InvalidInputError: `after` does not come from a journal.
    """
    scope = _scope(conn, query)
    days = trip_days(conn, scope)
    places, more = _places(conn, scope, days, _place(after), most)
    trips = trips_named(conn, [place.trip_uid for place in places])
    complete = [day for day in days if day.trips]
    return TradeJournal(
        query=query,
        sums=_sums(complete),
        days=complete,
        incomplete=sum(day.incomplete for day in days),
        trips=trips,
        tags={uid: [tag.tag for tag in tags] for uid, tags in tags_of(conn, trips).items()},
        next="-".join(map(str, places[-1])) if more else None,
    )


def journal_choices(conn: Connection) -> JournalChoices:
    """Return what a journal can be asked for."""
    return JournalChoices(
        accounts=traded_accounts(conn),
        markets=sorted({asset_of(symbol) for symbol in markets(conn)}),
        tags=rows.used_tags(conn),
    )


def _scope(conn: Connection, query: JournalQuery) -> TripScope:
    others: tuple[str, ...] = ()
    if query.account is None:
        reference = reference_names(conn)
        others = tuple(
            name for name in traded_accounts(conn) if reference and is_below(name, reference)
        )
    symbols = uids = None
    if query.market is not None:
        symbols = tuple(symbol for symbol in markets(conn) if asset_of(symbol) == query.market)
    if query.tag is not None:
        uids = tuple(tagged_trips(conn, query.tag))
    return TripScope(
        symbols=symbols,
        direction=query.side,
        result=query.result,
        account=query.account,
        others=others or None,
        uids=uids,
        since=None if query.since is None else to_micros(query.since),
        until=None if query.until is None else to_micros(query.until),
    )


def _places(
    conn: Connection, scope: TripScope, days: Sequence[TripDay], after: TripPlace | None, most: int
) -> tuple[list[TripPlace], bool]:
    """Return the trades of a page, and whether more follow.

    The counts of the days say which of them hold the page: no other day is read.
    """
    newest = date.max if after is None else after.date
    counts: dict[date, int] = defaultdict(int)
    for day in days:
        if day.day <= newest:
            counts[day.day] += day.trips + day.incomplete
    page: list[TripPlace] = []
    left = sorted(counts)
    while left and len(page) <= most:
        last = first = left.pop()
        number = counts[last]
        while left and number <= most:
            first = left.pop()
            number += counts[first]
        places = trips_of_days(conn, scope, first, last)
        page += [place for place in places if after is None or place < after]
    return page[:most], len(page) > most


def _sums(days: Iterable[TripDay]) -> list[JournalSums]:
    groups: dict[str, list[TripDay]] = defaultdict(list)
    for day in days:
        groups[day.quote].append(day)
    sums = [_of_quote(quote, groups[quote]) for quote in by_count(groups)]
    return sorted(sums, key=lambda each: (-each.trips, each.quote))


def _of_quote(quote: str, days: Sequence[TripDay]) -> JournalSums:
    trips, won = sum(day.trips for day in days), sum(day.won for day in days)
    low, high = wilson_interval(won, trips)
    return JournalSums(
        quote=quote,
        trips=trips,
        winners=won,
        losers=sum(day.lost for day in days),
        low=low,
        high=high,
        net=exact_total(day.net for day in days),
        fees=exact_total(day.fees for day in days),
        fees_unknown=sum(day.fees_unknown for day in days),
    )


def _place(after: str | None) -> TripPlace | None:
    if after is None:
        return None
    parts = _PLACE.fullmatch(after)
    if parts is None:
        raise InvalidInputError("after", f"is {after!a:.60}", "the `next` of a journal")
    return TripPlace(int(parts[1]), int(parts[2]), parts[3])
