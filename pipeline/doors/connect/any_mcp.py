"""Any client of the Model Context Protocol: its configuration is printed, and nothing written."""

import json
from collections.abc import Sequence
from typing import Any, Final

from afterword.pipeline.doors.agent.offered import SERVER_NAME
from afterword.pipeline.doors.connect.model import (
    ClientEdit,
    ConnectCheck,
    ConnectTarget,
)
from afterword.pipeline.views.blocks import Block, Paragraph, Verbatim


class AnyMcp:
    """A client whose files are not known here."""

    name = "mcp"
    title = "any MCP client"
    folder_variable = ""
    default_folder = ""
    has_users = False

    def edits(self, target: ConnectTarget) -> Sequence[ClientEdit]:
        """Return nothing: the user pastes the configuration."""
        del target
        return ()

    def checks(self, target: ConnectTarget) -> Sequence[ConnectCheck]:
        """Return nothing: the client is not known."""
        del target
        return ()

    def advice(self, target: ConnectTarget) -> Sequence[Block]:
        """Return the configuration for both transports, as most clients read it."""
        http = {
            "type": "http",
            "url": f"{target.url}/mcp",
            "headers": {"Authorization": "Bearer ${AFTERWORD_TOKEN}"},
        }
        return [
            Paragraph("On this machine the client starts the server itself; no token is needed:"),
            Verbatim(_servers(stdio_server(target))),
            Paragraph(
                "Over HTTP, `afterword serve` runs, and the client sends a token of its own. "
                f"`afterword --group {target.group} token issue agent --label NAME` tells one; put "
                "it where ${AFTERWORD_TOKEN} stands, or into the environment if the client fills "
                "in variables:"
            ),
            Verbatim(_servers(http)),
        ]


def stdio_server(target: ConnectTarget) -> dict[str, Any]:
    """Return how a client starts the server of a group itself."""
    arguments = ["mcp", "--home", str(target.settings.home), "--group", target.group]
    return {"command": target.program, "args": arguments}


def _servers(server: dict[str, Any]) -> str:
    return json.dumps({"mcpServers": {SERVER_NAME: server}}, indent=2, ensure_ascii=False)


ANY_MCP: Final = AnyMcp()
