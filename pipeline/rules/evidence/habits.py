"""Edges and habits in closed trades: which cut of the trades differs from the others by more than
chance, when all cuts are counted.

Every value of every attribute of the trips (`hour` = `14`, `asset` = `SOL`) is a cell. A cell is
tested against the other trips that have its attribute. So re-entries after a loss are compared with
re-entries after a loss: give the attribute to those trips only.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby
from math import fsum, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from afterword.pipeline.rules.evidence.differences import Difference, Peers, two_sided
from afterword.pipeline.rules.evidence.intervals import student_quantile
from afterword.pipeline.rules.evidence.joining import Stretch, stretches_of
from afterword.pipeline.rules.evidence.overlap import Spans, shared_products

FILE_LEVEL: Final = 0.04
"""Chance that a report of chance alone names anything, if it is looked at once. Measured: 3.0-3.4
%; at 0.05 a test over 1,000 shuffles could fail by chance."""

RENEWAL_LEVEL: Final = 0.01
"""The same for each verdict on an account that is kept; with `is_renewal_due` 2.6-4.8 % in two
years, where weekly verdicts at 0.05 would be wrong in 34-41 %."""

RENEWAL_GROWTH: Final = 1.5
"""A kept account is judged again when it has grown by half."""

FEWEST_TRIPS: Final = 15
"""Trips that a cell has at least, and as many outside; also a hundredth of all."""

MEANS_AT: Final = 0.001
"""A cell is named only if its mean differs as well, the same way, with a chance of this at most.
Ranks alone tell many small profits and few large losses from the reverse, which may earn the same:
who closed longs at +1 or -3 % and shorts at +3 or -1 %, without skill, had a named direction in 48
% of reports. At 0.003 such traders were named in 3.5-9 % of accounts of 200, at 0.001 in 1.5-2.5
%; a habit of 2 % in 80 instead of 83 %."""

_NORMAL: Final = NormalDist()


class ScoredTrip(NamedTuple):
    """One closed trade, scored by what its asset usually moves.

    Args:
        asset: key of its market.
        direction: long or short; only equal ones are one stretch.
        entry_at: microseconds UTC.
        exit_at: microseconds UTC, not before the entry.
        score: result before costs divided by the σ of the asset over an hour, as known at the
            entry. The holding time must not be in it: it is known at the exit only. Costs must not
            be in it: the same costs are more σ of a quiet market than of a wild one.
        residual: the same after the market; None if unknown.
        labels: attribute to value, known at the entry.
        costs: what the trip paid, likewise divided.
    """

    asset: str
    direction: str
    entry_at: int
    exit_at: int
    score: float
    residual: float | None
    labels: Mapping[str, str]
    costs: float = 0.0


class TripStretch(NamedTuple):
    """Trips of one asset and direction that overlap: one result, that of the trip that opened it.

    Args:
        members: places of the trips in the sequence given.
        entry_at: microseconds UTC; `exit_at` is the last exit of any of them.
        score: that of the first trip; the mean of those that were entered with it.
        residual: the same of the known residuals; None without one.
        labels: those of the first trip.
        costs: like `score`.
    """

    members: tuple[int, ...]
    entry_at: int
    exit_at: int
    score: float
    residual: float | None
    labels: Mapping[str, str]
    costs: float

    @property
    def net(self) -> float:
        """The score after costs."""
        return self.score - self.costs


class CellTest(NamedTuple):
    """One cell against the other trips that have its attribute.

    Args:
        difference: of the mean scores of its stretches, in σ of the assets.
        z: standardised sum of normal scores; positive if the cell is better. Stretches that overlap
            count as far as their results differ.
        p: chance of such a z without an effect, in either direction.
        members: places of the trips in the sequence given.
    """

    attribute: str
    value: str
    difference: Difference
    z: float
    p: float
    members: tuple[int, ...]

    @property
    def differs_in_means(self) -> bool:
        """Tell whether the means differ too, the same way.

        The interval then holds no zero: it reaches 2.1 errors at `FEWEST_TRIPS`, and `MEANS_AT` is
        3.3.
        """
        return self.z * self.difference.size > 0 and self.difference.p <= MEANS_AT


class BookTest(NamedTuple):
    """The mean of all trips after costs against zero.

    Args:
        n: stretches; count.
        mean: mean net score, in σ of the assets.
        error: its standard error if every result could as well have had the other sign.
    """

    n: int
    mean: float
    error: float

    @property
    def z(self) -> float:
        """The mean over its error; positive if the book earns."""
        return self.mean / self.error

    @property
    def p(self) -> float:
        """Chance of such a z without an edge, in either direction."""
        return two_sided(self.z)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean."""
        margin = student_quantile(self.n - 1) * self.error
        return self.mean - margin, self.mean + margin


