"""What stands behind an agent's tools: its session in a group, and what answers are made with."""

from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import Clock, system_clock
from afterword.pipeline.core.store import Store, Stores, options_of, reading
from afterword.pipeline.core.store.names import checked_group_in
from afterword.pipeline.domain.sessions.model import Limits, limits_of
from afterword.pipeline.domain.sessions.sessions import begin_session, end_session, find_session
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.agent.write import Writer
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.embedding.build import build_embedder
from afterword.pipeline.gateway.embedding.metered import MeteredEmbedder
from afterword.pipeline.gateway.embedding.model import Embedder
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.recall.lessons.lessons import LessonOptions
from afterword.pipeline.recall.page.compile import Pages
from afterword.pipeline.recall.page.sections import sections_of
from afterword.pipeline.recall.prompts import brief
from afterword.pipeline.recall.prompts.brief import BriefLimits
from afterword.pipeline.recall.prompts.snapshot import MAX_CHARS
from afterword.pipeline.recall.search.model import Fusion
from afterword.pipeline.recall.search.query_embedding import PATIENCE_S
from afterword.pipeline.recall.search.vectors import VectorIndex
from afterword.pipeline.settings import Settings, load


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
        index: this process's vectors of the store; one of the default size if missing.
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
        embedder: Embedder | None = None,
        index: VectorIndex | None = None,
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
        self.means, self.index = LessonOptions(embedder, fusion, patience_s), index or VectorIndex()
        self.roles = RoleRegistry(()) if roles is None else roles
        self.pages = Pages(store, clock, sections_of(all_areas()))
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
                index=VectorIndex(found.recall_index_mb << 20),
                fusion=found.recall_fusion,
                patience_s=found.recall_embed_timeout_s,
                roles=load_roles(found.home),
            )
            agent._leaving = opened.pop_all()
        return agent

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


def _embedder(settings: Settings, stores: Stores) -> MeteredEmbedder | None:
    """Return what embeds an agent's questions, at the agent's cost."""
    budget = Budget(stores.instance, caps_of(settings), system_clock, random_uid)
    timeout_s = settings.recall_embed_timeout_s
    return build_embedder(
        settings, stores.instance, budget, system_clock, category="agent", timeout_s=timeout_s
    )
