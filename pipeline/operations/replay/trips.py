"""Round trips of exports as decisions of a replay: known from the close of each trip on.

Whole trips are known only when they are closed: their size is the largest they had. None cites a
method, and none becomes a case.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.decisions.from_trips import trip_decision, why_left_out
from afterword.pipeline.domain.documents.layout import Origin
from afterword.pipeline.domain.exports.import_export import check_export
from afterword.pipeline.domain.history.read import trips
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.ids import IdSource
from afterword.pipeline.operations.replay.ids import uid_of
from afterword.pipeline.operations.replay.loop import body_of
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.replay.read_inputs import Progress
from afterword.pipeline.operations.replay.rows import PreparedDecision


def keep_trades(
    store: Store, plan: ReplayPlan, now: datetime, ids: IdSource, told: Progress
) -> None:
    """Store the trades of exports; each file is read to its end first.

    Raises:
        InvalidInputError: the layout of a file is not known, or a row is bad.
    """
    for number, path in enumerate(plan.trades, start=1):
        with check_export(path, Origin(path.name, ""), on_progress=told) as export:
            export.store_in(store, lambda: now, ids, remembers=False)
        told("trades", number, len(plan.trades))


def trip_decisions(
    conn: Connection, registry: RoleRegistry, plan: ReplayPlan, now: datetime
) -> Iterator[PreparedDecision]:
    """Yield the complete round trips, by the time they closed."""
    for trip in trips(conn):
        if why_left_out(trip, now) is not None:
            continue
        row = trip_decision(registry, plan.role, trip)
        at, key = to_micros(trip.closed_at), f"trip:{trip.trip_uid}"
        made = replace(row, uid=uid_of(plan.seed, key), known_at=at)
        yield PreparedDecision(at, key, "trades", plan.role, body_of(made))
