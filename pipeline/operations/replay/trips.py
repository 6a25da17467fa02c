"""Round trips of exports as decisions of a replay: known from the close of each trip on.

Whole trips are known only when they are closed: their size is the largest they had. None cites a
method, and none becomes a case.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection

from afterword.pipeline.clock import EARLIEST, to_micros
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.decisions.from_trips import trip_decision, why_left_out
from afterword.pipeline.domain.documents.document import open_document
from afterword.pipeline.domain.exports.import_export import check_export
from afterword.pipeline.domain.exports.read import refuse_wallet
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.trips.read import trips
from afterword.pipeline.ids import IdSource
from afterword.pipeline.operations.loop.progress import OnProgress
from afterword.pipeline.operations.replay.ids import uid_of
from afterword.pipeline.operations.replay.loop import body_of
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.replay.rows import PreparedDecision


def keep_trades(store: Store, plan: ReplayPlan, ids: IdSource, told: OnProgress) -> None:
    """Store the trades of exports; each file is read to its end first.

    They become known when the last of them happened: no read as of a moment of the replay sees one.

    Raises:
        InvalidInputError: the layout of a file is not known, or a row is bad.
    """
    last = EARLIEST
    for number, path in enumerate(plan.trades, start=1):
        last = _keep(store, plan, path, last, ids, told)
        told("trades", number, len(plan.trades))


def trip_decisions(
    conn: Connection, registry: RoleRegistry, plan: ReplayPlan
) -> Iterator[PreparedDecision]:
    """Yield the complete round trips, by the time they closed."""
    for trip in trips(conn):
        if why_left_out(trip, trip.closed_at) is not None:
            continue
        row = trip_decision(registry, plan.role, trip)
        at, key = to_micros(trip.closed_at), f"trip:{trip.trip_uid}"
        made = replace(row, uid=uid_of(plan.seed, key), known_at=at)
        yield PreparedDecision(at, key, "trades", plan.role, body_of(made))


def _keep(
    store: Store, plan: ReplayPlan, path: Path, last: datetime, ids: IdSource, told: OnProgress
) -> datetime:
    """Store the trades of one export; return when the last trade so far happened.

    Args:
        last: of the exports before.
    """
    document = open_document(path)
    refuse_wallet(document)
    options = plan.reading.for_file(document)
    with check_export(
        document, options.origin, mapping=options.mapping, on_progress=told
    ) as export:
        known_at = max(last, export.last_at)
        export.store_in(store, lambda: known_at, ids, remembers=False)
    return known_at
