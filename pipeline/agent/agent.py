"""One agent in one session: what it may ask of its memory, a method for each tool."""

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta
from types import TracebackType
from typing import Annotated, Any, Self

from pipeline.agent import model, write
from pipeline.agent.arguments import (
    MOST_TAGS,
    Category,
    Content,
    EntryContent,
    Limit,
    Query,
    ReadLimit,
    Tag,
    Type,
    checked,
    told,
)
from pipeline.agent.model import Brief, Found, Remembered, Stored
from pipeline.budget import Budget, caps_of
from pipeline.clock import Clock, system_clock
from pipeline.embedding.build import build_embedder
from pipeline.embedding.metered import MeteredEmbedder
from pipeline.embedding.model import Embedder
from pipeline.ids import IdSource, random_uid
from pipeline.memory.read import read_memories
from pipeline.memory.user_profile import read_profile
from pipeline.recall import brief
from pipeline.recall.asking import PATIENCE_S
from pipeline.recall.brief import BriefLimits, read_brief, start_brief
from pipeline.recall.model import Fusion
from pipeline.recall.page import Pages
from pipeline.recall.search import search
from pipeline.recall.snapshot import MAX_CHARS, start_snapshot
from pipeline.recall.vectors import VectorIndex
from pipeline.sessions.model import Limits, Outcome, ToolCall, limits_of
from pipeline.sessions.sessions import begin_session, end_session, find_session
from pipeline.sessions.turns import BUSY_FOR, begin_turn, finish_turn
from pipeline.settings import Settings, load
from pipeline.store import Shelf, Store, options_of, reading
from pipeline.text.masking import mask

CONVERSATION = "personalization"
"""The category on-demand recall of the user is bound to (R3)."""


