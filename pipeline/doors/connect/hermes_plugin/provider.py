"""The memory provider that Hermes calls; nothing that it does makes a turn fail."""

import json
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, Final

from .memory_session import MemorySession
from .recall import LEAST_RELEVANCE, MOST_FOUND, recalled
from .turn import ChatMessage, FinishedTurn, calls_in, turns_in
from .who import connected, user_of
from .wire import DEADLINE_S, ServerWire, WireError

try:
    from agent.memory_provider import MemoryProvider
except ImportError:  # outside of Hermes
    MemoryProvider = object

_LOG: Final = logging.getLogger(__name__)
_HERE: Final = Path(__file__).parent

CONNECTIONS: Final = "connections"
"""The folder beside this file with a token for each user."""

_MOST_QUERY: Final = 500
_MOST_ENTRY: Final = 2_000
_MOST_WAITING: Final = 100
"""Writes that wait for a server that is away; of more, the oldest are lost (count)."""

_TYPES: Final = {"user": "fact", "memory": "context"}
"""Types of entries, by the file of Hermes' own memory tool."""

_FOREIGN: Final = frozenset({"subagent", "cron", "flush", "background_review"})
"""Where words come from that nobody typed or saw."""


class AfterwordProvider(MemoryProvider):  # type: ignore[misc]  # known in Hermes only
    """Recalls with each message, stores each finished turn, and offers the tools of the memory.

    Args:
        folder: with the files that `afterword connect` wrote.
        deadline_s: the longest that a turn waits for an answer; seconds.
    """

    def __init__(self, folder: Path = _HERE, deadline_s: float = DEADLINE_S) -> None:
        self._folder, self._deadline_s = folder, deadline_s
        self._wire: ServerWire | None = None
        self._session: MemorySession | None = None
        self._is_begun = False
        self._turn = 0
        self._waiting: deque[Callable[[ServerWire], None]] = deque(maxlen=_MOST_WAITING)
        self._sending = Lock()

    @property
    def name(self) -> str:
        """Our name in `memory.provider`."""
        return "afterword"

    def is_available(self) -> bool:
        """Return whether anybody was connected; the server is not asked."""
        return any((self._folder / CONNECTIONS).glob("*.json"))

    def initialize(self, session_id: str, **facts: Any) -> None:
        """Begin a session, if it is one person's who was connected."""
        user = user_of(facts)
        self._is_begun = True
        self._wire = None
        if user is not None:
            self._wire = connected(self._folder / CONNECTIONS, user, self._deadline_s)
        self._session = None if self._wire is None else MemorySession(self._wire, session_id)

    def system_prompt_block(self) -> str:
        """Return how to use the memory and what it holds: the same bytes through a session."""
        return "" if self._session is None else self._session.block(self._read("instructions.md"))

    def prefetch(self, query: str, *, session_id: str = "", **_more: Any) -> str:
        """Return what is remembered about a message; nothing if the server is away."""
        if self._wire is None or self._session is None or not query.strip():
            return ""
        wanted = {
            "query": query[:_MOST_QUERY],
            "limit": MOST_FOUND,
            "min_relevance": LEAST_RELEVANCE,
        }
        try:
            return recalled(self._call("memory_search", wanted))
        except WireError as error:
            _LOG.info("nothing recalled: %s", error)
            return ""

    def on_turn_start(self, turn_number: int, message: str, **_more: Any) -> None:
        """Know the number of the turn."""
        self._turn = turn_number

    def sync_turn(
        self,
        user_content: str,
        assistant_content: str,
        *,
        session_id: str = "",
        messages: Sequence[ChatMessage] | None = None,
        **_more: Any,
    ) -> None:
        """Store a finished turn; Hermes calls this in the background."""
        if self._session is None or not user_content.strip():
            return
        turn = FinishedTurn(
            self._session,
            (self._turn, turns_in(messages)),
            user_content,
            assistant_content,
            calls_in(messages),
        )
        self._waiting.append(turn.send)
        self._send_waiting()

    def on_memory_write(
        self,
        action: str,
        target: str,
        content: str,
        metadata: Mapping[str, Any] | None = None,
        **_more: Any,
    ) -> None:
        """Keep what Hermes' own memory tool added; it is stored with the turn."""
        session, facts = self._session, metadata or {}
        origins = {facts.get("write_origin"), facts.get("execution_context")}
        if session is None or action != "add" or not content.strip() or origins & _FOREIGN:
            return
        entry = {"type": _TYPES.get(target, "context"), "content": content[:_MOST_ENTRY]}
        named = sha256(json.dumps([session.name, target, content]).encode()).hexdigest()

        def send(wire: ServerWire) -> None:
            handle, key = session.begin(), f"hermes-entry-{named}"
            path = "/v1/tools/memory_store"
            wire.ask("POST", path, entry, session=handle, key=key, in_background=True)

        self._waiting.append(send)

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        """Return the tools of the memory; none in a session without one."""
        if self._is_begun and self._session is None:
            return []
        schemas: list[dict[str, Any]] = json.loads(self._read("tools.json") or "[]")
        return schemas

    def handle_tool_call(self, tool_name: str, args: Mapping[str, Any], **_more: Any) -> str:
        """Run a tool; return its answer, or the refusal, as JSON."""
        try:
            return json.dumps({"result": self._call(tool_name, args or {})}, ensure_ascii=False)
        except WireError as error:
            return json.dumps({"error": str(error)}, ensure_ascii=False)

    def on_session_switch(self, new_session_id: str, *, reset: bool = False, **_more: Any) -> None:
        """Begin another session where another conversation begins; otherwise this one goes on."""
        if reset and self._wire is not None:
            self._turn = 0
            self._session = MemorySession(self._wire, new_session_id)

    def on_session_end(self, messages: Sequence[ChatMessage], **_more: Any) -> None:
        """Send what waits; the session itself stays open, since Hermes may resume it."""
        self._send_waiting(is_last=True)

    def shutdown(self) -> None:
        """Send what waits, once."""
        self._send_waiting(is_last=True)

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        if self._wire is None or self._session is None:
            raise WireError("this session has no memory: its user was not connected")
        handle = self._session.handle
        path = f"/v1/tools/{tool}"
        return self._wire.ask("POST", path, arguments, session=handle, wanted="result")

    def _send_waiting(self, *, is_last: bool = False) -> None:
        """Send the writes that wait, in their order, until the server is away."""
        wire = self._wire
        if wire is None:
            return
        if is_last:
            wire.hurry()
        with self._sending:
            while self._waiting:
                send = self._waiting[0]
                try:
                    send(wire)
                except WireError as error:
                    _LOG.info("not stored: %s", error)
                    if not error.is_final:
                        return
                self._waiting.popleft()

    def _read(self, name: str) -> str:
        try:
            return (self._folder / name).read_text(encoding="utf-8")
        except OSError:
            return ""