@dataclass(frozen=True, slots=True)
class HabitReport:
    """What may be named about the trades of one account.

    Args:
        trips: trips given; count.
        stretches: trips of one asset and direction that overlap count once; count.
        level: chance that chance alone names anything.
        tried: tests in the family, unprinted ones included; count.
        named: cells that differ, the strongest first; each is tested without the trips of those
            before it.
        cells: all cells tested at first, by p.
        book: the test of the whole book; None with too few trips.
        is_book_named: whether the mean of the whole book differs from zero.
    """

    trips: int
    stretches: int
    level: float
    tried: int
    named: tuple[CellTest, ...]
    cells: tuple[CellTest, ...]
    book: BookTest | None
    is_book_named: bool


def examine(
    trips: Sequence[ScoredTrip],
    level: float = FILE_LEVEL,
    from_results: Set[str] = frozenset(),
) -> HabitReport:
    """Name the cells of an account that differ by more than chance.

    The strongest cell whose mean differs too is named if it passes Holm's step; its trips are set
    aside and the rest is tested with the same family, until nothing passes. Without that, cells
    that overlap with a true one are named too: three of them at 1,000 trips, ten at 5,000.

    Args:
        trips: in any order; copies overlap with their originals, so they change nothing.
        level: `FILE_LEVEL` for one look, `RENEWAL_LEVEL` for an account that is kept.
        from_results: attributes made from earlier results, such as a re-entry after a loss. They
            are tested by residuals: results correlate in time, with the market too.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal
    of Statistics 6 (1979), 65-70.
    """
    stretches = trip_stretches(trips)
    cut = _Cut(stretches, from_results)

    rest = set(range(len(stretches)))
    first = cells = cut.tests(rest)
    book = sign_flip([one.net for one in stretches], _spans(stretches))
    tried = len(first) + (book is not None)
    named: list[CellTest] = []
    is_book_named = False
    while True:
        # Holm: each name leaves one hypothesis less.
        bar = level / max(1, tried - len(named) - is_book_named)
        strongest = next((one for one in cells if one.differs_in_means), None)
        is_book_next = strongest is None or (book is not None and book.p <= strongest.p)
        if book and not is_book_named and is_book_next and book.p <= bar:
            is_book_named = True
            continue
        if strongest is None or strongest.p > bar:
            break
        named.append(strongest)
        aside = set(strongest.members)
        rest = {place for place in rest if not aside.intersection(stretches[place].members)}
        gone = {(one.attribute, one.value) for one in named}
        cells = [one for one in cut.tests(rest) if (one.attribute, one.value) not in gone]
    return HabitReport(
        trips=len(trips),
        stretches=len(stretches),
        level=level,
        tried=tried,
        named=tuple(named),
        cells=tuple(first),
        book=book,
        is_book_named=is_book_named,
    )


def is_renewal_due(stretches: int, last: int) -> bool:
    """Say whether a kept account has grown enough for a new verdict.

    Args:
        stretches: now; count.
        last: at the last verdict, 0 before the first; count.
    """
    return stretches >= max(2 * FEWEST_TRIPS, RENEWAL_GROWTH * last)


def trip_stretches(trips: Sequence[ScoredTrip]) -> list[TripStretch]:
    """Join each trip with those of its asset and direction that are entered before it ends.

    Four fills of one idea are one result. It is the result of the first: who joins later depends on
    the prices in between. With the mean of all, the book of a trader without skill who adds to
    winners was named in 100 % of reports.

    Returns:
        By entry.
    """
    labels = {id(one.labels): one.labels for one in trips}  # many trips share one mapping
    items = {key: sorted(own.items()) for key, own in labels.items()}

    def opening(place: int) -> tuple[object, ...]:
        return *trips[place][:4], items[id(trips[place].labels)]

    order = sorted(range(len(trips)), key=opening)
    stretches = [
        _trip_stretch(trips, stretch)
        for _, places in groupby(order, key=lambda place: trips[place][:2])
        for stretch in stretches_of(places, lambda place: trips[place][2:4])
    ]
    stretches.sort(key=lambda stretch: (stretch.entry_at, stretch.members))
    return stretches


