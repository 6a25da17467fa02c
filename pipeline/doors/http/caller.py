"""Who asks, and what a route may use: one value for every route."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import Depends, Request

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.core.store.names import checked_group
from afterword.pipeline.domain.clients.model import ClientWrite
from afterword.pipeline.domain.clients.once import write_once
from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.doors.agent import TOOLS, Agent, call
from afterword.pipeline.doors.http.agents import Agents
from afterword.pipeline.doors.render.values import plain
from afterword.pipeline.gateway.access.model import AccessToken
from afterword.pipeline.ids import IdSource
from afterword.pipeline.recall.search.options import SearchOptions

if TYPE_CHECKING:
    from afterword.pipeline.settings import Settings

GROUP_HEADER: Final = "Afterword-Group"
"""Names the group that the owner or an observer asks about; AFTERWORD_GROUP without it."""

SESSION_HEADER: Final = "Afterword-Session"
"""The handle of the session that an agent asks in; its session of the day without it."""

KEY_HEADER: Final = "Idempotency-Key"
"""Names a write, so that repeating it has no second effect."""


@dataclass(frozen=True, slots=True)
class ServerParts:
    """The parts of the process, which every request shares.

    Args:
        agents: the sessions of agents.
        roles: the roles of all skills.
        search_options: returns the options of a search in a group, with its vector index.
        after_write: sees to it that the due work of a group is done.
    """

    settings: "Settings"
    stores: Stores
    clock: Clock
    ids: IdSource
    agents: Agents
    roles: RoleRegistry
    search_options: Callable[[str], SearchOptions]
    after_write: Callable[[str], None]

    @property
    def embeds(self) -> bool:
        """Whether an embedder is configured, so that writes add jobs for it."""
        return self.settings.embedding_provider != "disabled"


@dataclass(frozen=True, slots=True)
class GroupRequest:
    """One request about a group, and what it may use.

    Args:
        uid: of the request; the log has it.
        group: the one it is about.
    """

    parts: ServerParts
    uid: str
    group: str

    @property
    def settings(self) -> "Settings":
        """The settings of the process."""
        return self.parts.settings

    def now(self) -> datetime:
        """Return the present."""
        return self.parts.clock()

    def store(self) -> Store:
        """Return the file of the group.

        Raises:
            NotFoundError: there is no such group yet.
        """
        return self.parts.stores.group(self.group)

    def owner(self) -> Writer:
        """Return the owner as a writer of the group, which the first write makes."""
        store = self.parts.stores.group(self.group, create=True)
        return Writer(store, self.parts.clock, self.parts.ids, "owner", embeds=self.parts.embeds)


@dataclass(frozen=True, slots=True)
class Caller(GroupRequest):
    """A request of a program: whose it is, beside its group.

    Args:
        group: of the token; else the one that the request names.
        session: the handle that the request names.
        key: its Idempotency-Key.
        request: digest of what it asks.
    """

    token: AccessToken
    session: str | None
    key: str | None
    request: str

    def agent(self) -> Agent:
        """Return the agent of the token in its session.

        Raises:
            NotFoundError: the token did not begin the session.
        """
        return self.parts.agents.agent(self.token, self.group, self.session)

    def write(self, store: Store, run: Callable[[], Any]) -> Any:
        """Run a verb that writes in the group, once for its key; return its answer as plain JSON.

        Raises:
            InvalidInputError: the key belongs to another request.
            BudgetExceededError: an agent's token has used its writes of the day.
        """
        most = self.settings.token_daily_writes if self.token.role == "agent" else None
        write = ClientWrite(self.token.id, self.key, self.request, most)
        answer = write_once(store, self.parts.clock, write, lambda: plain(run()))
        self.parts.after_write(self.group)
        return answer

    def write_as_agent(self, run: Callable[[Agent], Any]) -> Any:
        """Run a verb of the agent that writes in its session; see `write`.

        Raises:
            NotFoundError: the token did not begin the session.
        """
        self.agent()  # an unknown session is refused before the write counts
        # Asked again in the transaction: the session of the day may have ended while it waited.
        return self.write(self.store(), lambda: run(self.agent()))

    def call_tool(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Run a tool of the agent in its session; one that writes, once for its key.

        Raises:
            PipelineError: the tool refused.
        """
        check_word(name, TOOLS, "tool")
        if not TOOLS[name].effect.writes:
            return call(self.agent(), name, arguments)
        return self.write_as_agent(lambda agent: call(agent, name, arguments))

    def write_as_owner(self, run: Callable[[Writer], Any]) -> Any:
        """Run a verb of the owner that writes in the group; see `write`."""
        by = self.owner()
        return self.write(by.store, partial(run, by))


async def caller_of(request: Request) -> Caller:
    """Return who asks; the guard has checked the token."""
    return caller_in(request.app.state.parts, request, await request.body())


def caller_in(parts: ServerParts, request: Request, body: bytes) -> Caller:
    """Return who asks with a body.

    Raises:
        InvalidInputError: the named group could not exist.
    """
    token: AccessToken = request.scope["afterword.token"]
    group = token.group
    if group is None:
        group = checked_group(request.headers.get(GROUP_HEADER, parts.settings.group))
    asked = sha256(f"{request.method} {request.url.path}?{request.url.query}\n".encode())
    asked.update(body)
    return Caller(
        parts,
        request.scope["afterword.request"],
        group,
        token,
        request.headers.get(SESSION_HEADER),
        request.headers.get(KEY_HEADER),
        asked.hexdigest(),
    )


By = Annotated[Caller, Depends(caller_of)]
"""The argument of a route that says who asks."""
