"""The report on trips: what is named, all that was looked at, mistakes, sums and coverage."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import NamedTuple

from afterword.pipeline.domain.trades.cells import (
    CellKey,
    ScoredBook,
    book_numbers,
    cells_of,
    scored_book,
)
from afterword.pipeline.domain.trades.labels import FROM_RESULTS, labels_of
from afterword.pipeline.domain.trades.measure import entered
from afterword.pipeline.domain.trades.mistakes import mistakes_of
from afterword.pipeline.domain.trades.model import (
    Basis,
    BookNumbers,
    Cell,
    Coverage,
    TradesReport,
    TradeVerdict,
    TripOutcome,
    TripTag,
    Unit,
)
from afterword.pipeline.domain.trades.open_positions import MarkedPosition, forbidding, open_sums
from afterword.pipeline.domain.trades.positions import is_testable, positions_of, scales
from afterword.pipeline.domain.trades.statistics import statistics_by_quote
from afterword.pipeline.domain.trades.sums import sums_by_quote
from afterword.pipeline.domain.trades.sums_model import OpenSums, QuoteSums
from afterword.pipeline.domain.trades.verdict_rule import VerdictRule, rule_for
from afterword.pipeline.rules.evidence.habits import HabitReport


@dataclass(frozen=True, slots=True)
class TradesMaterial:
    """What a report is made of: everything that was known at its moment.

    Args:
        outcomes: of all trips, once each.
        basis: what results are divided by; None if nothing can be tested.
        untested: attributes that need prices that are missing.
        still_open: positions that are in no trip.
    """

    outcomes: tuple[TripOutcome, ...]
    book: ScoredBook
    basis: Basis | None
    untested: tuple[str, ...]
    still_open: tuple[MarkedPosition, ...]


class _Judgement(NamedTuple):
    """The verdict that a report tells: its own, or the one that stands.

    Args:
        level, tried: see `TradesReport`.
        at: when it was made; None if none was due yet.
        stretches: how many there were then; count.
    """

    level: float
    tried: int
    at: datetime | None
    stretches: int


def material_of(
    outcomes: Iterable[TripOutcome],
    zone: tzinfo,
    tags: Mapping[str, Iterable[TripTag]],
    still_open: Sequence[MarkedPosition] = (),
) -> TradesMaterial:
    """Return trips with their labels and scores, ready to be judged.

    Args:
        outcomes: in any order; copies of a trip change nothing.
        zone: that hours and weekdays are told in.
    """
    once = {outcome.trip.trip_uid: outcome for outcome in outcomes}
    ordered = tuple(sorted(once.values(), key=lambda outcome: entered(outcome.trip)))
    positions = positions_of(ordered)
    basis, units = scales(positions)
    unit: Unit = "hourly_move" if basis == "prices" else "own_result"
    book = scored_book(positions, labels_of(positions, zone, tags), units, unit)
    lacking = [
        attribute
        for attribute in sorted(FROM_RESULTS)
        if any(attribute in labels for labels in book.labels)
        and not any(
            attribute in labels and score.residual is not None
            for score, labels in zip(book.scored, book.labels, strict=True)
        )
    ]
    return TradesMaterial(ordered, book, basis, tuple(lacking), tuple(still_open))


def report_of(
    material: TradesMaterial,
    last: TradeVerdict | None,
    *,
    is_kept: bool,
    account: str | None,
    as_of: datetime | None,
    at: datetime,
    may_judge: bool = True,
) -> TradesReport:
    """Return what trips show: judged now if that is due, else by the last verdict.

    Args:
        last: the verdict that stands; None before the first one, and for one look.
        is_kept: see `rule_for`.
        at: the moment of the report; aware UTC.
        may_judge: False for a look back: then only the verdict of then may name anything.
    """
    book = material.book
    rule = rule_for(is_kept, len(book.stretches), last)
    if not may_judge:
        rule = rule._replace(is_due=False)
    habits = book.examined(rule.level)
    standing = None if rule.is_due else last  # the verdict that this report tells again
    judgement = _judgement(habits, rule, standing, at)
    keys, is_book_named = _names(habits, rule, last)
    named, others = cells_of(book, [*habits.cells, *habits.named], keys)
    numbers = book_numbers(book, habits, is_book_named)
    if standing is not None:
        named = _as_judged(named, standing)
        numbers = numbers and (standing.book or numbers)
    complete = [outcome.trip for outcome in material.outcomes if not outcome.trip.is_incomplete]
    incomplete = [outcome.trip for outcome in material.outcomes if outcome.trip.is_incomplete]
    trips = [outcome.trip for outcome in material.outcomes]
    sums = sums_by_quote(complete)
    opened = open_sums(sums, material.still_open)
    numbers, unpraised = _praised(numbers, sums, opened)
    return TradesReport(
        account=account,
        as_of=as_of,
        first_at=min((entered(trip)[0] for trip in trips), default=None),
        last_at=max((trip.closed_at for trip in trips), default=None),
        stretches=len(book.stretches),
        level=judgement.level,
        tried=judgement.tried,
        judged_at=judgement.at,
        judged_stretches=judgement.stretches,
        next_at_stretches=rule.next_at,
        named=named,
        looked_at=others,
        book=numbers,
        sums=sums,
        statistics=statistics_by_quote(complete),
        incomplete_sums=sums_by_quote(incomplete),
        open_sums=opened,
        unpraised_for=unpraised,
        mistakes=mistakes_of(material.outcomes),
        coverage=_coverage(material),
    )


def verdict_of(report: TradesReport) -> TradeVerdict | None:
    """Return the verdict that a report has made, as it is stored; None if the last one stands.

    Its id is 0.
    """
    if report.judged_at is None:
        return None
    return TradeVerdict(
        id=0,
        account=report.account,
        known_at=report.judged_at,
        trips=report.coverage.tested,
        stretches=report.stretches,
        level=report.level,
        tried=report.tried,
        named=report.named,
        book=report.book if report.book is not None and report.book.is_named else None,
    )


def _judgement(
    habits: HabitReport, rule: VerdictRule, standing: TradeVerdict | None, at: datetime
) -> _Judgement:
    """Return the verdict of a report made at a moment.

    Args:
        standing: the last verdict, if it is told again; None if the report judges, or may not yet.
    """
    if standing is not None:
        return _Judgement(standing.level, standing.tried, standing.known_at, standing.stretches)
    if rule.is_due:
        return _Judgement(rule.level, habits.tried, at, habits.stretches)
    return _Judgement(rule.level, habits.tried, None, 0)


def _praised(
    numbers: BookNumbers | None, sums: Sequence[QuoteSums], opened: Sequence[OpenSums]
) -> tuple[BookNumbers | None, tuple[str, ...]]:
    """Return the numbers of all trips, and the quotes whose open positions forbid to praise them.

    Numbers that would be praised are not named then.
    """
    if numbers is None or not numbers.is_named or numbers.score <= 0:
        return numbers, ()
    unpraised = forbidding(sums, opened)
    return replace(numbers, is_named=not unpraised), unpraised


def _names(
    habits: HabitReport, rule: VerdictRule, last: TradeVerdict | None
) -> tuple[Sequence[CellKey], bool]:
    if rule.is_due:
        return [(cell.attribute, cell.value) for cell in habits.named], habits.is_book_named
    if last is None:
        return [], False
    return [(cell.attribute, cell.value) for cell in last.named], last.book is not None


def _as_judged(named: Iterable[Cell], last: TradeVerdict) -> tuple[Cell, ...]:
    """Return named cells with the numbers that they were judged by, and their trips of now."""
    judged = {(cell.attribute, cell.value): cell for cell in last.named}
    return tuple(
        replace(judged[cell.attribute, cell.value], trip_uids=cell.trip_uids) for cell in named
    )


def _coverage(material: TradesMaterial) -> Coverage:
    outcomes = material.outcomes
    tested = {
        lot.trip.trip_uid for position in material.book.positions for lot in position.outcomes
    }
    reasons = Counter(
        _reason(outcome, material.basis)
        for outcome in outcomes
        if outcome.trip.trip_uid not in tested
    )
    return Coverage(
        trips=len(outcomes),
        incomplete=sum(outcome.trip.is_incomplete for outcome in outcomes),
        tested=len(tested),
        basis=material.basis,
        with_prices=sum(outcome.sigma_ppb is not None for outcome in outcomes),
        with_market=sum(outcome.market_symbol is not None for outcome in outcomes),
        reasons=tuple(sorted(reasons.items(), key=lambda counted: (-counted[1], counted[0]))),
        untested=material.untested,
    )


def _reason(outcome: TripOutcome, basis: Basis | None) -> str:
    """Return why a trip is not tested."""
    if not is_testable(outcome):
        return next(
            (gap.reason for gap in outcome.unknown if gap.part in ("result", "sigma")), "other"
        )
    if basis == "prices":
        return next((gap.reason for gap in outcome.unknown if gap.part == "sigma"), "no_volatility")
    return "too_few_results"