def normal_scores(values: Sequence[float]) -> list[float]:
    """Replace values by the normal quantiles of their ranks; equal values share their mean rank.

    Measured: twice the power of raw results, whose few largest decide alone.

    Source: B. L. van der Waerden, Order tests for the two-sample problem, Indagationes Mathematicae
    14 (1952), 453-458.
    """
    n = len(values)
    scores = [0.0] * n
    order = sorted(range(n), key=values.__getitem__)
    start = 0
    while start < n:
        end = start + 1
        while end < n and values[order[end]] == values[order[start]]:
            end += 1
        # Places start..end-1 have the ranks start+1..end.
        score = _NORMAL.inv_cdf((start + end) / 2 / n)
        for place in order[start:end]:
            scores[place] = score
        start = end
    return scores


def sign_flip(results: Sequence[float], spans: Spans | None = None) -> BookTest | None:
    """Test whether the mean of all results differs from zero; None with too few.

    Under flipped signs the sum has mean 0 and the variance of the sum of squares; results that
    overlap flip together. Shuffles cannot see the mean of a book: they only exchange results
    between its cells.

    Args:
        spans: of the results; None if none of them overlap.

    Source: R. A. Fisher, The Design of Experiments (1935), § 21.
    """
    squares = fsum(one * one for one in results)
    if len(results) < FEWEST_TRIPS or not squares:
        return None
    shared = 0.0 if spans is None else 2 * shared_products(spans, results)
    count = len(results)
    return BookTest(count, fsum(results) / count, sqrt(squares + max(0.0, shared)) / count)


class _Cut:
    """The cells of an account, and the test of each among the trips that are left."""

    def __init__(self, stretches: Sequence[TripStretch], from_results: Set[str]) -> None:
        self.stretches = stretches
        self.from_results = from_results
        results = {place: one.score for place, one in enumerate(stretches)}
        residuals = {
            place: stretch.residual
            for place, stretch in enumerate(stretches)
            if stretch.residual is not None
        }
        self.measures = results, _ranked(results)
        self.residual_measures = residuals, _ranked(residuals)
        self.values: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for place, stretch in enumerate(stretches):
            for attribute, value in stretch.labels.items():
                if attribute not in from_results or place in residuals:
                    self.values[attribute][value].append(place)

    def tests(self, rest: Set[int]) -> list[CellTest]:
        """Return the test of every cell that is large enough, by p."""
        fewest = max(FEWEST_TRIPS, len(rest) / 100)
        tests = []
        is_whole = len(rest) == len(self.stretches)
        for attribute, values in sorted(self.values.items()):
            if not is_whole:
                values = {
                    value: [place for place in places if place in rest]
                    for value, places in values.items()
                }
            among = [place for places in values.values() for place in places]
            if len(among) < 2 * fewest:
                continue
            is_residual = attribute in self.from_results
            measures = self.residual_measures if is_residual else self.measures
            plain, ranked = (
                Peers(self.stretches, {place: values_of[place] for place in among})
                for values_of in measures
            )
            if not ranked.squares:
                continue
            for value, places in sorted(values.items()):
                if not fewest <= len(places) <= len(among) - fewest:
                    continue
                difference = plain.difference(places)
                assert difference is not None
                z = ranked.z(places)
                members = tuple(m for place in places for m in self.stretches[place].members)
                tests.append(CellTest(attribute, value, difference, z, two_sided(z), members))
        # Two values of one attribute are each other's complement: the smaller cell is the name.
        tests.sort(
            key=lambda one: (-round(abs(one.z), 9), one.difference.n, one.attribute, one.value)
        )
        return tests


def _ranked(values: Mapping[int, float]) -> dict[int, float]:
    return dict(zip(values, normal_scores(list(values.values())), strict=True))


def _trip_stretch(trips: Sequence[ScoredTrip], places: Stretch[int]) -> TripStretch:
    members = (*places.first, *places.joined)
    together = [trips[place] for place in places.first]
    residuals = [trip.residual for trip in together if trip.residual is not None]
    return TripStretch(
        members=members,
        entry_at=together[0].entry_at,
        exit_at=max(trips[place].exit_at for place in members),
        score=fsum(trip.score for trip in together) / len(together),
        residual=fsum(residuals) / len(residuals) if residuals else None,
        labels=together[0].labels,
        costs=fsum(trip.costs for trip in together) / len(together),
    )


def _spans(stretches: Sequence[TripStretch]) -> Spans:
    return Spans([one.entry_at for one in stretches], [one.exit_at for one in stretches])
