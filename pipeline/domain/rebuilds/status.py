"""When each rebuild ran last, and when it is due next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.rebuilds import rows
from afterword.pipeline.domain.rebuilds.kinds import REBUILDS
from afterword.pipeline.domain.rebuilds.model import Cursor, RebuildState
from afterword.pipeline.domain.rebuilds.turn import rests_until
from afterword.pipeline.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildStatus:
    """One rebuild as its owner sees it.

    Args:
        has_news: whether there is anything to rebuild from; without it nothing is due.
        rests_until: end of its pause (aware UTC); None if it may run now.
        is_enabled: whether rebuilds run at all.
    """

    state: RebuildState
    cursors: tuple[Cursor, ...]
    has_news: bool
    rests_until: datetime | None
    is_enabled: bool


def read_rebuilds(store: Store, settings: Settings, now: datetime) -> Sequence[RebuildStatus]:
    """Return the state of all rebuilds, as it is now: it has no history."""
    with reading(store) as conn:
        return rebuilds_at(conn, settings, now)


def rebuilds_at(conn: Connection, settings: Settings, now: datetime) -> Sequence[RebuildStatus]:
    """Return the state of all rebuilds, in their order."""
    statuses = []
    for rebuild in REBUILDS:
        state = rows.state_of_rebuild(conn, rebuild.name)
        statuses.append(
            RebuildStatus(
                state=state,
                cursors=tuple(sorted(rows.cursors(conn, rebuild.name).values())),
                has_news=state.error is not None or rebuild.has_news(conn, state, settings),
                rests_until=rests_until(state, now),
                is_enabled=settings.personalization_rebuild == "enabled",
            )
        )
    return statuses
