"""The agents behind tokens: one for each session that is in use, over the parts of the process."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.domain.clients.sessions import check_session, daily_session
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.gateway.access.model import AccessToken
from afterword.pipeline.ids import IdSource

if TYPE_CHECKING:
    from afterword.pipeline.doors.agent.door import Door

MOST_AGENTS: Final = 256
"""Sessions that are held open; the one that was asked longest ago makes room. It stays a session:
its next request opens it again."""

MakeDoor = Callable[[Writer, str], "Door"]
"""Returns the parts of an agent in the session of a handle."""


class Agents:
    """The agents of this process; threads may share it.

    Args:
        make: builds what an agent uses, with what all agents of a group share.
        embeds: whether writes add jobs for an embedder.
    """

    def __init__(
        self, stores: Stores, clock: Clock, ids: IdSource, make: MakeDoor, *, embeds: bool
    ) -> None:
        self._stores, self._clock, self._ids = stores, clock, ids
        self._make, self._embeds = make, embeds
        self._lock = threading.Lock()
        self._agents: OrderedDict[tuple[int, str], Agent] = OrderedDict()

    def agent(self, token: AccessToken, group: str, session: str | None) -> Agent:
        """Return the agent of a token.

        Args:
            group: its first use makes its file.
            session: the handle of a session that the token began; None for that of this UTC day.

        Raises:
            NotFoundError: the token did not begin the session.
        """
        by = self.writer(group)
        handle = session or daily_session(by, token.id, token.label or None)
        with self._lock:
            agent = self._agents.get((token.id, handle))
            if agent is not None:
                self._agents.move_to_end((token.id, handle))
                return agent
        if session is not None:
            check_session(by, token.id, session)
        agent = Agent(self._make(by, handle))
        with self._lock:
            agent = self._agents.setdefault((token.id, handle), agent)
            while len(self._agents) > MOST_AGENTS:
                self._agents.popitem(last=False)
        return agent

    def writer(self, group: str) -> Writer:
        """Return an agent as a writer of a group, before it is in a session."""
        store: Store = self._stores.group(group, create=True)
        return Writer(store, self._clock, self._ids, embeds=self._embeds)
