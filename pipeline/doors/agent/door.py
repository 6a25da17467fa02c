"""What stands behind an agent's tools: its session in a group, and what answers are made with."""

from contextlib import ExitStack
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from afterword.pipeline.areas import AREAS
from afterword.pipeline.clock import Clock, system_clock
from afterword.pipeline.core.store import Store, Stores, options_of, reading
from afterword.pipeline.core.store.names import checked_group_in
from afterword.pipeline.domain.sessions.model import Limits, limits_of
from afterword.pipeline.domain.sessions.sessions import begin_session, end_session, find_session
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.agent.write import Writer
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.recall.prompts import brief
from afterword.pipeline.recall.prompts.brief import BriefLimits
from afterword.pipeline.recall.prompts.snapshot import MAX_CHARS
from afterword.pipeline.recall.search.model import Fusion
from afterword.pipeline.recall.search.query_embedding import PATIENCE_S, LessonOptions

if TYPE_CHECKING:
    from afterword.pipeline.gateway.embedding.metered import MeteredEmbedder
    from afterword.pipeline.gateway.embedding.model import Embedder
    from afterword.pipeline.recall.page.compile import Pages
    from afterword.pipeline.recall.search.vectors import VectorIndex
    from afterword.pipeline.settings import Settings


class Door:
    """One agent in one session of one group.

    Args:
        store: the group's file.
        handle: the session's key, from `begin_session`.
        limits: how much may be written in one session.
        brief_limits: how much a brief holds, and how long a start waits for one.
        snapshot_max_chars: characters of a snapshot at most.
        embedder: asked for the vector of a query, and a sign that writes want vectors; None while
            embeddings are disabled.
        index_mb: megabytes the index of the store's vectors may hold in this process.
        fusion: how the arms of a search become one order.
        patience_s: how long a search waits for the vector of its query; seconds.
        roles: in which the agent decides; none if missing.

    Raises:
        NotFoundError: the handle was not issued in this group.
    """

    def __init__(
        self,
        store: Store,
        handle: str,
        clock: Clock,
        ids: IdSource,
        *,
        limits: Limits = Limits(),  # noqa: B008  # frozen
        brief_limits: BriefLimits = BriefLimits(),  # noqa: B008  # frozen
        snapshot_max_chars: int = MAX_CHARS,
        embedder: "Embedder | None" = None,
        index_mb: int = 1024,
        fusion: Fusion = "scaled",
        patience_s: float = PATIENCE_S,
        roles: RoleRegistry | None = None,
    ) -> None:
        with reading(store) as conn:
            self.session = find_session(conn, handle).uid
        self.group, self.handle = store.name, handle
        self.store, self.clock, self.ids = store, clock, ids
        self.brief_limits, self.snapshot_max_chars = brief_limits, snapshot_max_chars
        self.writer = Writer(store, handle, clock, ids, limits, embedder is not None)
        self.means, self._index_mb = LessonOptions(embedder, fusion, patience_s), index_mb
        self.roles = RoleRegistry(()) if roles is None else roles
        self._leaving = ExitStack()

    @classmethod
    def open(
        cls,
        group: str | None = None,
        *,
        session: str | None = None,
        label: str | None = None,
        **settings: Any,
    ) -> Self:
        """Open an agent's memory with the settings of this process; a composition root.

        Closed, or left as a context manager, it closes the files, and ends the session if it
        began one.

        Args:
            group: whose memory; the setting `group` if missing. A new session makes it.
            session: the handle of a session to go on with; a new one is begun if missing.
            label: what to call a new session.
            settings: stronger than the environment, such as `home=`.

        Raises:
            InvalidInputError: a setting, the group's name or a skill in the home is wrong.
            NotFoundError: the handle was not issued in this group, or there is no such group.
        """
        from afterword.pipeline.settings import load  # pydantic: not part of importing this door

        found = load(group=group, **settings)
        checked_group_in(found.home, found.group)  # before any folder is made
        with ExitStack() as opened:
            stores = Stores(found.home, options_of(found), system_clock, random_uid)
            opened.callback(stores.close)
            store = stores.group(found.group, create=session is None)
            handle = session
            if handle is None:
                handle = begin_session(store, system_clock, random_uid, label).handle
                opened.callback(end_session, store, handle, system_clock)
            embedder = _embedder(found, stores)
            if embedder is not None:
                opened.callback(embedder.close)
            agent = cls(
                store,
                handle,
                system_clock,
                random_uid,
                limits=limits_of(found),
                brief_limits=brief.limits_of(found),
                snapshot_max_chars=found.snapshot_max_chars,
                embedder=embedder,
                index_mb=found.recall_index_mb,
                fusion=found.recall_fusion,
                patience_s=found.recall_embed_timeout_s,
                roles=load_roles(found.home),
            )
            agent._leaving = opened.pop_all()
        return agent

    @cached_property
    def index(self) -> "VectorIndex | None":
        """The vectors of the store as this process searches them; None without an embedder."""
        if self.means.embedder is None:
            return None
        from afterword.pipeline.recall.search.vectors import (
            VectorIndex,  # numpy: loaded by the first search
        )

        return VectorIndex(self._index_mb << 20)

    @cached_property
    def pages(self) -> "Pages":
        """The compiled pages of the group, kept from call to call."""
        # It loads what finds assets in a text, 50 ms: not part of importing this door.
        from afterword.pipeline.recall.page.compile import Pages
        from afterword.pipeline.recall.page.sections import sections_of

        return Pages(self.store, self.clock, sections_of(AREAS))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close what `open` opened, and end the session if it began one; twice is once."""
        self._leaving.close()


def _embedder(settings: "Settings", stores: Stores) -> "MeteredEmbedder | None":
    """Return what embeds an agent's questions, at the agent's cost; None while it is disabled."""
    if settings.embedding_provider == "disabled":
        return None  # and neither the services nor the ledger that pays them are loaded
    from afterword.pipeline.gateway.budget import Budget, caps_of
    from afterword.pipeline.gateway.embedding.build import build_embedder

    budget = Budget(stores.instance, caps_of(settings), system_clock, random_uid)
    timeout_s = settings.recall_embed_timeout_s
    return build_embedder(
        settings, stores.instance, budget, system_clock, category="agent", timeout_s=timeout_s
    )
