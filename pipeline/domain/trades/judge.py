"""Judge the trades of a group: the report, and for a kept account the verdict that stands."""

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.trades import rows
from afterword.pipeline.domain.trades.measure import measure_trips
from afterword.pipeline.domain.trades.model import TradesReport, TradeVerdict, TripOutcome
from afterword.pipeline.domain.trades.open_positions import marked
from afterword.pipeline.domain.trades.report import (
    TradesMaterial,
    material_of,
    report_of,
    verdict_of,
)
from afterword.pipeline.domain.trades.tag import given_tags
from afterword.pipeline.domain.trips.read import open_positions
from afterword.pipeline.domain.trips.read import trips as read_trips

KEPT_ZONE: Final = UTC
"""Hours and weekdays of kept trades are those of this zone, whoever reads them: a verdict stands on
it, and each other zone would be another look."""

_MOST_TRIES: Final = 3
"""How often trades are judged anew because another process judged them at the same time; count."""


def judge(
    store: Store,
    now: datetime,
    *,
    account: str | None = None,
    is_kept: bool = True,
    gathered: TradesMaterial | None = None,
) -> TradesReport:
    """Return what the trades show now, and keep the verdict if one is due.

    Args:
        account: None for all accounts together.
        is_kept: False for a fresh store that one file was read into: it is looked at once, at
            another level, and no verdict is kept.
        gathered: what `gather` returned for this moment, if the caller has read it already.
    """
    for _ in range(_MOST_TRIES):
        with reading(store) as conn:
            material = gathered or gather(conn, now, account=account)
            gathered = None
            last = rows.last_verdict(conn, account, None) if is_kept else None
        report = report_of(material, last, is_kept=is_kept, account=account, as_of=None, at=now)
        if not is_kept or report.judged_at != now or _is_same(report, last):
            return report
        if _keep(store, report, last, now):
            return report
    return report  # somebody else judges these trades, with the same rules


def look(conn: Connection, as_of: datetime, *, account: str | None = None) -> TradesReport:
    """Return what the trades of a kept account showed at a moment, by the verdict that stood then.

    It judges nothing: a verdict that was not made then is not made for then.
    """
    material = gather(conn, as_of, account=account, is_past=True)
    last = rows.last_verdict(conn, account, to_micros(as_of))
    return report_of(
        material, last, is_kept=True, account=account, as_of=as_of, at=as_of, may_judge=False
    )


def gather(
    conn: Connection,
    at: datetime,
    *,
    account: str | None = None,
    is_past: bool = False,
) -> TradesMaterial:
    """Return the trips of a group with outcomes, labels and scores.

    Args:
        at: nothing later is read.
        is_past: whether to read what was stored then, instead of now.
    """
    as_of = at if is_past else None
    outcomes = outcomes_of(conn, at, account=account, is_past=is_past)
    opened = open_positions(conn, at, as_of, account)
    still_open = marked(StoredPrices(conn, as_of), opened, outcomes, at)
    tags = rows.tags(conn, None if as_of is None else to_micros(as_of), account)
    given = given_tags([outcome.trip for outcome in outcomes], tags)
    return material_of(outcomes, KEPT_ZONE, given, still_open)


def outcomes_of(
    conn: Connection, at: datetime, *, account: str | None = None, is_past: bool = False
) -> list[TripOutcome]:
    """Return what became of the trips of a group, by entry; see `gather`."""
    as_of = at if is_past else None
    trips = [trip for trip in read_trips(conn, as_of, account) if trip.closed_at <= at]
    return measure_trips(StoredPrices(conn, as_of), trips, at)


def _keep(store: Store, report: TradesReport, last: TradeVerdict | None, now: datetime) -> bool:
    verdict = verdict_of(report)
    assert verdict is not None
    with writing(store) as conn:
        row_id = rows.insert_verdict(conn, verdict, last)
        if row_id is None:
            return False
        audit(conn, now, "system", "trade.judge", "trade_verdicts", [ChangedRow(row_id)])
    emit("trade.judged", stretches=verdict.stretches, named=len(verdict.named))
    return True


def _is_same(report: TradesReport, last: TradeVerdict | None) -> bool:
    """Return whether the report only tells the last verdict."""
    return last is not None and report.judged_at == last.known_at
