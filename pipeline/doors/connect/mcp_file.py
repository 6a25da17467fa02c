"""MCP clients that read one JSON file of servers: the entry of ours starts `afterword mcp`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from afterword.pipeline.doors.agent.offered import SERVER_NAME
from afterword.pipeline.doors.connect.any_mcp import stdio_server
from afterword.pipeline.doors.connect.config_entry import ConfigEntry
from afterword.pipeline.doors.connect.in_json import JSON_CONFIG
from afterword.pipeline.doors.connect.model import ClientEdit, ConnectCheck, ConnectTarget
from afterword.pipeline.views.blocks import Block, Paragraph


@dataclass(frozen=True, slots=True)
class McpFileClient:
    """A client that starts its servers itself; it needs neither `afterword serve` nor a token.

    Args:
        file: with its servers, in its folder.
    """

    name: str
    title: str
    file: str
    default_folder: str
    folder_variable: str = ""
    has_users: bool = False

    def edits(self, target: ConnectTarget) -> Sequence[ClientEdit]:
        """Return the entry of the server."""
        keys = ("mcpServers", SERVER_NAME)
        return (ConfigEntry(target.folder / self.file, keys, stdio_server(target), JSON_CONFIG),)

    def checks(self, target: ConnectTarget) -> Sequence[ConnectCheck]:
        """Return nothing more: the client shows its servers itself."""
        del target
        return ()

    def advice(self, target: ConnectTarget) -> Sequence[Block]:
        """Return what to start."""
        said = f"Start {self.title} anew; its memory is the group {target.group}."
        return [Paragraph(said)]


CURSOR: Final = McpFileClient("cursor", "Cursor", "mcp.json", ".cursor")

CLAUDE_CODE: Final = McpFileClient("claude-code", "Claude Code", ".mcp.json", "")
"""Of the project in the present folder."""
