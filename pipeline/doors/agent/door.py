"""The parts behind an agent's tools: its session in a group, and the options its tools use."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property, partial
from threading import Condition
from typing import TYPE_CHECKING, Any

from afterword.pipeline.areas import AREAS
from afterword.pipeline.clock import monotonic, system_clock
from afterword.pipeline.core.jobs.autostart import start
from afterword.pipeline.core.store import Store, Stores, options_of
from afterword.pipeline.core.store.names import checked_group_in
from afterword.pipeline.domain.learnings.model import LearningRules, rules_of
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.patterns.ageing import UNPLAYED_DAYS
from afterword.pipeline.domain.sessions.model import Limits, limits_of
from afterword.pipeline.domain.sessions.sessions import (
    begin_daily,
    end_session,
    follow_daily,
    in_session,
)
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.domain.workspace.source import WorkspaceSource, source_of
from afterword.pipeline.doors.agent.due_work import DueWork, DueWorkElsewhere
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.prompts import limits as prompt_limits
from afterword.pipeline.recall.prompts.limits import MAX_CHARS, BriefLimits
from afterword.pipeline.recall.search.options import SearchOptions

if TYPE_CHECKING:
    from afterword.pipeline.domain.workspace.model import KeptWorkspace
    from afterword.pipeline.gateway.embedding.metered import MeteredEmbedder
    from afterword.pipeline.recall.page.compile import Pages
    from afterword.pipeline.recall.prompts.prompt_lessons import LessonChoice
    from afterword.pipeline.recall.prompts.turn_choice import TurnModel
    from afterword.pipeline.recall.search.vectors import VectorIndex
    from afterword.pipeline.settings import Settings


class Door:
    """The parts that the tools of one agent use, in one session of one group at a time.

    Args:
        by: the agent as a writer of the group. Where it is from `begin_daily`, a new session
            follows each day.
        handle: the session's key, from `begin_session`.
        limits: how much may be written in one session.
        brief_limits: how much a brief contains, and how long a start waits for one.
        snapshot_max_chars: characters of a snapshot at most.
        search_options: the options of the agent's searches.
        index_mb: most memory that the vector index may use in this process; MiB.
        roles: the roles in which the agent records decisions; None for no roles.
        lesson_choice: what of past decisions its prompts show.
        lesson_holdout: the share of prompts that go without a pattern; see `tell_lessons`.
        unplayed_days: when a failing pattern that nobody tests leaves its prompts; see `Ageing`.
        learning_enabled: whether methodologies are added and suggested.
        methodology_top_k: methods of a suggestion at most.
        institution_enabled: whether runs of several roles are captured.
        learning_rules: how it learns from turns.
        workspace: the folder of the files that its prompts begin with; None for none.
        gates_tags: whether a turn gets the tags that it needs, beside the core of a session.
        find_turn_model: returns the model that is asked which these are; None for the rules.
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
        lesson_choice: "LessonChoice" = "confirmed",
        lesson_holdout: float = 0.0,
        unplayed_days: int = UNPLAYED_DAYS,
        learning_enabled: bool = True,
        methodology_top_k: int = 3,
        institution_enabled: bool = False,
        learning_rules: LearningRules = LearningRules(),  # noqa: B008  # frozen
        workspace: WorkspaceSource | None = None,
        gates_tags: bool = False,
        find_turn_model: "Callable[[], TurnModel | None]" = lambda: None,
        due_work: DueWork | DueWorkElsewhere | None = None,
    ) -> None:
        self.writer, self.handle = in_session(by, handle), handle
        self.store, self.clock = by.store, by.clock
        self._running, self._gate = 0, Condition()
        self.limits, self.brief_limits = limits, brief_limits
        self.snapshot_max_chars = snapshot_max_chars
        self.roles = RoleRegistry(()) if roles is None else roles
        self.lesson_choice: LessonChoice = lesson_choice
        self.lesson_holdout, self.unplayed_days = lesson_holdout, unplayed_days
        self.learning_enabled, self.methodology_top_k = learning_enabled, methodology_top_k
        self.institution_enabled = institution_enabled
        self.learning_rules = learning_rules._replace(
            is_enabled=learning_rules.is_enabled and learning_enabled
        )
        self.workspace, self._has_bootstrap = workspace, False
        self.gates_tags, self.find_turn_model = gates_tags, find_turn_model
        self._search_options, self._index_mb = search_options, index_mb
        self._due_work = due_work

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Run one call of a tool: in the session of the day, which stays until the call is over."""
        with self._gate:
            if self._is_over():
                # A call that writes in the session now must not find that it has ended.
                self._gate.wait_for(lambda: not self._running)
            if self._is_over() and (following := follow_daily(self.writer)):
                self.end_bootstrap()
                self.writer, self.handle = following
            self._running += 1
        try:
            yield
        finally:
            with self._gate:
                self._running -= 1
                self._gate.notify_all()
            if self._due_work is not None:
                self._due_work.look()  # after the work that the call left

    def end(self) -> None:
        """End the session: nothing more is written in it. Repeated, it changes nothing."""
        self.end_bootstrap()
        end_session(self.writer)

    def end_bootstrap(self) -> None:
        """End the one turn in which the session's prompt has BOOTSTRAP.md; see `end_bootstrap`."""
        if self.workspace is not None and self._has_bootstrap:
            from afterword.pipeline.recall.workspace.bootstrap import end_bootstrap

            end_bootstrap(self.writer, self.workspace)
            self._has_bootstrap = False

    def start_workspace(self) -> "KeptWorkspace | None":
        """Return what the session's prompt has of the workspace; None for an agent without one."""
        if self.workspace is None:
            return None
        # Imported here: it loads the rules of masking and of the scan, for which no start waits.
        from afterword.pipeline.recall.workspace.start import start_workspace

        kept = start_workspace(self.store, self.handle, self.workspace, self.clock)
        self._has_bootstrap = bool(kept.bootstrap)
        return kept

    def _is_over(self) -> bool:
        next_at = self.writer.next_session_at
        return next_at is not None and next_at <= self.clock()

    @property
    def start_choice(self) -> "LessonChoice":
        """What of past decisions a text shows that is made for no single decision."""
        # Imported here: it loads the rules of patterns, for which no start waits.
        from afterword.pipeline.recall.prompts.prompt_lessons import choice_at_start

        return choice_at_start(self.lesson_choice, self.lesson_holdout)

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
            self.store, self.clock, sections_of(AREAS, self.start_choice), self._say_who_works
        )

    def _say_who_works(self) -> str:
        """Return what a model can do about memories that are not on a page yet."""
        from afterword.pipeline.domain.edges.read import ASK_AGAIN, OWNER_STARTS  # see `pages`

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

    if (config := settings.pop("config", None)) is not None:
        from afterword.pipeline.doors.agent.plugin import settings_of_host

        settings = settings_of_host(config) | settings
    configured = load(group=group, **settings)
    checked_group_in(configured.home, configured.group)  # before any folder is made
    stores = Stores(configured.home, options_of(configured), system_clock, random_uid)
    opened.callback(stores.close)
    store = stores.group(configured.group, create=session is None)
    embedder = query_embedder(configured, stores)
    if embedder is not None:
        opened.callback(embedder.close)
    find_turn_model = turn_model_of(opened, configured, stores)
    roles = load_roles(configured.home)
    by, handle = Writer(store, system_clock, random_uid, embeds=embedder is not None), session
    if handle is None:
        by, handle = begin_daily(by, label)
    due_work = due_work_of(configured, store)
    door = build_door(
        configured, by, handle, embedder, roles, due_work, find_turn_model=find_turn_model
    )
    if session is None:
        opened.callback(door.end)
    if due_work is not None:
        due_work.begin()
        opened.callback(due_work.close)
    return door


