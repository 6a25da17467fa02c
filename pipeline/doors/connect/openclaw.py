"""OpenClaw: a plugin in its folder of extensions, and an MCP server in its `openclaw.json`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.doors.agent.offered import SERVER_NAME
from afterword.pipeline.doors.connect.config_entry import ConfigEntry
from afterword.pipeline.doors.connect.in_json import JSON_CONFIG
from afterword.pipeline.doors.connect.model import ClientEdit, ConnectCheck, ConnectTarget
from afterword.pipeline.doors.connect.own_file import OwnFile, read_bytes
from afterword.pipeline.doors.connect.token_entry import TokenEntry
from afterword.pipeline.doors.connect.token_file import TokenFile
from afterword.pipeline.views.blocks import Block, Paragraph

_ROOM: Final = "afterword.pipeline.doors.connect"

_ENTRY: Final = ("plugins", "entries", SERVER_NAME)
"""Where OpenClaw reads about the plugin; its user's choices stand there as well."""

_LEAVE: Final = (("enabled",), ("hooks", "allowConversationAccess"))
"""What it must say. Without the second one OpenClaw gives a plugin no message."""


class OpenClaw:
    """OpenClaw, from release 2026.9."""

    name = "openclaw"
    title = "OpenClaw"
    folder_variable = "OPENCLAW_STATE_DIR"
    default_folder = ".openclaw"
    has_users = False

    def edits(self, target: ConnectTarget) -> Sequence[ClientEdit]:
        """Return two plugins, the token, the server of the tools, and the leave to load the first.

        The second takes the slot of OpenClaw's own memory, once its user gives it.
        """
        extensions, config = target.folder / "extensions", _config(target.folder)
        return (
            *_code("openclaw_plugin", extensions / SERVER_NAME),
            *_code("openclaw_slot", extensions / "afterword-memory"),
            TokenFile(extensions / SERVER_NAME / "connection.json", "openclaw", target),
            TokenEntry(
                config,
                ("mcp", "servers", SERVER_NAME),
                lambda token: _server(target.url, token),
                _token_of,
                JSON_CONFIG,
                "openclaw mcp",
                target,
            ),
            *(ConfigEntry(config, (*_ENTRY, *keys), True, JSON_CONFIG) for keys in _LEAVE),
        )

    def checks(self, target: ConnectTarget) -> Sequence[ConnectCheck]:
        """Return whether the rules of OpenClaw for plugins let this one in."""
        plugins = _plugins(_config(target.folder))
        hindrances = [text for is_so, text in _hindrances(plugins) if is_so]
        said = "; ".join(hindrances) or "openclaw.json lets the plugin in"
        return [ConnectCheck("allowed", not hindrances, said)]

    def advice(self, target: ConnectTarget) -> Sequence[Block]:
        """Return what to start."""
        return [
            Paragraph(
                f"The memory of all its agents is the group {target.group}, at {target.url}."
            ),
            Paragraph(
                "Keep `afterword serve` running, and start the Gateway anew; `openclaw mcp probe "
                "afterword` lists the tools, `afterword connect openclaw --check` says whether it "
                "works."
            ),
        ]


def _code(plugin: str, folder: Path) -> list[OwnFile]:
    """Return the files of a plugin in a folder of the client."""
    parts = sorted(files(_ROOM).joinpath(plugin).iterdir(), key=lambda file: file.name)
    return [OwnFile(folder / file.name, file.read_bytes()) for file in parts]


def _config(folder: Path) -> Path:
    return folder / "openclaw.json"


def _server(url: str, token: str) -> dict[str, Any]:
    return {
        "url": f"{url}/mcp",
        "transport": "streamable-http",
        "headers": {"Authorization": f"Bearer {token}"},
    }


def _token_of(server: Any) -> str | None:
    try:
        return str(server["headers"]["Authorization"]).removeprefix("Bearer ")
    except (TypeError, KeyError):
        return None


def _plugins(config: Path) -> Mapping[str, Any]:
    try:
        plugins = json.loads(read_bytes(config) or b"{}").get("plugins")
    except (ValueError, AttributeError):
        return {}  # the entries say that it cannot be read
    return plugins if isinstance(plugins, Mapping) else {}


def _hindrances(plugins: Mapping[str, Any]) -> Iterator[tuple[bool, str]]:
    """Yield what would keep the plugin out, and whether it does."""
    allowed, denied = plugins.get("allow") or [SERVER_NAME], plugins.get("deny") or []
    yield plugins.get("enabled") is False, "plugins.enabled is false: OpenClaw loads none"
    yield SERVER_NAME not in allowed, f"plugins.allow does not name {SERVER_NAME}: add it"
    yield SERVER_NAME in denied, f"plugins.deny names {SERVER_NAME}: take it out"


OPENCLAW: Final = OpenClaw()
