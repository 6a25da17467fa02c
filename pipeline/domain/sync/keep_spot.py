"""Keep what files of wallets bring, and how far they reach."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.spot.keep import bulk_insert_external_spot, price_external_spot
from afterword.pipeline.domain.spot.model import SpotActivity, SpotCounts
from afterword.pipeline.domain.sync import state_rows

_Chunk = Sequence[tuple[SpotActivity, int]]


def keep_spot(store: Store, chunks: Iterable[_Chunk], clock: Clock) -> SpotCounts:
    """Store activities of wallets, price those that have no dollars, and note how far they reach.

    Killed at any point, a second import of the file ends in the same rows. Activities of earlier
    files get dollars too, where prices were stored meanwhile.

    Args:
        chunks: each is one transaction; see `bulk_insert_external_spot`.

    Raises:
        UnavailableError: the store cannot be written now; import again.
    """
    read = _Reach()
    new = bulk_insert_external_spot(store, read.through(chunks), clock)
    priced = price_external_spot(store, clock)
    _note_reach(store, read.last_ms, clock)
    if new:
        emit("external_spot:recorded", activities=new)
    return SpotCounts(new, read.activities - new, priced)


class _Reach:
    """How many activities went by, and when the last of them happened (UTC milliseconds)."""

    def __init__(self) -> None:
        self.activities = 0
        self.last_ms: int | None = None

    def through(self, chunks: Iterable[_Chunk]) -> Iterator[_Chunk]:
        for chunk in chunks:
            moments = [activity.time_ms for activity, _ in chunk]
            self.activities += len(moments)
            self.last_ms = max((self.last_ms or 0, *moments))
            yield chunk


def _note_reach(store: Store, last_ms: int | None, clock: Clock) -> None:
    with writing(store) as conn:
        before, now = state_rows.find(conn, "spot_activities", ""), clock()
        reached = [at for at in (before.last_synced_ts_ms, last_ms) if at is not None]
        state = replace(before, last_synced_at=now, last_tried_at=now)
        state_rows.save(conn, replace(state, last_synced_ts_ms=max(reached, default=None)))
