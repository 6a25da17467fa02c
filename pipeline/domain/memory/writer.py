"""Who writes, into which store and with what: one value for every verb that writes."""

from dataclasses import dataclass
from datetime import datetime

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.ids import IdSource


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes, into which store and with what.

    Args:
        store: the file of the group.
        clock: read when the write has its turn, so that rows become known in their order.
        ids: the source of uids.
        actor: set by the door, never by its caller; only the owner may speak for the owner.
        session: uid of the session it writes in, from `sessions.in_session`; None outside of one.
        next_session_at: when that session is followed by the next one (aware UTC); None if never.
        embeds: whether an embedder is configured, so that writes add jobs for it.
    """

    store: Store
    clock: Clock
    ids: IdSource
    actor: Actor = "agent"
    session: str | None = None
    next_session_at: datetime | None = None
    embeds: bool = False