def build_door(
    configured: "Settings",
    by: Writer,
    handle: str,
    embedder: "MeteredEmbedder | None",
    roles: RoleRegistry,
    due_work: DueWork | DueWorkElsewhere | None = None,
    index: "VectorIndex | None" = None,
    *,
    find_turn_model: "Callable[[], TurnModel | None]",
) -> Door:
    """Build the parts of an agent from settings.

    Args:
        by: the agent as a writer of its group.
        handle: of its session.
        index: the vector index that agents of one group share; one of its own if None.
        find_turn_model: finds the model that says which tags a turn needs.
    """
    return Door(
        by,
        handle,
        limits=limits_of(configured),
        brief_limits=prompt_limits.limits_of(configured),
        snapshot_max_chars=configured.snapshot_max_chars,
        search_options=SearchOptions(
            embedder=embedder,
            index=index,
            fusion=configured.recall_fusion,
            embed_timeout_s=configured.recall_embed_timeout_s,
        ),
        index_mb=configured.recall_index_mb,
        roles=roles,
        lesson_choice=configured.role_lessons,
        lesson_holdout=configured.lesson_holdout,
        unplayed_days=configured.pattern_unplayed_days,
        learning_enabled=configured.learning_enabled,
        methodology_top_k=configured.methodology_top_k,
        institution_enabled=configured.institution_learning_enabled,
        learning_rules=rules_of(configured),
        workspace=source_of(configured),
        gates_tags=configured.chat_intent_gating_enabled,
        find_turn_model=find_turn_model,
        due_work=due_work,
    )


def due_work_of(settings: "Settings", store: Store) -> DueWork | None:
    """Return what sees to the due work of a group; None if that is left to others."""
    if not settings.autostart or settings.redis_url:
        return None  # with a Redis server an operator runs workers
    from afterword.pipeline.settings import variables_of

    begin = partial(start, settings.home, variables_of(settings))
    return DueWork(store, settings.home, system_clock, monotonic, begin)


def turn_model_of(
    opened: ExitStack, settings: "Settings", stores: Stores
) -> "Callable[[], TurnModel | None]":
    """Return what finds the model that says which tags a turn needs."""
    if not settings.chat_intent_gating_enabled or settings.chat_intent_judge == "rules":
        return lambda: None
    # Imported here: it loads what asks a model, which few agents do.
    from afterword.pipeline.doors.agent.turn_model import TurnModels

    models = TurnModels(settings, stores, system_clock, random_uid)
    opened.callback(models.close)
    return models.find


def query_embedder(settings: "Settings", stores: Stores) -> "MeteredEmbedder | None":
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
