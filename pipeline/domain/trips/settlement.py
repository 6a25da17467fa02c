"""What a stretch of fills changes in what is stored, decided without reading beyond it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from afterword.pipeline.domain.trips.chain import chain_fills
from afterword.pipeline.domain.trips.funded import with_funding
from afterword.pipeline.domain.trips.model import (
    Chain,
    ChainBreak,
    RoundTrip,
    StoredTrip,
    TripChanges,
)
from afterword.pipeline.domain.trips.round_trips import compare_trips, round_trips
from afterword.pipeline.domain.trips.stretch import Gap, MarketStretch, StoredFill


@dataclass(frozen=True, slots=True)
class Settlement:
    """The changes a stretch makes.

    Args:
        places: fills that are new or changed their place, as (row id, order in the millisecond).
        gaps_found: gaps not reported before.
        gaps_filled: row ids of reported gaps that are none any more.
        known: the stored trips that were compared, by trip_uid.
        changes: what the comparison found.
        ends: row ids of the first and the last fill of every new or changed trip, by trip_uid.
    """

    places: tuple[tuple[int, int], ...]
    gaps_found: tuple[Gap, ...]
    gaps_filled: tuple[int, ...]
    known: dict[str, StoredTrip]
    changes: TripChanges
    ends: dict[str, tuple[int, int]]

    @property
    def successors(self) -> dict[str, str | None]:
        """Return the trip_uids whose stored rows end, each with that of the trip replacing it."""
        ended: dict[str, str | None] = {
            uid: None if trip is None else trip.trip_uid for uid, trip in self.changes.gone
        }
        return ended | {trip.trip_uid: trip.trip_uid for trip in self.changes.changed}


@dataclass(frozen=True, slots=True)
class _Line:
    """A stretch in the order its fills executed in.

    Args:
        fills: `before`, if there is one, and the fills of the stretch.
        orders: their places in their milliseconds.
        place: their indices, by fill_uid.
        breaks: where positions do not meet.
        trips: the trips that close in it.
    """

    fills: tuple[StoredFill, ...]
    orders: tuple[int, ...]
    place: dict[str, int]
    breaks: tuple[ChainBreak, ...]
    trips: tuple[RoundTrip, ...]

    def last_of(self, trip: RoundTrip) -> int:
        """Return the index of the fill that closed a trip."""
        return self.place[trip.fill_uids[-1]]

    def row_of(self, fill_uid: str) -> StoredFill:
        """Return a fill by its uid."""
        return self.fills[self.place[fill_uid]]


def settlement(stretch: MarketStretch) -> Settlement | None:
    """Derive a stretch, up to the last fill behind which nothing stored can change.

    Returns:
        Its changes; None if only a longer stretch can show them.
    """
    if not stretch.fills:
        return None
    line = _line(stretch)
    cut = _cut(stretch, line)
    if cut is None:
        return None
    known = [trip for trip in stretch.trips if line.place.get(trip.last_fill_uid, cut + 1) <= cut]
    closed = [trip for trip in line.trips if line.last_of(trip) <= cut]
    changes = compare_trips(known, closed)
    gaps_found, gaps_filled = _gaps(stretch, line, cut)
    return Settlement(
        places=_places(stretch, line, cut),
        gaps_found=gaps_found,
        gaps_filled=gaps_filled,
        known={trip.trip_uid: trip for trip in known},
        changes=changes,
        ends={
            trip.trip_uid: (line.row_of(trip.fill_uids[0]).id, line.row_of(trip.fill_uids[-1]).id)
            for trip in (*changes.new, *changes.changed)
        },
    )


def _line(stretch: MarketStretch) -> _Line:
    skipped = () if stretch.before is None else (stretch.before,)
    by_uid = {stored.fill.fill_uid: stored for stored in (*skipped, *stretch.fills)}
    (chain,) = chain_fills(stored.fill for stored in by_uid.values())
    place = {fill.fill_uid: index for index, fill in enumerate(chain.fills)}
    moments = groupby(chain.fills, key=lambda fill: fill.time_ms)
    book = round_trips(
        Chain(chain.market, chain.fills[len(skipped) :], ()),
        stretch.mark.wallet,
        stretch.before.fill if stretch.before else None,
        stretch.left,
        stretch.splits,
    )
    return _Line(
        fills=tuple(by_uid[uid] for uid in place),
        orders=tuple(order for _, moment in moments for order, _ in enumerate(moment)),
        place=place,
        breaks=chain.breaks,
        trips=tuple(with_funding(book.closed, stretch.funding)),
    )


def _cut(stretch: MarketStretch, line: _Line) -> int | None:
    """Return the index of the last fill that can be settled now.

    It ends a trip and its millisecond, no stored trip goes on behind it, and what follows is
    either not settled itself or was derived from the very same fill in the same place.
    """
    last = len(line.fills) - 1
    if stretch.is_end:
        return last
    ends = {line.last_of(trip): trip.left for trip in line.trips}
    stored_ends = {trip.last_fill_uid: trip.left for trip in stretch.trips}
    inside = _inside(stretch.trips, line, ends, last)
    new = (index for index, stored in enumerate(line.fills) if stored.order_in_ms is None)
    for index in range(last - 1, next(new, last) - 1, -1):
        here, following = line.fills[index], line.fills[index + 1]
        ends_its_ms = here.fill.time_ms < following.fill.time_ms
        is_joined = here.order_in_ms == line.orders[index] or following.order_in_ms is None
        if not (index in ends and index not in inside and ends_its_ms and is_joined):
            continue
        # A running position: what follows was derived from the position that is left here.
        is_running = not following.fill.states_position and following.order_in_ms is not None
        if not is_running or stored_ends.get(here.fill.fill_uid) == ends.get(index):
            return index
    return None


def _inside(
    trips: Iterable[StoredTrip], line: _Line, ends: Mapping[int, Decimal], last: int
) -> set[int]:
    """Return the fills behind which a stored trip goes on: cut there, it would not be compared.

    A fill that a stored trip begins with may end the trip before it, if it goes on behind that.
    """
    inside: set[int] = set()
    for trip in trips:
        first = line.place[trip.first_fill_uid]
        is_stated = line.fills[first].fill.states_position
        begin = first + 1 if is_stated or ends.get(first) else first
        inside.update(range(begin, line.place.get(trip.last_fill_uid, last)))
    return inside


def _places(stretch: MarketStretch, line: _Line, cut: int) -> tuple[tuple[int, int], ...]:
    first = len(line.fills) - len(stretch.fills)
    return tuple(
        (line.fills[index].id, line.orders[index])
        for index in range(first, cut + 1)
        if line.fills[index].order_in_ms != line.orders[index]
    )


def _gaps(stretch: MarketStretch, line: _Line, cut: int) -> tuple[tuple[Gap, ...], tuple[int, ...]]:
    """Return the gaps to report, and the row ids of reported ones that are none any more."""
    now = {
        (broken.earlier.fill_uid, broken.later.fill_uid): _gap(line, broken)
        for broken in line.breaks
        if line.place[broken.later.fill_uid] <= cut
    }
    reported = {
        (gap.earlier, gap.later): gap.id for gap in stretch.gaps if line.place[gap.later] <= cut
    }
    return (
        tuple(gap for pair, gap in now.items() if pair not in reported),
        tuple(gap_id for pair, gap_id in reported.items() if pair not in now),
    )


def _gap(line: _Line, broken: ChainBreak) -> Gap:
    earlier, later = broken.earlier, broken.later
    return Gap(
        account=earlier.account,
        symbol=earlier.symbol,
        earlier_fill_id=line.row_of(earlier.fill_uid).id,
        later_fill_id=line.row_of(later.fill_uid).id,
        from_ms=earlier.time_ms,
        to_ms=later.time_ms,
        expected=broken.expected,
        found=broken.found,
    )