class Agent:
    """The memory of one agent, in one session of one group.

    Three lines are enough::

        from pipeline.agent import Agent
        with Agent.open("main") as agent:
            agent.memory_store("preference", "Prefers weekly charts")

    What a method returns is frozen and plain: `dataclasses.asdict` makes JSON of it. Every method
    that writes does so in one transaction, counted against the session's limits. Threads may
    share an agent.

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
    ) -> None:
        with reading(store) as conn:
            self.session = find_session(conn, handle).uid
        self.group, self.handle = store.name, handle
        self._store, self._clock, self._ids = store, clock, ids
        self._brief_limits, self._snapshot_chars = brief_limits, snapshot_max_chars
        self._writer = write.Writer(store, handle, clock, ids, limits, embedder is not None)
        self._embedder, self._index = embedder, index or VectorIndex()
        self._fusion, self._patience_s = fusion, patience_s
        self._pages = Pages(store, clock)
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
            InvalidInputError: a setting or the group's name is wrong.
            NotFoundError: the handle was not issued in this group, or there is no such group.
        """
        found = load(group=group, **settings)
        with ExitStack() as opened:
            shelf = Shelf(found.home, options_of(found), system_clock, random_uid)
            opened.callback(shelf.close)
            store = shelf.group(found.group, create=session is None)
            handle = session
            if handle is None:
                handle = begin_session(store, system_clock, random_uid, label).handle
                opened.callback(end_session, store, handle, system_clock)
            embedder = _embedder(found, shelf)
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

    @checked
    def memory_write(
        self,
        category: Category,
        content: Content,
        metadata: Annotated[dict[str, Any] | None, told("An object kept with it.")] = None,
    ) -> Stored:
        """Remember one thing; a `fact` is deduplicated and consolidated in the background.

        Args:
            category: one of R1's, such as `observation` or `lesson`.
            content: up to 100,000 characters; 2,000 for a fact.
            metadata: a JSON object kept with it; nothing in it is believed.

        Raises:
            InvalidInputError: an argument is wrong, or the session has ended.
            BudgetExceededError: the session has no more stores.
        """
        return write.write(self._writer, category, content, {} if metadata is None else metadata)

    @checked
    def memory_store(
        self,
        type: Type,
        content: EntryContent,
        tags: Annotated[Sequence[Tag], told("Words to find it by.", **MOST_TAGS)] = (),
        supersedes: Annotated[str | None, told("Id of the entry this one replaces.")] = None,
    ) -> Stored:
        """Remember a typed entry.

        Args:
            type: `preference`, `fact`, `instruction`, `context` or `correction`.
            content: up to 2,000 characters.
            tags: up to 10 of up to 50 characters.
            supersedes: id of the entry this one replaces; not one the owner said.

        Raises:
            InvalidInputError: an argument is wrong, or the session has ended.
            NotFoundError: there is no entry to supersede.
            ConflictError: it was superseded before.
            BudgetExceededError: the session has no more stores, or supersedes.
        """
        return write.store_entry(self._writer, type, content, tags, supersedes)

    @checked
    def memory_delete(self, id: Annotated[str, told("Id of the entry.")]) -> None:
        """Delete an entry; its owner can restore it for thirty days.

        Args:
            id: of a typed entry, not one the owner said.

        Raises:
            InvalidInputError: it is not the agent's to delete, or the session has ended.
            NotFoundError: there is no such entry, or it is deleted already.
            BudgetExceededError: the session has no more deletes.
        """
        write.delete_entry(self._writer, id)

    @checked
    def memory_read(
        self,
        category: Annotated[Category | None, told("Only memories of this category.")] = None,
        limit: ReadLimit = 20,
        *,
        as_of: datetime | None = None,
    ) -> list[Remembered]:
        """Return what was remembered last, newest first; of one category, or of all.

        Raises:
            InvalidInputError: no such category, or a limit out of 1..1000.
        """
        rows = read_memories(self._store, category, limit, as_of=as_of)
        return [model.remembered(row, self.group) for row in rows]

    @checked
    def memory_search(
        self,
        query: Query = "",
        limit: Limit = 20,
        *,
        category: Annotated[Category | None, told("Only memories of this category.")] = None,
        type: Annotated[Type | None, told("Only entries of this type.")] = None,
        tags: Annotated[Sequence[Tag], told("Only what has all of these tags.")] = (),
        session: Annotated[str | None, told("Only what was written in this session.")] = None,
        include_superseded: Annotated[bool, told("Also what was replaced since.")] = False,
        after: datetime | None = None,
        before: datetime | None = None,
        as_of: datetime | None = None,
    ) -> list[Found]:
        """Return what fits a query, best first; without a query, what was remembered last.

        Args:
            query: any text, or R1's query language; 500 characters are read.
            limit: 1 to 100.
            type: only entries of this type.
            tags: only memories that have all of them.
            session: only what was written in the session of this name.
            include_superseded: also what was replaced since.
            after: only what happened at this moment or later; `before`: only what did earlier.
            as_of: find what stood at this moment.

        Raises:
            InvalidInputError: an argument is wrong; never because of the query.
        """
        hits = search(
            self._store,
            query,
            limit=limit,
            category=category,
            type=type,
            tags=tags,
            session_id=session,
            after=after,
            before=before,
            include_superseded=include_superseded,
            as_of=as_of,
            fusion=self._fusion,
            embedder=self._embedder,
            index=self._index,
            patience_s=self._patience_s,
        )
        return [model.found(hit, self.group) for hit in hits]

    @checked
    def search_conversation_memory(self, query: Query, limit: Limit = 10) -> list[Found]:
        """Return what is known about the user that fits a query: `personalization` only (R3).

        Raises:
            InvalidInputError: a limit out of 1..100.
        """
        return self.memory_search(query, limit, category=CONVERSATION)

    @checked
    def memory_brief(
        self,
        include_provenance: Annotated[bool, told("Tell where each entry comes from.")] = False,
        *,
        as_of: datetime | None = None,
    ) -> Brief:
        """Return the current entries as a brief, this session's own among them.

        Args:
            include_provenance: tell of each entry where it comes from.
        """
        made = read_brief(
            self._store,
            self._clock,
            self._brief_limits,
            include_provenance=include_provenance,
            as_of=as_of,
        )
        return model.brief(made)

    @checked
    def memory_compiled_page(
        self,
        asset: Annotated[str, told("A symbol such as BTC or EUR/USD, or a name.")],
        include_hard_constraints: Annotated[bool, told("With the rules that always hold.")] = True,
    ) -> str:
        """Return all that is known about an asset, as one page.

        Args:
            asset: a symbol in any form, such as `BTC` or `EUR/USD`, or a name.

        Raises:
            InvalidInputError: an asset of no known class.
        """
        return self._pages.page(asset, include_hard_constraints=include_hard_constraints)

    @checked
    def profile_read(self, *, as_of: datetime | None = None) -> dict[str, str]:
        """Return the user's profile: stable facts by name, such as the risk tolerance."""
        values = read_profile(self._store, as_of)
        return {mask(key): mask(value) for key, value in values.items()}

    @checked
    def profile_set(self, key: str, value: str) -> None:
        """Set a value of the profile; for the program around a model, not a tool of the model's.

        It stands in every later prompt without a date or a source, so a page a model read must
        not come to write it.

        Args:
            key: up to 64 characters.
            value: up to 2,000 characters.

        Raises:
            InvalidInputError: an argument is wrong, or the session has ended.
            BudgetExceededError: the session has no more stores.
        """
        write.set_profile(self._writer, key, value)

    def snapshot(self) -> str:
        """Return the block this session's prompt starts with: the same bytes all its life."""
        most = self._snapshot_chars
        return start_snapshot(self._store, self.handle, self._clock, max_chars=most)

    def start_brief(self) -> str | None:
        """Return the brief this session starts with, the same all its life.

        Returns:
            The block; None if it failed or was late: an agent starts without it then.
        """
        return start_brief(self._store, self.handle, self._clock, self._brief_limits)

    @checked
    def begin_turn(self, message: str, *, busy_for: timedelta = BUSY_FOR) -> str:
        """Say that the agent is at work on a message, and return the turn's id.

        Args:
            busy_for: after how long the turn counts as abandoned.
        """
        turn = begin_turn(
            self._store, self.handle, message, self._clock, self._ids, busy_for=busy_for
        )
        return turn.uid

    @checked
    def finish_turn(
        self,
        turn: str,
        outcome: Outcome,
        *,
        reply: str | None = None,
        tool_calls: Sequence[ToolCall] = (),
    ) -> None:
        """Say how a turn went: `succeeded` or `failed`.

        Raises:
            NotFoundError: this session has no such turn.
            ConflictError: it is finished already, and otherwise.
        """
        finish_turn(
            self._store,
            self.handle,
            turn,
            outcome,
            self._clock,
            reply=reply,
            tool_calls=tool_calls,
        )

    def end(self) -> None:
        """End the session: nothing more is written in it. Repeated, it changes nothing."""
        end_session(self._store, self.handle, self._clock)


def _embedder(settings: Settings, shelf: Shelf) -> MeteredEmbedder | None:
    """Return what embeds an agent's questions, at the agent's cost."""
    budget = Budget(shelf.instance, caps_of(settings), system_clock, random_uid)
    timeout_s = settings.recall_embed_timeout_s
    return build_embedder(
        settings, shelf.instance, budget, system_clock, category="agent", timeout_s=timeout_s
    )
