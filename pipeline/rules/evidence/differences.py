"""The mean of some results less that of the others, with the error that a test and an interval
share: so what is named by one cannot hold zero in the other."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import erfc, fsum, inf, sqrt
from typing import NamedTuple, Protocol

from afterword.pipeline.rules.evidence.intervals import student_quantile
from afterword.pipeline.rules.evidence.overlap import Spans, products_with_others, shared_products


class Difference(NamedTuple):
    """The mean of a cell less the mean of the others.

    Args:
        n: results in the cell; count.
        outside: the others; count.
        mean: of the cell.
        others: mean of the others.
        error: standard error of the difference.
        freedom: degrees of freedom of `error`; None with fewer than two results on either side.
    """

    n: int
    outside: int
    mean: float
    others: float
    error: float
    freedom: float | None

    @property
    def size(self) -> float:
        """How far the means lie apart; positive if the cell is better."""
        return self.mean - self.others

    @property
    def p(self) -> float:
        """Chance of such a difference without an effect, in either direction."""
        if self.freedom is None:
            return 1.0
        return two_sided(self.size / self.error if self.error else inf)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval; None with too few results."""
        if self.freedom is None:
            return None
        margin = student_quantile(self.freedom) * self.error
        return self.size - margin, self.size + margin


class OpenSpan(Protocol):
    """Something that was open for a time; microseconds."""

    @property
    def entry_at(self) -> int:
        """Return when it opened; microseconds."""
        ...

    @property
    def exit_at(self) -> int:
        """Return when it ended; microseconds."""
        ...


class Peers:
    """The results that cells are compared among.

    Args:
        opened: when all results were open, by entry.
        values: result of each place in `opened` that is compared.
    """

    def __init__(self, opened: Sequence[OpenSpan], values: Mapping[int, float]) -> None:
        self._opened = opened
        places = sorted(values)
        self.values = {place: values[place] for place in places}
        self.n = len(places)
        self._whole = sums_of(self.values.values())
        mean = self._whole.mean if places else 0.0
        centred = [value - mean for value in self.values.values()]
        self.squares = fsum(one * one for one in centred)
        products = products_with_others(self._spans(places), centred)
        self._centred = dict(zip(places, centred, strict=True))
        self._products = dict(zip(places, products, strict=True))
        self._product = fsum(products)

    def z(self, places: Sequence[int]) -> float:
        """Return the standardised sum of some results; never more than without overlaps.

        Args:
            places: by entry, like those of `difference`.
        """
        inside = len(places)
        alone = inside * (self.n - inside) / (self.n * (self.n - 1)) * self.squares
        total = fsum(self._centred[place] for place in places)
        return total / sqrt(alone + self._shared(places))

    def difference(self, places: Sequence[int]) -> Difference | None:
        """Return the difference of some results from the others; None if there are no others.

        The spreads may differ (Welch), but a cell counts as spread as all results are, at least: a
        few results of a skewed kind often lack the rare one, and seem to be sure.

        Source: B. L. Welch, The generalization of Student's problem when several different
        population variances are involved, Biometrika 34 (1947), 28-35.
        """
        own = sums_of([self.values[place] for place in places])
        outside = self.n - own.n
        if not own.n or not outside:
            return None
        others = Sums(outside, self._whole.total - own.total, self._whole.squares - own.squares)
        if min(own.n, outside) < 2:
            return Difference(own.n, outside, own.mean, others.mean, 0.0, None)
        apart = own.error + others.error
        alike = self._whole.error * self.n * (1 / own.n + 1 / outside)
        shared = self._shared(places) * (self.n / (own.n * outside)) ** 2
        freedom: float = min(own.n, outside) - 1
        if apart:
            freedom = apart**2 / (own.error**2 / (own.n - 1) + others.error**2 / (outside - 1))
        error = sqrt(max(apart, alike) + shared)
        return Difference(own.n, outside, own.mean, others.mean, error, freedom)

    def _shared(self, places: Sequence[int]) -> float:
        """Return what overlaps add to the variance of the sum of some results."""
        share = len(places) / self.n
        scores = [self._centred[place] for place in places]
        # Of u = score * (whether it is inside - share), the products of every two that overlap.
        products = (
            shared_products(self._spans(places), scores)
            - share * fsum(self._products[place] for place in places)
            + share * share * self._product / 2
        )
        return max(0.0, 2 * products)

    def _spans(self, places: Iterable[int]) -> Spans:
        opened = [self._opened[place] for place in places]
        return Spans([one.entry_at for one in opened], [one.exit_at for one in opened])


class Sums(NamedTuple):
    """A count of results, their sum and the sum of their squares."""

    n: int
    total: float
    squares: float

    @property
    def mean(self) -> float:
        """The mean."""
        return self.total / self.n

    @property
    def error(self) -> float:
        """The squared standard error of the mean."""
        return max(0.0, self.squares - self.total * self.mean) / (self.n * (self.n - 1))


def sums_of(results: Collection[float]) -> Sums:
    """Return the sums of results."""
    return Sums(len(results), fsum(results), fsum(one * one for one in results))


def two_sided(z: float) -> float:
    """Return the chance of a normal number as far from zero, in either direction."""
    return erfc(abs(z) / sqrt(2))
