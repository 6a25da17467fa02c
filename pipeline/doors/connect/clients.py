"""The clients that can be connected, each loaded when it is asked for."""

from collections.abc import Mapping
from typing import Final

from afterword.pipeline.core.area import load
from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.doors.connect.model import ClientPlug

_ROOM: Final = "afterword.pipeline.doors.connect"

CLIENTS: Final[Mapping[str, str]] = {
    "hermes": f"{_ROOM}.hermes:HERMES",
    "claude-code": f"{_ROOM}.mcp_file:CLAUDE_CODE",
    "cursor": f"{_ROOM}.mcp_file:CURSOR",
    "mcp": f"{_ROOM}.any_mcp:ANY_MCP",
    "openclaw": f"{_ROOM}.openclaw:OPENCLAW",
}
"""Dotted names of the clients, by the word of the command."""


def client_of(name: str) -> ClientPlug:
    """Return a client.

    Raises:
        InvalidInputError: no client has this name.
    """
    check_word(name, sorted(CLIENTS), "client")
    client: ClientPlug = load(CLIENTS[name])
    return client
