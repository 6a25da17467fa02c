"""A finished turn of Hermes, as it is stored."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from .memory_session import MemorySession
from .wire import ServerWire

_MOST_CHARS: Final = 100_000
_MOST_CALLS: Final = 500
_MOST_ARGUMENTS: Final = 100_000

ChatMessage = Mapping[str, Any]


@dataclass(frozen=True)
class FinishedTurn:
    """What was asked and answered.

    Args:
        place: of the turn in its session, as Hermes counts it and as its messages do: the same
            words may come twice, and a compressed conversation has fewer messages.
        calls: the tools that it used.
    """

    session: MemorySession
    place: tuple[int, int]
    message: str
    reply: str
    calls: Sequence[Mapping[str, Any]]

    @property
    def key(self) -> str:
        """What names the turn: sent twice, it is stored once."""
        words = json.dumps([self.session.name, *self.place, self.message, self.reply])
        return f"hermes-turn-{sha256(words.encode()).hexdigest()}"

    def send(self, wire: ServerWire) -> None:
        """Store the turn.

        Raises:
            WireError: the server does not answer, or refuses.
        """
        handle = self.session.begin()
        turn = wire.ask(
            "POST",
            "/v1/turns",
            {"message": self.message[:_MOST_CHARS]},
            session=handle,
            key=self.key,
            wanted="turn",
            in_background=True,
        )
        form = {
            "outcome": "succeeded",
            "reply": self.reply[:_MOST_CHARS],
            "tool_calls": self.calls,
        }
        wire.ask(
            "PATCH",
            f"/v1/turns/{turn}",
            form,
            session=handle,
            key=f"{self.key}-end",
            in_background=True,
        )


def turns_in(messages: Sequence[ChatMessage] | None) -> int:
    """Return how many turns a conversation has."""
    return sum(message.get("role") == "user" for message in messages or ())


def calls_in(messages: Sequence[ChatMessage] | None) -> list[dict[str, Any]]:
    """Return the tools that the last turn of a conversation used.

    Arguments are left out past so many characters: a turn that wrote files is still one request.
    """
    turn: list[ChatMessage] = []
    for message in reversed(messages or ()):
        if message.get("role") == "user":
            break
        turn.insert(0, message)
    results = {
        message.get("tool_call_id"): message.get("content")
        for message in turn
        if message.get("role") == "tool"
    }
    calls, room = [], _MOST_ARGUMENTS
    for call in [call for message in turn for call in message.get("tool_calls") or ()]:
        function = call.get("function") or {} if isinstance(call, Mapping) else {}
        if not function.get("name"):
            continue
        text = str(function.get("arguments") or "")
        room -= len(text)
        calls.append(
            {
                "name": str(function["name"]),
                "arguments": _arguments(text) if room >= 0 else {},
                "succeeded": not _is_error(results.get(call.get("id"))),
            }
        )
    return calls[:_MOST_CALLS]


def _arguments(text: Any) -> dict[str, Any]:
    arguments = _parsed(text)
    return dict(arguments) if isinstance(arguments, Mapping) else {}


def _is_error(text: Any) -> bool:
    answer = _parsed(text)
    return isinstance(answer, Mapping) and bool(answer.get("error"))


def _parsed(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return None
