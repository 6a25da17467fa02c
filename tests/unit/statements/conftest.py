"""Chats, and the rebuild that reads them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.domain.memory.model import Memory
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.rebuilds.kinds import REBUILDS
from afterword.pipeline.domain.rebuilds.model import RebuildReport
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.rebuilds.rebuild import run_rebuild
from afterword.pipeline.domain.sessions.model import Turn
from afterword.pipeline.domain.sessions.sessions import begin_session, in_session
from afterword.pipeline.domain.sessions.turns import begin_turn, finish_turn
from afterword.pipeline.domain.statements.model import SAYS
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.settings import Settings

MEMORIES = next(rebuild for rebuild in REBUILDS if rebuild.name == "memories")


@dataclass
class Chats:
    """A session of an agent in which its user says something.

    Args:
        talker: writes in the session.
        system: rebuilds.
        mode: of the switch of the model.
    """

    talker: Writer
    system: Writer
    clock: Any
    settings: Settings
    llm: Llm | None = None
    mode: Mode = Mode.ON

    @property
    def store(self) -> Store:
        return self.system.store

    def begin(self, message: str, minutes: float = 10) -> Turn:
        return begin_turn(self.talker, message, busy_for=timedelta(minutes=minutes))

    def finish(self, turn: Turn, reply: str | None = None) -> Turn:
        return finish_turn(self.talker, turn.uid, "succeeded", reply=reply)

    def say(self, *messages: str, reply: str | None = None) -> list[Turn]:
        return [self.finish(self.begin(message), reply) for message in messages]

    def rebuild(self, *, is_forced: bool = True) -> RebuildReport:
        parts = RebuildParts(self.system, self.settings, self.llm, lambda _task: self.mode)
        return run_rebuild(parts, MEMORIES, is_forced=is_forced)

    def about_user(self) -> list[Memory]:
        """Return what stands of the user, oldest first."""
        memories = read_memories(self.store, category="personalization", limit=1000)
        return sorted(memories, key=lambda memory: memory.id)

    def texts(self) -> list[str]:
        return [memory.content.removeprefix(SAYS) for memory in self.about_user()]

    def facts(self) -> list[str]:
        memories = read_memories(self.store, category="fact", limit=1000)
        return [memory.content for memory in sorted(memories, key=lambda memory: memory.id)]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with reading(self.store) as conn:
            return [tuple(row) for row in conn.exec_driver_sql(query)]


@pytest.fixture
def chats(writer, system, clock) -> Chats:
    handle = begin_session(writer).handle
    return Chats(in_session(writer, handle), system, clock, Settings())


@pytest.fixture
def events() -> Iterator[list[dict[str, Any]]]:
    """What readings of chats tell metrics and logs."""
    told: list[dict[str, Any]] = []

    def hear(action: str, facts: Mapping[str, Any]) -> None:
        if action == "chat.statements_read":
            told.append(dict(facts))

    stop = listen(hear)
    yield told
    stop()
