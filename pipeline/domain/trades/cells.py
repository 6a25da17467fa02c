"""Cells: the numbers of every cut of the trips, and the test of those that are tried."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import fsum
from statistics import fmean, median

from afterword.pipeline.domain.history.model import is_dollar, to_micro_usd
from afterword.pipeline.domain.trades.labels import DESCRIBED, FROM_RESULTS, EqualLabels
from afterword.pipeline.domain.trades.model import BookNumbers, Cell
from afterword.pipeline.domain.trades.positions import Position
from afterword.pipeline.domain.trades.sums import net_micro_usd
from afterword.pipeline.rules.evidence.habits import (
    CellTest,
    HabitReport,
    ScoredTrip,
    TripStretch,
    examine,
    trip_stretches,
)
from afterword.pipeline.rules.evidence.intervals import difference_interval, mean_interval

CellKey = tuple[str, str]
"""Attribute and value."""


@dataclass(frozen=True, slots=True)
class ScoredBook:
    """The positions that are tested, scored.

    Args:
        labels: of each position, those that are only described included.
        stretches: of `scored`, whose places are those of `positions`.
        results: of each stretch. `residuals` likewise; None where no price tells them.
    """

    positions: tuple[Position, ...]
    labels: tuple[Mapping[str, str], ...]
    scored: tuple[ScoredTrip, ...]
    stretches: tuple[TripStretch, ...]
    results: tuple[float, ...]
    residuals: tuple[float | None, ...]

    def examined(self, level: float) -> HabitReport:
        """Return what differs by more than chance."""
        return examine(self.scored, level, FROM_RESULTS)


def scored_book(
    positions: Sequence[Position],
    labels: Sequence[Mapping[str, str]],
    units: Sequence[float | None],
) -> ScoredBook:
    """Return the positions with a unit, scored by it.

    Args:
        units: what each result is divided by; None leaves the position out.
    """
    kept = [place for place, unit in enumerate(units) if unit]
    same = EqualLabels()
    scored = [
        _scored(positions[place], same.of(_tested(labels[place])), unit)
        for place, unit in enumerate(units)
        if unit
    ]
    tested = tuple(positions[place] for place in kept)
    stretches = tuple(trip_stretches(scored))
    together = [_together(tested, stretch) for stretch in stretches]
    return ScoredBook(
        tested,
        tuple(labels[place] for place in kept),
        tuple(scored),
        stretches,
        tuple(fsum(one.result for one in group) / len(group) for group in together),
        tuple(_mean(one.residual for one in group) for group in together),
    )


def cells_of(
    book: ScoredBook, tests: Iterable[CellTest], named: Sequence[CellKey]
) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """Return the named cells in their order, and all others: tested ones by p, then the rest."""
    tested = {(one.attribute, one.value): one for one in tests}
    places: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, stretch in enumerate(book.stretches):
        for attribute, value in book.labels[stretch.members[0]].items():
            if attribute not in FROM_RESULTS or stretch.residual is not None:
                places[attribute][value].append(place)
    found = {}
    for attribute, values in places.items():
        among = [place for every in values.values() for place in every]
        for value, inside in values.items():
            key = attribute, value
            found[key] = _cell(book, key, inside, among, tested.get(key), key in named)
    names = tuple(found[key] for key in named if key in found)
    others = [one for key, one in found.items() if key not in named]
    others.sort(key=lambda one: (one.p is None, one.p or 0.0, one.attribute, one.value))
    return names, tuple(others)


def book_numbers(book: ScoredBook, report: HabitReport, is_named: bool) -> BookNumbers | None:
    """Return the numbers of all stretches together; None without one."""
    if not book.stretches:
        return None
    results = book.results
    interval = mean_interval(results)
    return BookNumbers(
        n_eff=len(results),
        mean=fmean(results),
        median=median(results),
        low=None if interval is None else interval[0],
        high=None if interval is None else interval[1],
        z=None if report.book is None else report.book.z,
        p=None if report.book is None else report.book.p,
        is_named=is_named,
    )


def _scored(one: Position, labels: Mapping[str, str], unit: float) -> ScoredTrip:
    return ScoredTrip(
        one.first.asset,
        one.first.trip.direction,
        one.entry_at,
        one.exit_at,
        one.result / unit,
        None if one.residual is None else one.residual / unit,
        labels,
    )


def _tested(labels: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in labels.items() if name not in DESCRIBED}


def _cell(
    book: ScoredBook,
    key: CellKey,
    inside: Sequence[int],
    among: Sequence[int],
    test: CellTest | None,
    is_named: bool,
) -> Cell:
    own = set(inside)
    results = [book.results[place] for place in inside]
    others = [book.results[place] for place in among if place not in own]
    beyond = [one for place in inside if (one := book.residuals[place]) is not None]
    members = sorted(member for place in inside for member in book.stretches[place].members)
    lots = [lot for member in members for lot in book.positions[member].outcomes]
    mean = fmean(results)
    difference = mean - fmean(others) if others else None
    interval = difference_interval(results, others)
    put_in = sum(
        (lot.put_in for lot in lots if lot.put_in and is_dollar(lot.trip.quote)), Decimal(0)
    )
    cost = None
    if difference is not None and put_in:
        cost = to_micro_usd(Decimal(repr(difference)) * put_in)
    return Cell(
        attribute=key[0],
        value=key[1],
        is_tested=test is not None,
        is_named=is_named,
        trips=len(lots),
        n_eff=len(inside),
        others=len(others),
        mean=mean,
        median=median(results),
        difference=difference,
        low=None if interval is None else interval[0],
        high=None if interval is None else interval[1],
        beyond_market=fmean(beyond) if beyond else None,
        net_micro_usd=net_micro_usd(lot.trip for lot in lots),
        cost_micro_usd=cost,
        z=None if test is None else test.z,
        p=None if test is None else test.p,
        trip_uids=tuple(lot.trip.trip_uid for lot in lots),
    )


def _together(positions: Sequence[Position], stretch: TripStretch) -> list[Position]:
    """Return the positions that the result of a stretch is made of: those entered first."""
    found = [positions[member] for member in stretch.members]
    return [one for one in found if one.entry_at == stretch.entry_at]


def _mean(numbers: Iterable[float | None]) -> float | None:
    """Return the mean of the numbers that are known; None if none is."""
    known = [one for one in numbers if one is not None]
    return fsum(known) / len(known) if known else None
