"""Cells: the numbers of every cut of the trips, and the test of those that are tried."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import fsum
from statistics import fmean, median

from afterword.pipeline.domain.fills.money import is_dollar, to_micro_usd
from afterword.pipeline.domain.trades.labels import DESCRIBED, FROM_RESULTS, EqualLabels
from afterword.pipeline.domain.trades.model import BookNumbers, Cell, Unit
from afterword.pipeline.domain.trades.positions import Position, gross_of
from afterword.pipeline.domain.trades.sums import dollars_of
from afterword.pipeline.rules.evidence.differences import Difference, Peers
from afterword.pipeline.rules.evidence.habits import (
    CellTest,
    HabitReport,
    ScoredTrip,
    TripStretch,
    examine,
    trip_stretches,
)

CellKey = tuple[str, str]
"""Attribute and value."""


@dataclass(frozen=True, slots=True)
class ScoredBook:
    """The positions that are tested, scored.

    Args:
        unit: what results are divided by; `units` is how much it was for each position, a fraction.
        labels: of each position, those that are only described included.
        stretches: of `scored`, whose places are those of `positions`.
        results: of each stretch, before costs; `residuals` after the market, None where no price
            tells them; `nets` after costs.
    """

    unit: Unit
    units: tuple[float, ...]
    positions: tuple[Position, ...]
    labels: tuple[Mapping[str, str], ...]
    scored: tuple[ScoredTrip, ...]
    stretches: tuple[TripStretch, ...]
    results: tuple[float, ...]
    residuals: tuple[float | None, ...]
    nets: tuple[float, ...]

    def examined(self, level: float) -> HabitReport:
        """Return what differs by more than chance."""
        return examine(self.scored, level, FROM_RESULTS)


def scored_book(
    positions: Sequence[Position],
    labels: Sequence[Mapping[str, str]],
    units: Sequence[float | None],
    unit: Unit,
) -> ScoredBook:
    """Return the positions with a unit, scored by it.

    Args:
        units: what each result is divided by; None leaves the position out.
        unit: what that is.
    """
    places = [place for place, own in enumerate(units) if own]
    same = EqualLabels()
    scored = [
        _scored(positions[place], same.of(_tested(labels[place])), own)
        for place, own in enumerate(units)
        if own
    ]
    tested = tuple(positions[place] for place in places)
    stretches = tuple(trip_stretches(scored))
    together = [_together(tested, stretch) for stretch in stretches]
    return ScoredBook(
        unit,
        tuple(own for own in units if own),
        tested,
        tuple(labels[place] for place in places),
        tuple(scored),
        stretches,
        tuple(fmean(position.gross_result for position in group) for group in together),
        tuple(_mean(position.residual for position in group) for group in together),
        tuple(fmean(position.net_result for position in group) for group in together),
    )


def cells_of(
    book: ScoredBook, tests: Iterable[CellTest], named: Sequence[CellKey]
) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """Return the named cells in their order, and all others: tested ones by p, then the rest."""
    tested = {(test.attribute, test.value): test for test in tests}
    places: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, stretch in enumerate(book.stretches):
        for attribute, value in book.labels[stretch.members[0]].items():
            if attribute not in FROM_RESULTS or stretch.residual is not None:
                places[attribute][value].append(place)
    cells = {}
    for attribute, values in places.items():
        peers = _peers(book, attribute, (place for inside in values.values() for place in inside))
        for value, inside in values.items():
            key = attribute, value
            test = tested.get(key)
            difference = peers.difference(inside) if test is None else test.difference
            outside = peers.n - len(inside)
            cells[key] = _cell(book, key, inside, difference, outside, test, key in named)
    names = tuple(cells[key] for key in named if key in cells)
    others = [cell for key, cell in cells.items() if key not in named]
    others.sort(key=lambda cell: (cell.p is None, cell.p or 0.0, cell.attribute, cell.value))
    return names, tuple(others)


def book_numbers(book: ScoredBook, report: HabitReport, is_named: bool) -> BookNumbers | None:
    """Return the numbers of all stretches together; None without one."""
    if not book.stretches:
        return None
    test = report.book
    score = fmean(stretch.net for stretch in book.stretches)
    low, high = (None, None) if test is None else test.interval
    trips = [lot.trip for position in book.positions for lot in position.outcomes]
    net = dollars_of(trips, lambda trip: trip.net)
    return BookNumbers(
        n_eff=len(book.nets),
        mean=fmean(book.nets),
        median=median(book.nets),
        unit=book.unit,
        unit_share=_unit_share(book, range(len(book.stretches))),
        score=score,
        low=low,
        high=high,
        net_micro_usd=net,
        z=None if test is None else test.z,
        p=None if test is None else test.p,
        is_named=is_named and (net or 0) * score >= 0,
    )


def _scored(position: Position, labels: Mapping[str, str], unit: float) -> ScoredTrip:
    return ScoredTrip(
        position.first.asset,
        position.first.trip.direction,
        position.entry_at,
        position.exit_at,
        position.gross_result / unit,
        None if position.residual is None else position.residual / unit,
        labels,
        (position.gross_result - position.net_result) / unit,
    )


def _tested(labels: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in labels.items() if name not in DESCRIBED}


def _peers(book: ScoredBook, attribute: str, places: Iterable[int]) -> Peers:
    """Return the results that the cells of an attribute are compared among, as they are tested."""
    results = {}
    for place in places:
        stretch = book.stretches[place]
        result = stretch.residual if attribute in FROM_RESULTS else stretch.score
        assert result is not None
        results[place] = result
    return Peers(book.stretches, results)


def _cell(
    book: ScoredBook,
    key: CellKey,
    inside: Sequence[int],
    difference: Difference | None,
    others: int,
    test: CellTest | None,
    is_named: bool,
) -> Cell:
    results = [book.results[place] for place in inside]
    beyond = [residual for place in inside if (residual := book.residuals[place]) is not None]
    members = sorted(member for place in inside for member in book.stretches[place].members)
    lots = [lot for member in members for lot in book.positions[member].outcomes]
    trips = [lot.trip for lot in lots]
    interval = None if difference is None else difference.interval
    return Cell(
        attribute=key[0],
        value=key[1],
        is_tested=test is not None,
        is_named=is_named,
        trips=len(lots),
        n_eff=len(inside),
        others=others,
        mean=fmean(results),
        median=median(results),
        beyond_market=fmean(beyond) if beyond else None,
        unit=book.unit,
        unit_share=_unit_share(book, inside),
        is_beyond_market=key[0] in FROM_RESULTS,
        difference=None if difference is None else difference.size,
        low=None if interval is None else interval[0],
        high=None if interval is None else interval[1],
        difference_micro_usd=_in_money(book, members, difference),
        gross_micro_usd=dollars_of(trips, gross_of),
        net_micro_usd=dollars_of(trips, lambda trip: trip.net),
        z=None if test is None else test.z,
        p=None if test is None else test.p,
        trip_uids=tuple(trip.trip_uid for trip in trips),
    )


def _unit_share(book: ScoredBook, places: Iterable[int]) -> float:
    return fmean(book.units[book.stretches[place].members[0]] for place in places)


def _in_money(
    book: ScoredBook, members: Iterable[int], difference: Difference | None
) -> int | None:
    """Return what a difference comes to for what was put in, at the unit of each position."""
    paid = [
        book.units[member] * float(book.positions[member].put_in)
        for member in members
        if is_dollar(book.positions[member].first.trip.quote)
    ]
    if difference is None or not paid:
        return None
    return to_micro_usd(Decimal(repr(difference.size * fsum(paid))))


def _together(positions: Sequence[Position], stretch: TripStretch) -> list[Position]:
    """Return the positions that the result of a stretch is made of: those entered first."""
    members = [positions[member] for member in stretch.members]
    return [position for position in members if position.entry_at == stretch.entry_at]


def _mean(numbers: Iterable[float | None]) -> float | None:
    """Return the mean of the numbers that are known; None if none is."""
    known = [number for number in numbers if number is not None]
    return fsum(known) / len(known) if known else None
