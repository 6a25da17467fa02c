"""A model service on loopback with OpenAI's Chat Completions, which answers as it is told."""

import json
from collections import deque
from collections.abc import Mapping
from typing import Any

from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    FaultyServer,
    Reply,
    RequestTurn,
    answer,
)


class ChatServer(FaultyServer[Reply]):
    """A model that says one message after the other; use it as a context manager.

    Args:
        messages: what it says, from `says_text` and `calls_function`.
    """

    def __init__(self, *messages: Reply) -> None:
        super().__init__("/v1/chat/completions")
        self._messages = deque(messages)

    def read(self, headers: Mapping[str, str], sent: Reply) -> Reply:  # noqa: ARG002
        """Return the body of a request."""
        return sent

    def decode(self, method: str, path: str, body: bytes) -> Reply:
        """Return what a request sends; a client also looks which models there are."""
        return super().decode(method, path, body or b"{}")

    def add(self, *messages: Reply) -> None:
        """Say these as well."""
        self._messages.extend(messages)

    def unscripted(self) -> Behaviour:
        """Answer, as a stream to who asks for one."""
        return complete

    def work(self, asked: Reply) -> Reply:
        """Return the next message as a completion."""
        message = self._messages.popleft()
        stop = "tool_calls" if "tool_calls" in message else "stop"
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": asked["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": stop}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }


def complete(turn: RequestTurn[Any]) -> None:
    """Answer with the next message, as a stream to who asks for one."""
    if not turn.asked.get("stream"):
        answer(turn)
        return
    reply = turn.work()
    choice = reply["choices"][0]
    delta = dict(choice["message"])
    if "tool_calls" in delta:
        delta["tool_calls"] = [
            {"index": number, **call} for number, call in enumerate(delta["tool_calls"])
        ]
    head = {name: reply[name] for name in ("id", "created", "model")}
    head["object"] = "chat.completion.chunk"
    told = {"index": 0, "delta": delta, "finish_reason": None}
    ended = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    chunks = [
        {**head, "choices": [told]},
        {**head, "choices": [ended]},
        {**head, "choices": [], "usage": reply["usage"]},
    ]
    lines = [*map(json.dumps, chunks), "[DONE]"]
    body = "".join(f"data: {line}\n\n" for line in lines)
    turn.send(200, body.encode(), Content_Type="text/event-stream")


def says_text(text: str) -> Reply:
    """Return a message in prose."""
    return {"role": "assistant", "content": text}


def calls_function(name: str, **arguments: object) -> Reply:
    """Return a message that calls a function of the caller's."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"call_{name}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}
