"""What a report could not use, and where its sources contradict each other."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.exports.mapped import MAPPED_VENUE
from afterword.pipeline.domain.fills.model import EXACT, HEDGED, OWNED
from afterword.pipeline.domain.fills.read import unstated_markets
from afterword.pipeline.domain.history.files import KnownFile, known_files, undecided_edges
from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.trades.text import trip_moment
from afterword.pipeline.domain.trips.model import OpenPosition
from afterword.pipeline.domain.trips.read import funding_in_no_trip, lost_positions, trade_checks
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.domain.trips.unheld_funding import UnheldFunding
from afterword.pipeline.operations.learn.report import FileLine, UnreadLine
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.splits import LARGEST_JUMP

_MOST_EXAMPLES = 3

_SAY_SPLIT: Final = "--splits FILE says how, with lines such as NVDA,2024-06-10,10."


def doubts(
    conn: Connection,
    every: Sequence[Trip],
    now: datetime,
    known_by: datetime | None,
    account: str | None,
    zone: tzinfo,
) -> tuple[UnreadLine, ...]:
    """Return what speaks against the figures of a report.

    Args:
        every: all trips, those that close after `now` included.
        zone: that moments are told in.
    """
    later = [trip for trip in every if trip.closed_at > now] if known_by is None else []
    shown = [trip for trip in every if trip.closed_at <= now]
    files = known_files(conn, account) if known_by is None else []
    return (
        *_of_the_future(later, zone),
        *_of_profits(shown, zone),
        *_of_trips(shown, zone),
        *_of_sides(shown, unstated_markets(conn), zone),
        *_of_positions(conn, now, known_by, account, zone),
        *_of_funding(funding_in_no_trip(conn, now, known_by, account)),
        *_of_files(files, zone),
    )


def _of_the_future(later: Sequence[Trip], zone: tzinfo) -> Iterator[UnreadLine]:
    if later:
        words = "round trips close in the future and are left out; is the zone right?"
        yield _line(words, later, zone)


def _of_profits(shown: Sequence[Trip], zone: tzinfo) -> Iterator[UnreadLine]:
    """Yield the trips whose profit is not what the venue, or their own prices, say."""
    odd = [trip for trip in shown if "ledger_disagrees" in trip.flags]
    of_fills = [trip for trip in odd if trip.fills]
    if of_fills:
        many = "s" * (len(of_fills) > 1)
        words = f"round trip{many} whose profit differs from what the venue says; ours counts"
        examples = tuple(_both(trip, zone) for trip in of_fills[:_MOST_EXAMPLES])
        yield replace(_line(words, of_fills, zone), examples=examples)
    stated = [trip for trip in odd if not trip.fills]
    if stated:
        many = "s" * (len(stated) > 1)
        words = (
            f"round trip{many} whose profit is not that of its prices, size and fees; the profit "
            "that the file states counts"
        )
        yield _line(words, stated, zone)


def _of_trips(shown: Sequence[Trip], zone: tzinfo) -> Iterator[UnreadLine]:
    """Yield the trips that count less, or not everywhere."""
    of_days = [trip for trip in shown if trip.is_day]
    if of_days:
        words = (
            "round trips are known by their days: nothing is concluded from hours, minutes and the "
            "order of one day"
            if len(of_days) > 1
            else "round trip is known by its days: nothing is concluded from hours and minutes"
        )
        yield UnreadLine(words, len(of_days))
    split = [trip for trip in shown if "share_split" in trip.flags]
    if split:
        trips_of = (
            "round trips of shares that were" if len(split) > 1 else "round trip of shares that was"
        )
        words = (
            f"{trips_of} split while held: the units before and after differ, and the row of the "
            "split does not say how. Incomplete, and counted nowhere else"
        )
        yield replace(_line(words, split, zone), remedy=_SAY_SPLIT)
    counted = [trip for trip in shown if "units_split" in trip.flags]
    if counted:
        trips_of = (
            "round trips of shares that were"
            if len(counted) > 1
            else "round trip of shares that was"
        )
        words = (
            f"{trips_of} split while held: units and prices are those after the split, the cost is "
            "that of the purchase. Cash that was paid for a fraction of a share is not in it"
        )
        yield _line(words, counted, zone)
    orders = [
        trip for trip in shown if families_of(trip.symbol, trip.account, trip.quote, trip.label)
    ]
    if orders:
        words = (
            f"{'round trips' if len(orders) > 1 else 'round trip'} with the name of a market or an "
            "account, or a label, that reads like an order to an agent: counted here, and left out "
            "of prompts"
        )
        remedy = "`afterword memory flagged` lists those that are kept."
        yield replace(_line(words, orders, zone), remedy=remedy)


def _of_sides(
    shown: Sequence[Trip], unstated: Iterable[tuple[str, ...]], zone: tzinfo
) -> Iterator[UnreadLine]:
    """Yield the trips of which it is not known which position a fill opened.

    Args:
        unstated: markets of which no file says what a fill belongs to.
    """
    two_sided = _two_sided(shown) & set(unstated)
    hedged = [trip for trip in shown if "other_side" in trip.flags or _market(trip) in two_sided]
    if hedged:
        words = (
            "round trips have fills of the other side: the account seems to have held long and "
            "short at once (hedge mode), and the file does not say which a fill belongs to"
        )
        remedy = "The venue's API says it: give its trades, as ccxt's fetch_my_trades has them."
        yield replace(_line(words, hedged, zone), remedy=remedy)
    sold = [trip for trip in shown if _is_sold_first(trip)]
    split = [trip for trip in sold if _follows_a_jump(trip, shown)]
    if split:
        words = (
            "sales close more units than were bought, at a price far from what was paid: were the "
            "shares split while held? No row of the files says so. Incomplete, and in no result"
            if len(split) > 1
            else "sale closes more units than were bought, at a price far from what was paid: were "
            "the shares split while held? No row of the files says so. Incomplete, and in no result"
        )
        yield replace(_line(words, split, zone), remedy=_SAY_SPLIT)
    sold = [trip for trip in sold if trip not in split]
    if sold:
        words = (
            "sales have no purchase before them in the files"
            if len(sold) > 1
            else ("sale has no purchase before it in the files")
        )
        remedy = (
            "A file of --columns is read as purchases and sales of what you own. If a sale of "
            "yours can open a short, the figures are wrong: add kind:perp to --columns."
        )
        yield replace(_line(words, sold, zone), remedy=remedy)


def _of_positions(
    conn: Connection,
    now: datetime,
    known_by: datetime | None,
    account: str | None,
    zone: tzinfo,
) -> Iterator[UnreadLine]:
    """Yield the positions that the venue reports otherwise, and those without an end."""
    checks = [check for check in trade_checks(conn, known_by, account) if check.closed_at <= now]
    wrong = [check for check in checks if not check.agrees]
    if checks:
        words = "positions that the venue reports are known by their fills, which count instead"
        yield UnreadLine(words, sum(check.trades for check in checks))
    if wrong:
        examples = tuple(
            f"{check.symbol} {_at(check.closed_at, zone)}: the venue {check.reported} "
            f"{check.quote}, the fills {'nothing' if check.ours is None else check.ours}"
            for check in wrong[:_MOST_EXAMPLES]
        )
        yield UnreadLine("of them differ from their fills", len(wrong), examples)
    lost = lost_positions(conn, now, known_by, account)
    if lost:
        words = (
            "positions whose end the files do not hold: their units were sent away, or closed by "
            "fills that are missing. They are in no result"
            if len(lost) > 1
            else "position whose end the files do not hold: its units were sent away, or closed by "
            "fills that are missing. It is in no result"
        )
        examples = tuple(_lost(position, zone) for position in lost[:_MOST_EXAMPLES])
        yield UnreadLine(words, len(lost), examples, _together(lost))


def _of_funding(unheld: Sequence[UnheldFunding]) -> Iterator[UnreadLine]:
    """Yield the funding of positions whose beginning no file holds."""
    if unheld:
        count = sum(part.payments for part in unheld)
        words = (
            f"{'payments of funding are' if count > 1 else 'payment of funding is'} of positions "
            "that were opened before the first fill that is known; in no result"
        )
        examples = tuple(
            f"{part.symbol} {part.amount:+f} {part.quote} ({part.payments})"
            for part in unheld[:_MOST_EXAMPLES]
        )
        totals: dict[str, Decimal] = defaultdict(Decimal)
        for part in unheld:
            totals[part.quote] = EXACT.add(totals[part.quote], part.amount)
        sums = ", ".join(f"{amount:+f} {quote}" for quote, amount in sorted(totals.items()))
        remedy = f"Together {sums}. An export with the earlier fills puts them where they belong."
        yield UnreadLine(words, count, examples, remedy)


def _of_files(files: Sequence[KnownFile], zone: tzinfo) -> Iterator[UnreadLine]:
    """Yield the fills that several files hold."""
    aside = [(file, part) for file in files for part in file.set_aside]
    if aside:
        words = (
            "fills stand in two layouts that do not agree; they are left out of the later file, so "
            "that none can count twice"
        )
        examples = tuple(
            f"{part.symbol} {_at(from_millis(part.first_ms), zone)} to "
            f"{_at(from_millis(part.last_ms), zone)} in {file.name} ({part.fills})"
            for file, part in aside[:_MOST_EXAMPLES]
        )
        count = sum(part.fills for _, part in aside)
        remedy = "Give one file of each time; if they are two accounts, keep each with --account."
        yield UnreadLine(words, count, examples, remedy)
    edges = undecided_edges(files)
    if edges:
        words = (
            "equal fills where two files meet may be one fill or two; each is kept once. A file "
            "that goes on over that moment decides it"
        )
        examples = tuple(
            f"{_at(from_millis(edge.at_ms), zone)} in {' and '.join(edge.files)}"
            for edge in edges[:_MOST_EXAMPLES]
        )
        remedy = "`afterword history edges` lists those of trades that are kept."
        yield UnreadLine(words, sum(edge.fills for edge in edges), examples, remedy)


def unplaced_splits(files: Sequence[FileLine]) -> tuple[UnreadLine, ...]:
    """Return the rows of splits whose market or moment is not read."""
    count = 0
    for file in files:
        rows = (file.left_out or {}).items()
        count += max(0, sum(of for why, of in rows if "split" in why.lower()) - len(file.splits))
    words = (
        "rows of share splits are left out, and not told apart by market: a round trip of such a "
        "share that was open then is wrong"
    )
    return (UnreadLine(words, count),) if count else ()


def joined_accounts(
    files: Sequence[FileLine], named: str, *, is_kept: bool
) -> tuple[UnreadLine, ...]:
    """Return the layouts of which several files were read as one account that nobody named.

    Args:
        named: the account that the caller named; empty if none.
    """
    if named:
        return ()
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for file in files:
        if len(file.accounts) == 1 and "/" not in file.accounts[0]:  # a slash: the rows name it
            groups[file.layout, file.accounts[0]].append(file.name)
    option = "with --account NAME" if is_kept else "with --keep --account NAME, or look at it alone"
    return tuple(
        UnreadLine(
            f"files of {layout} are read as one account, `{account}`, since no account was named",
            len(names),
            tuple(names[:_MOST_EXAMPLES]),
            f"If they are of different accounts, read each {option}.",
        )
        for (layout, account), names in sorted(groups.items())
        if len(names) > 1
    )


def _lost(position: OpenPosition, zone: tzinfo) -> str:
    """Return a lost position with what was paid for it, as far as its fills say it."""
    units, at = plain(abs(position.position)), _at(position.last_at, zone)
    return f"{position.market.symbol} {at}: {units} {position.direction}"


def _together(positions: Sequence[OpenPosition]) -> str:
    """Return what the fills of positions received and paid, and their fees, by currency."""
    cash: dict[str, Decimal] = defaultdict(Decimal)
    fees: dict[str, Decimal] = defaultdict(Decimal)
    for position in positions:
        cash[position.quote] += position.cash
        fees[position.quote] += position.fees
        for token, amount in position.other_fees:
            fees[token] += amount
    moved = ", ".join(f"{amount:+f} {quote}" for quote, amount in sorted(cash.items()))
    paid = ", ".join(f"{amount:f} {token}" for token, amount in sorted(fees.items()) if amount)
    return f"Their fills come to {moved} before fees" + (f" of {paid}." if paid else ".")


def _is_sold_first(trip: Trip) -> bool:
    """Tell a sale that a mapped file without the kind of its markets may mean as a short."""
    return trip.venue == MAPPED_VENUE and trip.kind in OWNED and "opened_before" in trip.flags


def _follows_a_jump(sale: Trip, shown: Sequence[Trip]) -> bool:
    """Tell units sold beyond those held, where the price is not that of the same unit."""
    return any(
        _market(trip) == _market(sale)
        and trip.closed_at == sale.closed_at
        and "fills_missing" in trip.flags
        and trip.entry_px
        and trip.exit_px
        and not 1 / LARGEST_JUMP < trip.exit_px / trip.entry_px < LARGEST_JUMP
        for trip in shown
    )


def _two_sided(trips: Sequence[Trip]) -> set[tuple[str, ...]]:
    """Return the markets in which a long and a short were closed that no known fill opened.

    One position, unknown at the beginning, cannot have been both.
    """
    sides: dict[tuple[str, ...], set[str]] = {}
    for trip in trips:
        if "opened_before" in trip.flags and trip.kind in HEDGED:
            sides.setdefault(_market(trip), set()).add(trip.direction)
    return {market for market, directions in sides.items() if len(directions) > 1}


def _both(trip: Trip, zone: tzinfo) -> str:
    """Return a trip with the profit before fees that the venue states, and that of its prices."""
    closed = _closed(trip, zone)
    if trip.venue_gross is None or trip.gross is None:
        return closed
    theirs, ours = plain(trip.venue_gross), plain(trip.gross)
    return f"{closed}: the venue {theirs} {trip.quote}, the fills {ours}"


def _market(trip: Trip) -> tuple[str, ...]:
    return (trip.account, trip.symbol, trip.venue, trip.kind)


def _line(words: str, trips: Sequence[Trip], zone: tzinfo) -> UnreadLine:
    examples = tuple(_closed(trip, zone) for trip in trips[:_MOST_EXAMPLES])
    return UnreadLine(words, len(trips), examples)


def _closed(trip: Trip, zone: tzinfo) -> str:
    """Return a trip by its market and when it closed."""
    return f"{trip.symbol} {trip_moment(trip, trip.closed_at, zone)}"


def _at(moment: datetime, zone: tzinfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"
