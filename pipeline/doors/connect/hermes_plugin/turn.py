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

Message = Mapping[str, Any]


@dataclass(frozen=True)
class FinishedTurn:
    """What was asked and answered.

    Args:
        number: of the turn in its session; the same words may come twice.
        calls: the tools that it used.
    """

    session: MemorySession
    number: int
    message: str
    reply: str
    calls: Sequence[Mapping[str, Any]]

    @property
    def key(self) -> str:
        """What names the turn: sent twice, it is stored once."""
        words = json.dumps([self.session.name, self.number, self.message, self.reply])
        return f"hermes-turn-{sha256(words.encode()).hexdigest()}"

    def send(self, wire: ServerWire) -> None:
        """Store the turn.

        Raises:
            WireError: the server does not answer, or refuses.
        """
        handle = self.session.begin()
        begun = wire.ask(
            "POST",
            "/v1/turns",
            {"message": self.message[:_MOST_CHARS]},
            session=handle,
            key=self.key,
            in_background=True,
        )
        form = {
            "outcome": "succeeded",
            "reply": self.reply[:_MOST_CHARS],
            "tool_calls": self.calls,
        }
        wire.ask(
            "PATCH",
            f"/v1/turns/{begun['turn']}",
            form,
            session=handle,
            key=f"{self.key}-end",
            in_background=True,
        )


def number_of(messages: Sequence[Message] | None, otherwise: int) -> int:
    """Return the number of the last turn of a conversation."""
    if not messages:
        return otherwise
    return sum(message.get("role") == "user" for message in messages)


def calls_in(messages: Sequence[Message] | None) -> list[dict[str, Any]]:
    """Return the tools that the last turn of a conversation used."""
    turn: list[Message] = []
    for message in reversed(messages or ()):
        if message.get("role") == "user":
            break
        turn.insert(0, message)
    results = {
        message.get("tool_call_id"): message.get("content")
        for message in turn
        if message.get("role") == "tool"
    }
    calls = [call for message in turn for call in message.get("tool_calls") or ()]
    return [
        {
            "name": str(call["function"]["name"]),
            "arguments": _arguments(call["function"].get("arguments")),
            "succeeded": not _is_error(results.get(call.get("id"))),
        }
        for call in calls[:_MOST_CALLS]
        if isinstance(call, Mapping) and (call.get("function") or {}).get("name")
    ]


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
