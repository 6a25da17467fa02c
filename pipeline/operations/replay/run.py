"""Run a replay to its end, or from where it stopped; and say how far each one is."""

import gc
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.domain.prices.record_cache import RecordCache
from afterword.pipeline.domain.reflection.judge import DecisionJudge
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.discover import SkillModule, find_modules, registry_of
from afterword.pipeline.errors import ConflictError
from afterword.pipeline.garbage import no_collections, only_new_collected
from afterword.pipeline.operations.replay import rows
from afterword.pipeline.operations.replay.loop import ReplayLoop, SliceReport
from afterword.pipeline.operations.replay.model import ReplayStatus, read_settings
from afterword.pipeline.operations.replay.passes import pass_at_or_before
from afterword.pipeline.operations.replay.roles import replay_skill
from afterword.pipeline.rules.market.windows import DAY_US

SLICE_DAYS: Final = 90
"""Simulated days of one slice, if nobody says otherwise."""

OnSlice = Callable[[SliceReport], object]
"""Called after each slice is kept."""


def roles_for(home: Path, horizon_hours: int) -> RoleRegistry:
    """Return the roles of the installation, and those of replays with a horizon.

    Raises:
        InvalidInputError: a skill of the home cannot be loaded, or is wrong.
    """
    ours = SkillModule("replay", (replay_skill(horizon_hours),), {})
    return registry_of([*find_modules(home), ours])


def status_of(store: Store) -> ReplayStatus:
    """Return how far a replay is.

    Raises:
        ConflictError: it was not prepared to its end.
    """
    with reading(store) as conn:
        run = rows.run(conn)
        if run is None:
            raise ConflictError(
                f"replay {store.name} was never prepared to its end; remove it with `afterword "
                f"replay rm {store.name}`, and run it again"
            )
        every, done = rows.count_decisions(conn, run.cursor)
        events = rows.count_events(conn)
    settings = read_settings(run.settings, store.name)
    return ReplayStatus(
        store.name, settings, run.state, run.cursor, run.state_hash, every, done, events
    )


def list_replays(stores: Stores, limit: int | None = None, after: str = "") -> list[ReplayStatus]:
    """Return how far each replay of a home is, by name; those that were never prepared left out.

    Args:
        limit: how many at most; None for all.
        after: the name of the last replay of the page before.
    """
    statuses: list[ReplayStatus] = []
    for name in sorted(name for name in stores.replays() if name > after):
        if len(statuses) == limit:
            break
        try:
            statuses.append(status_of(stores.replay(name)))
        except ConflictError:
            continue
    return statuses


def run_replay(
    store: Store,
    registry: RoleRegistry,
    judge: DecisionJudge,
    on_slice: OnSlice,
    slice_days: int = SLICE_DAYS,
) -> ReplayStatus:
    """Run a prepared replay to its end, slice by slice; killed anywhere, another run goes on.

    Args:
        slice_days: simulated days of one transaction; it changes no result.

    Raises:
        ConflictError: another process runs this replay, or it was never prepared.
        PipelineError: a slice could not be done; those before it stay.
    """
    status = status_of(store)
    if status.state != "done":
        # Every slice reads every market: none is dropped between two.
        records = RecordCache(most_bars=sys.maxsize)
        loop = ReplayLoop(store, registry, status.settings, judge, records)
        # Stretches and their ballots name each other, so a pass leaves some kilobytes: one search
        # for them in a slice is enough, and takes a tenth of the time less.
        with no_collections(), only_new_collected():
            while loop.cursor < status.settings.ends_at:
                on_slice(loop.advance(slice_end(loop.cursor, status.settings.ends_at, slice_days)))
                gc.collect()
    return status_of(store)


def slice_end(cursor: int, ends_at: int, slice_days: int) -> int:
    """Return the last pass of the slice that begins after a pass; microseconds."""
    return min(ends_at, pass_at_or_before(cursor + slice_days * DAY_US))


@dataclass(frozen=True, slots=True)
class Throughput:
    """How fast a run was; never hashed.

    Args:
        seconds: of this run.
        decisions: recorded (count).
        events: rows that became known, of the links of the chain that it completed (count).
    """

    seconds: float
    decisions: int
    events: int


def throughput(before: ReplayStatus, after: ReplayStatus, seconds: float) -> Throughput:
    """Return how fast a run was, from how far the replay was before and after it."""
    return Throughput(seconds, after.recorded - before.recorded, after.events - before.events)
