"""Settle fills: stretch by stretch of a market, until every fill has its place."""

from collections import Counter
from collections.abc import Callable
from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.jobs.add import check_backlog
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.trips import stretch_rows
from afterword.pipeline.domain.trips.gather import gather
from afterword.pipeline.domain.trips.settle import settle
from afterword.pipeline.domain.trips.settlement import settlement

STRETCH: Final = 500
"""Fills read and settled at once, in 15 ms of the only writer (40 ms if every second one closes a
trip); more where one position has more fills."""

ShowProgress = Callable[[str, int, int], None]
"""Receives the name of a part, the amount done and the total."""


def silent(_name: str, _done: int, _total: int) -> None:
    """Show no progress."""


def settle_fills(
    store: Store,
    by: Writer,
    clock: Clock,
    max_ready: int,
    stretch: int,
    remembers: bool,
    on_progress: ShowProgress,
) -> Counter[str]:
    """Settle every fill that has no place yet, and count what that changed.

    Args:
        max_ready: ready jobs of one kind beyond which it stops; 0 means no bound.
        stretch: fills read and settled at once; count, 1 or more.
        remembers: False writes no memories, in a store that nobody will ask.
    """
    done: Counter[str] = Counter()
    most = stretch
    while True:
        with reading(store) as conn:
            gathered = gather(conn, most)
        if gathered is None:
            return done
        # Derived outside the transaction: it must not hold the only writer.
        settled = settlement(gathered)
        if settled is None:
            most *= 2
            continue
        most = stretch
        with writing(store) as conn:
            check_backlog(conn, EXTRACT_EDGES, max_ready)
            if stretch_rows.mark(conn, gathered.span) != gathered.mark:
                continue  # another import was here: read again what there is now
            memories = settle(conn, by, settled, clock(), remembers=remembers)
        done.update(
            gaps_found=len(settled.gaps_found),
            gaps_filled=len(settled.gaps_filled),
            trips_new=len(settled.changes.new),
            trips_changed=len(settled.changes.changed),
            trips_gone=len(settled.changes.gone),
            memories=memories,
            disagreements=sum(
                "ledger_disagrees" in trip.flags
                for trip in (*settled.changes.new, *settled.changes.changed)
            ),
        )
        emit("history.settled", trips=done["trips_new"])
        on_progress("trips", done["trips_new"], done["trips_new"] + 1)
