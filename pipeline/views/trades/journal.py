"""The journal of trades: what those that fit came to, day by day, and a page of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from itertools import groupby
from typing import Final

from afterword.pipeline.domain.trades.journal import JournalSums, TradeJournal
from afterword.pipeline.domain.trades.measure import put_in_of
from afterword.pipeline.domain.trips.day_rows import TripDay
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, Table, View
from afterword.pipeline.views.cells import Cell, Interval, Ref
from afterword.pipeline.views.numbers import NONE, count, held_words, money, signed_percent
from afterword.pipeline.views.pictures import Picture, SumCurve, SumPoint
from afterword.pipeline.views.trades.trades import trip_ref, trip_remarks
from afterword.pipeline.views.trades.words import price
from afterword.pipeline.views.words import moment

_SUMS: Final = ("currency", "trades", "won", "share won (95 % interval)", "fees", "net")
_TRADES: Final = ("trade", "market", "side", "closed", "held", "size", "result", "net", "notes")
_SPARE: Final = ("size", "held", "result")
_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_NO_TRADE: Final = "no trade is kept: `afterword learn my-export.csv --keep` stores those of a file"
_NOON: Final = time(12, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def journal_view(
    journal: TradeJournal, month: str | None = None, chosen: Mapping[str, str] | None = None
) -> View:
    """Return a journal: its sums, their curve, the calendar of a month, and its trades.

    Args:
        month: of the calendar, `2026-01`; the last one with a trade if None.
        chosen: what the address of its page asks for; links to other pages ask for it too.

    Raises:
        InvalidInputError: not a month.
    """
    shown = checked_month(month) if month else None
    if not journal.fitting:
        return View([Paragraph("no trade fits" if journal.is_narrowed else _NO_TRADE)])
    blocks = sums_blocks(journal)
    if journal.days:
        first = shown or journal.days[-1].day.replace(day=1)
        blocks.append(_calendar(journal.days, first, chosen or {}))
    blocks.append(Section("Trades", list(_list(journal, chosen or {}))))
    return View(blocks)


def sums_blocks(journal: TradeJournal) -> list[Block]:
    """Return what the trades of a journal came to, and the curve of it in each currency."""
    return [
        Table(_SUMS, list(map(_sums_row, journal.sums)), "no complete trade fits"),
        *_notes(journal),
        *(_curve(sums.quote, journal.days) for sums in journal.sums),
    ]


def checked_month(month: str) -> date:
    """Return the first day of a month, `2026-01`.

    Raises:
        InvalidInputError: not a month.
    """
    try:
        return datetime.strptime(month, "%Y-%m").date()  # noqa: DTZ007 (a day has no zone)
    except ValueError:
        raise InvalidInputError("month", f"is {month!a:.20}", "a month, such as 2026-01") from None


def month_of(day: date, months: int) -> date:
    """Return the first day of the month that is some months after that of a day."""
    years, rest = divmod(day.month - 1 + months, 12)
    return date(day.year + years, rest + 1, 1)


def _sums_row(sums: JournalSums) -> list[Cell]:
    fees = money(sums.fees, sums.quote, is_signed=False)
    return [
        sums.quote,
        sums.trips,
        sums.winners,
        Interval(sums.low, sums.winners / sums.trips, sums.high),
        f"{fees}, of {sums.fees_unknown:,} unknown" if sums.fees_unknown else fees,
        money(sums.net, sums.quote),
    ]


def _notes(journal: TradeJournal) -> Iterator[Block]:
    if journal.incomplete:
        words = "trade lacks", "trades lack"
        yield Paragraph(f"{count(journal.incomplete, *words)} fills and count in no sum.", "quiet")


def _curve(quote: str, days: Sequence[TripDay]) -> Picture:
    points, number, total = [], 0, Decimal()
    for day in days:
        if day.quote == quote:
            number, total = number + day.trips, total + day.net
            points.append(SumPoint(number, datetime.combine(day.day, _NOON), total))
    return Picture(SumCurve(points, quote), f"Net result of these trades in {quote}, by day")


def _calendar(days: Sequence[TripDay], month: date, chosen: Mapping[str, str]) -> Section:
    """Return a month as a table of weeks; a day says its trades and what they came to."""
    by_day: Mapping[date, list[TripDay]] = defaultdict(list)
    dates = [month + timedelta(days=place) for place in range((month_of(month, 1) - month).days)]
    for day in days:
        if dates[0] <= day.day <= dates[-1]:
            by_day[day.day].append(day)
    weeks: list[list[Cell]] = []
    for _, week in groupby(dates, key=lambda each: each.isocalendar()[:2]):
        cells = {each.weekday(): _day(each, by_day.get(each, ()), chosen) for each in week}
        weeks.append([cells.get(weekday, "") for weekday in range(7)])
    table = Table(_WEEKDAYS, weeks, label=f"Days of {month:%B %Y}")
    beside = [
        Ref(f"{other:%B %Y}", "trades", filters={**chosen, "month": f"{other:%Y-%m}"})
        for other in (month_of(month, -1), month_of(month, 1))
    ]
    others = Fields({"the month before": beside[0], "the month after": beside[1]})
    return Section(f"{month:%B %Y}", [table, others], "by day, UTC: net result and trades")


def _day(day: date, traded: Sequence[TripDay], chosen: Mapping[str, str]) -> Cell:
    """Return a day of the calendar; one with trades leads to them."""
    if not traded:
        return f"{day.day}"
    nets = ", ".join(f"{money(each.net, each.quote)} ({each.trips:,})" for each in traded)
    only = {**chosen, "since": f"{day}", "until": f"{day}", "month": f"{day:%Y-%m}"}
    return Ref(f"{day.day}: {nets}", "trades", filters=only)


def _list(journal: TradeJournal, chosen: Mapping[str, str]) -> Iterator[Block]:
    rows = [_trip_row(trip, journal.tags.get(trip.trip_uid, ())) for trip in journal.trips]
    yield Table(_TRADES, rows, "no older trade fits", _SPARE)
    if journal.next is not None:
        words = f"--after {journal.next}"
        yield Fields(
            {"older ones": Ref(words, "trades", filters={**chosen, "after": journal.next})}
        )


def _trip_row(trip: Trip, tags: Sequence[str]) -> list[Cell]:
    return [
        trip_ref(trip),
        trip.symbol,
        trip.direction,
        moment(trip.closed_at),
        NONE if trip.held is None else held_words(trip.held // _MICROSECOND),
        price(trip.size),
        _result(trip),
        money(trip.net, trip.quote),
        trip_remarks(trip, tags),
    ]


def _result(trip: Trip) -> str:
    put_in = None if trip.is_incomplete else put_in_of(trip)
    return NONE if put_in is None else signed_percent(float(trip.net / put_in), 2)
