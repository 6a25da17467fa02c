"""The messages of one client over stdin and stdout: a line each.

The SDK's own transport drops a line that it cannot read, so its sender waits for ever, and a
signal cannot end it while it waits for a line. This one answers such a line, and can be cancelled.
"""

import asyncio
import json
import os
import re
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar

import anyio
import anyio.abc
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
)
from mcp_types import jsonrpc_message_adapter as adapter

from afterword.pipeline.rules.masking import mask

MAX_MESSAGE_BYTES: Final = 16 << 20
"""Bytes of one message. The largest object that a tool accepts has 400,000 characters, of up to 12
bytes each."""

MAX_MESSAGE_VALUES: Final = 250_000
"""Values of one message: each takes hundreds of bytes once it is read. The largest object that a
tool accepts has some 200,000."""

_TOKEN: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|,', re.DOTALL)
"""A text, or the comma between two values."""

_ID: Final = rb'"id"\s*:\s*(-?\d{1,18}|"[^"\\]{0,100}")\s*'
_VERSION: Final = rb'"jsonrpc"\s*:\s*"2\.0"\s*'
_FIRST_ID: Final = re.compile(rb"\s*\{\s*(?:" + _VERSION + rb",\s*)?" + _ID + rb",")
_LAST_ID: Final = re.compile(_ID + rb"(?:,\s*" + _VERSION + rb")?\}\s*\Z")
"""The id of a message where clients write it: before or behind all else."""

_CHUNK: Final = 1 << 16

_Result = TypeVar("_Result")
Messages = tuple[
    MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]
]


class StandardStreams:
    """The two streams of this process, taken so that nothing else reads or writes them.

    From then on a `print` of any code goes to stderr, and reading stdin finds its end.
    """

    def __init__(self) -> None:
        sys.stdout.flush()
        self.incoming, self.outgoing = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)


@asynccontextmanager
async def messages(streams: StandardStreams) -> AsyncIterator[Messages]:
    """Carry messages until the client closes one of the streams.

    Yields:
        The messages of the client, and where answers are sent.
    """
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception]()
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage]()
    async with anyio.create_task_group() as group:
        group.start_soon(_receive, streams.incoming, to_server, to_client.clone())
        group.start_soon(_send, streams.outgoing, from_server, group.cancel_scope)
        async with to_client:
            yield from_client, to_client
        group.cancel_scope.cancel()


async def _receive(
    descriptor: int,
    to_server: MemoryObjectSendStream[SessionMessage | Exception],
    to_client: MemoryObjectSendStream[SessionMessage],
) -> None:
    async with to_server, to_client:
        async for line in _lines(descriptor):
            message = read_message(line)
            if isinstance(message, JSONRPCError):
                await to_client.send(SessionMessage(message))
            else:
                await to_server.send(SessionMessage(message))


async def _send(
    descriptor: int,
    from_server: MemoryObjectReceiveStream[SessionMessage],
    whole: anyio.CancelScope,
) -> None:
    async with from_server:
        async for sent in from_server:
            try:
                message = sent.message
                if isinstance(message, JSONRPCError):  # the SDK repeats what it does not know
                    error = ErrorData(code=message.error.code, message=mask(message.error.message))
                    message = message.model_copy(update={"error": error})
                text = message.model_dump_json(by_alias=True, exclude_unset=True)
                await _blocking(_write_whole, descriptor, f"{text}\n".encode())
            except OSError:  # the client is gone
                whole.cancel()


async def _lines(descriptor: int) -> AsyncIterator[bytes]:
    """Yield the lines of a stream; of a line that is too long, `MAX_MESSAGE_BYTES` + 1 bytes."""
    held = b""
    while chunk := await _blocking(os.read, descriptor, _CHUNK):
        first, *others = chunk.split(b"\n")
        if len(held) <= MAX_MESSAGE_BYTES:
            held = (held + first)[: MAX_MESSAGE_BYTES + 1]
        for other in others:
            if held.strip():
                yield held
            held = other
    if held.strip():
        yield held


def read_message(line: bytes) -> JSONRPCMessage:
    """Return the message of a line, or the error to answer it with if it holds none.

    Args:
        line: if longer than `MAX_MESSAGE_BYTES`, it was cut.
    """
    if len(line) > MAX_MESSAGE_BYTES:
        return _unreadable(
            PARSE_ERROR, f"a message has at most {MAX_MESSAGE_BYTES} bytes", _outer_id(line)
        )
    if _has_too_many_values(line):
        problem = f"a message has at most {MAX_MESSAGE_VALUES} values"
        return _unreadable(INVALID_REQUEST, problem, _outer_id(line))
    try:
        message = adapter.validate_json(line, by_name=False)
    except ValueError:
        pass
    else:
        # What has an id of another type counts as a notification, which nobody would answer.
        if isinstance(message, JSONRPCNotification) and "id" in json.loads(line):
            return _unreadable(INVALID_REQUEST, "id: must be text or a whole number")
        return message
    # Some clients send half a surrogate pair of a cut text; the tool then refuses it by name.
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return _unreadable(PARSE_ERROR, "the line is not JSON")
    try:
        message = adapter.validate_python(value, by_name=False)
        f"{getattr(message, 'id', '')} {getattr(message, 'method', '')}".encode()
    except (ValueError, RecursionError):
        return _unreadable(INVALID_REQUEST, "the line is not a JSON-RPC message")
    return message


def _has_too_many_values(line: bytes) -> bool:
    """Count the commas between values, before any value becomes an object."""
    if line.count(b",") <= MAX_MESSAGE_VALUES:
        return False
    commas = 0
    for token in _TOKEN.finditer(line):
        commas += token.end() - token.start() == 1
        if commas > MAX_MESSAGE_VALUES:
            return True
    return False


def _outer_id(line: bytes) -> int | str | None:
    """Return the id of a message that is not read as a whole; None if it is not where it is sought.

    A client waits for the answer with its id.
    """
    match = _FIRST_ID.match(line) or _LAST_ID.search(line, max(0, len(line) - 256))
    written: int | str | None = match and json.loads(match[1])
    return written


def _unreadable(code: int, message: str, asked: int | str | None = None) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=asked, error=ErrorData(code=code, message=message))


def _write_whole(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


async def _blocking(call: Callable[..., _Result], *args: object) -> _Result:
    """Run a call that may block for ever on a thread that the end of the process does not wait for.

    Cancelled, it leaves the thread behind.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[_Result] = loop.create_future()

    def settle(settling: Callable[[Any], None], value: object) -> None:
        if not done.done():  # it is if the wait was cancelled
            settling(value)

    def run() -> None:
        settling: Callable[[Any], None] = done.set_result
        value: object
        try:
            value = call(*args)
        except OSError as error:
            settling, value = done.set_exception, error
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, settling, value)

    threading.Thread(target=run, daemon=True).start()
    return await done
