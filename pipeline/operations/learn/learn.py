"""Learn from trades: store them, measure every trip, and say what they show."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.exports.kept import KnownTable, kept_mappings
from afterword.pipeline.domain.exports.layout_files import own_layouts
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.trades.judge import KEPT_ZONE, judge
from afterword.pipeline.domain.trades.measure import measure_trips
from afterword.pipeline.domain.trades.model import TradesReport, TripTag
from afterword.pipeline.domain.trades.open_positions import marked
from afterword.pipeline.domain.trades.report import TradesMaterial, material_of, report_of
from afterword.pipeline.domain.trades.rows import last_verdict
from afterword.pipeline.domain.trades.tag import list_tags
from afterword.pipeline.domain.trips.read import open_positions, trips
from afterword.pipeline.domain.trips.settle_fills import ShowProgress
from afterword.pipeline.domain.trips.share_splits import held_splits
from afterword.pipeline.operations.learn.doubts import doubts, joined_accounts, unplaced_splits
from afterword.pipeline.operations.learn.fetch import fetch_missing
from afterword.pipeline.operations.learn.files import ReadingOptions, sort_files
from afterword.pipeline.operations.learn.fill_wins import fill_wins
from afterword.pipeline.operations.learn.gaps import price_gaps
from afterword.pipeline.operations.learn.place import LearnPlace, prices_of, reader_zone
from afterword.pipeline.operations.learn.report import FileLine, LearnReport, UnreadLine
from afterword.pipeline.operations.learn.splits import across, untold, without_cost
from afterword.pipeline.operations.learn.store_files import store_files


def learn_from(
    place: LearnPlace,
    files: Sequence[Path],
    price_files: Sequence[Path],
    options: ReadingOptions,
    *,
    account: str | None = None,
    as_of: datetime | None = None,
    told: ShowProgress,
) -> LearnReport:
    """Store the files, if there are any, and return the report of what is stored then.

    Args:
        account: of this account only; None for all.
        as_of: as it was known at this moment: of files, trades that had closed by then.

    Raises:
        InvalidInputError: a file cannot be read; nothing was stored.
    """
    options = replace(options, kept=_known_tables(place))
    sorted_files = sort_files(files, price_files, options, place.clock())
    until = None if place.is_kept else as_of
    lines = store_files(place, sorted_files, options, until, told)
    unread = fetch_missing(place, account, told) if place.fetches else ()
    joined = joined_accounts(lines, options.origin.account, is_kept=place.is_kept)
    unread = (*unread, *joined, *unplaced_splits(lines))
    zone = reader_zone(place.settings, options.origin.zone)
    return _report(place, lines, unread, account, as_of, zone, told)


def _known_tables(place: LearnPlace) -> tuple[KnownTable, ...]:
    own = own_layouts(place.settings.home)
    store = place.store if place.is_kept else place.beside
    if store is None:
        return own
    with reading(store) as conn:
        return (*kept_mappings(conn), *own)


def _report(
    place: LearnPlace,
    files: Sequence[FileLine],
    unread: Sequence[UnreadLine],
    account: str | None,
    as_of: datetime | None,
    zone: tzinfo,
    told: ShowProgress,
) -> LearnReport:
    hours_zone = KEPT_ZONE if place.is_kept else zone
    known_by, now = (as_of if place.is_kept else None), as_of or place.clock()
    with prices_of(place, known_by) as (conn, prices):
        read_moment(conn, known_by)
        told_splits = held_splits(
            conn, to_micros(now), None if known_by is None else to_micros(known_by)
        )
        splits = untold((split for file in files for split in file.splits), told_splits)
        known = [across(splits, trip) for trip in trips(conn, known_by, account)]
        every = [trip for trip in known if trip.closed_at <= now]
        told("measure", 0, 1)
        outcomes = measure_trips(prices, every, now)
        told("measure", 1, 1)
        tags = list_tags(conn, known_by, account)
        held = open_positions(conn, now, known_by, account)
        held = [without_cost(splits, position, now) for position in held]
        still_open = marked(prices, held, outcomes, now)
        material = material_of(outcomes, hours_zone, _given(tags), still_open)
        doubtful = doubts(conn, known, now, as_of, account, zone)
        wins = fill_wins(conn, account, now if as_of else None, known_by)
    told("compare", 0, 1)
    trades = _judged(place, material, account, as_of, now)
    told("compare", 1, 1)
    outcomes.sort(key=lambda outcome: (outcome.trip.closed_at, outcome.trip.trip_uid))
    return LearnReport(
        accounts=tuple(sorted({trip.account for trip in every})),
        venues=tuple(sorted({trip.venue for trip in every})),
        files=tuple(files),
        as_of=as_of,
        is_kept=place.is_kept,
        zone=str(zone),
        hours_zone=str(hours_zone),
        fill_wins=wins,
        trades=trades,
        outcomes=tuple(outcomes),
        tags=_words(tags),
        gaps=price_gaps(outcomes, now),
        unread=(*unread, *doubtful),
    )


def _judged(
    place: LearnPlace,
    material: TradesMaterial,
    account: str | None,
    as_of: datetime | None,
    now: datetime,
) -> TradesReport:
    """Return what the trips show: of a kept account by the verdict that stands, or a new one."""
    if place.is_kept and as_of is None:
        return judge(place.store, now, account=account, gathered=material)
    last = None
    if place.is_kept:
        with reading(place.store) as conn:
            last = last_verdict(conn, account, to_micros(now))
    return report_of(
        material,
        last,
        is_kept=place.is_kept,
        account=account,
        as_of=as_of,
        at=now,
        may_judge=not place.is_kept,
    )


def _given(tags: Sequence[TripTag]) -> dict[str, list[TripTag]]:
    given: dict[str, list[TripTag]] = defaultdict(list)
    for tag in tags:
        given[tag.trip_uid].append(tag)
    return given


def _words(tags: Sequence[TripTag]) -> dict[str, tuple[str, ...]]:
    return {uid: tuple(tag.tag for tag in given) for uid, given in _given(tags).items()}
