"""The parts behind an agent's tools: its session in a group, and the options its tools use."""

from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from afterword.pipeline.areas import AREAS
from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.jobs.autostart import start
from afterword.pipeline.core.store import Store, Stores, options_of
from afterword.pipeline.core.store.names import checked_group_in
from afterword.pipeline.domain.edges.read import ASK_AGAIN, OWNER_STARTS
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import Limits, limits_of
from afterword.pipeline.domain.sessions.sessions import begin_session, end_session, in_session
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.agent.due_work import DueWork
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.prompts import brief
from afterword.pipeline.recall.prompts.brief import BriefLimits
from afterword.pipeline.recall.prompts.prompt_lessons import LessonChoice
from afterword.pipeline.recall.prompts.snapshot import MAX_CHARS
from afterword.pipeline.recall.search.options import SearchOptions

if TYPE_CHECKING:
    from afterword.pipeline.gateway.embedding.metered import MeteredEmbedder
    from afterword.pipeline.recall.page.compile import Pages
    from afterword.pipeline.settings import Settings


class Door:
    """The parts that the tools of one agent use, in one session of one group.

    Args:
        by: the agent as a writer of the group, not yet in a session.
        handle: the session's key, from `begin_session`.
        limits: how much may be written in one session.
        brief_limits: how much a brief contains, and how long a start waits for one.
        snapshot_max_chars: characters of a snapshot at most.
        search_options: the options of the agent's searches.
        index_mb: most memory that the vector index may use in this process; MiB.
        roles: the roles in which the agent records decisions; None for no roles.
        lesson_choice: what of past decisions its prompts show.
        learning_enabled: whether methodologies are added and suggested.
        methodology_top_k: methods of a suggestion at most.
        due_work: sees to it that due work is done; None where that is not the agent's concern.

    Raises:
        NotFoundError: the handle was not issued in this group.
    """

    def __init__(
        self,
        by: Writer,
        handle: str,
        *,
        limits: Limits = Limits(),  # noqa: B008  # frozen
        brief_limits: BriefLimits = BriefLimits(),  # noqa: B008  # frozen
        snapshot_max_chars: int = MAX_CHARS,
        search_options: SearchOptions = SearchOptions(),  # noqa: B008  # frozen
        index_mb: int = 1024,
        roles: RoleRegistry | None = None,
        lesson_choice: LessonChoice = "confirmed",
        learning_enabled: bool = True,
        methodology_top_k: int = 3,
        due_work: DueWork | None = None,
    ) -> None:
        self.writer, self.handle = in_session(by, handle), handle
        self.store, self.clock = by.store, by.clock
        self.limits, self.brief_limits = limits, brief_limits
        self.snapshot_max_chars = snapshot_max_chars
        self.roles = RoleRegistry(()) if roles is None else roles
        self.lesson_choice: LessonChoice = lesson_choice
        self.learning_enabled, self.methodology_top_k = learning_enabled, methodology_top_k
        self._search_options, self._index_mb = search_options, index_mb
        self._due_work = due_work

    def called(self) -> None:
        """Look after the work that a call left; it never raises."""
        if self._due_work is not None:
            self._due_work.look()

    @cached_property
    def search_options(self) -> SearchOptions:
        """The options of the agent's searches, with one vector index for all of them."""
        options = self._search_options
        if options.embedder is None:
            return options  # nothing to compare: numpy is loaded by the first search
        from afterword.pipeline.recall.search.vectors import VectorIndex

        return replace(options, index=options.index or VectorIndex(self._index_mb << 20))

    @cached_property
    def pages(self) -> "Pages":
        """The compiled pages of the group, cached from call to call."""
        # Imported here: it loads the rules that find assets in a text, which takes 50 ms.
        from afterword.pipeline.recall.page.compile import Pages
        from afterword.pipeline.recall.page.sections import sections_of

        return Pages(
            self.store, self.clock, sections_of(AREAS, self.lesson_choice), self._say_who_works
        )

    def _say_who_works(self) -> str:
        """Return what a model can do about memories that are not on a page yet."""
        is_done_here = self._due_work is not None and not self._due_work.problem
        return ASK_AGAIN if is_done_here else OWNER_STARTS


def open_door(
    opened: ExitStack,
    group: str | None,
    session: str | None,
    label: str | None,
    settings: dict[str, Any],
) -> Door:
    """Build the door for `Agent.open` from the settings of this process; a composition root.

    Args:
        opened: gets the calls that close the files, and end the session if this call began it.
    """
    from afterword.pipeline.settings import load  # imported here: it loads pydantic

    found = load(group=group, **settings)
    checked_group_in(found.home, found.group)  # before any folder is made
    stores = Stores(found.home, options_of(found), system_clock, random_uid)
    opened.callback(stores.close)
    by = Writer(stores.group(found.group, create=session is None), system_clock, random_uid)
    handle = session
    if handle is None:
        handle = begin_session(by, label).handle
        opened.callback(end_session, in_session(by, handle))
    embedder = _embedder(found, stores)
    if embedder is not None:
        opened.callback(embedder.close)
    due_work = _due_work(found, by.store)
    door = Door(
        replace(by, embeds=embedder is not None),
        handle,
        limits=limits_of(found),
        brief_limits=brief.limits_of(found),
        snapshot_max_chars=found.snapshot_max_chars,
        search_options=SearchOptions(
            embedder=embedder,
            fusion=found.recall_fusion,
            embed_timeout_s=found.recall_embed_timeout_s,
        ),
        index_mb=found.recall_index_mb,
        roles=load_roles(found.home),
        lesson_choice=found.role_lessons,
        learning_enabled=found.learning_enabled,
        methodology_top_k=found.methodology_top_k,
        due_work=due_work,
    )
    if due_work is not None:
        due_work.begin()
        opened.callback(due_work.close)
    return door


def _due_work(settings: "Settings", store: Store) -> DueWork | None:
    """Return what sees to the due work of a group; None if that is left to others."""
    if not settings.autostart or settings.redis_url:
        return None  # with a Redis server an operator runs workers
    from afterword.pipeline.settings import variables_of

    begin = partial(start, settings.home, variables_of(settings))
    return DueWork(store, settings.home, system_clock, monotonic, begin)


def _embedder(settings: "Settings", stores: Stores) -> "MeteredEmbedder | None":
    """Return the embedder of an agent's queries, paid from its budget; None while disabled."""
    if settings.embedding_provider == "disabled":
        return None  # neither the services nor the budget are imported then
    from afterword.pipeline.gateway.budget import Budget, caps_of
    from afterword.pipeline.gateway.embedding.build import build_embedder

    budget = Budget(stores.instance, caps_of(settings), system_clock, random_uid)
    timeout_s = settings.recall_embed_timeout_s
    return build_embedder(
        settings, stores.instance, budget, system_clock, category="agent", timeout_s=timeout_s
    )
