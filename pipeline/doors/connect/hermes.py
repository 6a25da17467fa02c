"""Hermes Agent: a memory provider in its plugin folder, chosen in its `config.yaml`."""

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.domain.sessions.model import limits_of
from afterword.pipeline.doors.agent.call import schema
from afterword.pipeline.doors.agent.instructions import instructions
from afterword.pipeline.doors.agent.offered import SERVER_NAME, offered
from afterword.pipeline.doors.connect.config_entry import ConfigEntry
from afterword.pipeline.doors.connect.hermes_plugin.provider import CONNECTIONS
from afterword.pipeline.doors.connect.hermes_plugin.who import connection_file
from afterword.pipeline.doors.connect.in_yaml import YAML_CONFIG
from afterword.pipeline.doors.connect.model import (
    ClientEdit,
    ConnectCheck,
    ConnectTarget,
)
from afterword.pipeline.doors.connect.own_file import OwnFile
from afterword.pipeline.doors.connect.token_file import TokenFile
from afterword.pipeline.views.blocks import Block, Paragraph

_PLUGIN: Final = "afterword.pipeline.doors.connect.hermes_plugin"


class Hermes:
    """Hermes Agent, from release 0.19."""

    name = "hermes"
    title = "Hermes Agent"
    folder_variable = "HERMES_HOME"
    default_folder = ".hermes"
    has_users = True

    def edits(self, target: ConnectTarget) -> Sequence[ClientEdit]:
        """Return the plugin, the user's token, and the choice of the provider, in this order."""
        plugin = target.folder / "plugins" / SERVER_NAME
        return (
            *(OwnFile(plugin / name, content) for name, content in _code()),
            OwnFile(plugin / "tools.json", _tools(target)),
            OwnFile(plugin / "instructions.md", _instructions(target)),
            TokenFile(_token_path(plugin, target.user), _label(target), target),
            ConfigEntry(
                target.folder / "config.yaml", ("memory", "provider"), SERVER_NAME, YAML_CONFIG
            ),
        )

    def checks(self, target: ConnectTarget) -> Sequence[ConnectCheck]:
        """Return nothing more: a provider that Hermes has loaded begins a session."""
        del target
        return ()

    def advice(self, target: ConnectTarget) -> Sequence[Block]:
        """Return what to start."""
        whose = f"of the user {target.user}" if target.user else "of whoever starts Hermes"
        return [
            Paragraph(f"The memory {whose} is the group {target.group}, at {target.url}."),
            Paragraph(
                "Keep `afterword serve` running, and start Hermes anew; "
                "`afterword connect hermes --check` says whether it works."
            ),
        ]


def _code() -> list[tuple[str, bytes]]:
    return [
        (file.name, file.read_bytes())
        for file in sorted(files(_PLUGIN).iterdir(), key=lambda file: file.name)
        if file.name.endswith((".py", ".yaml"))
    ]


def _tools(target: ConnectTarget) -> bytes:
    """Return the tools as Hermes takes them: functions with their JSON schemas."""
    functions = [_function(name) for name in offered(target.settings.mcp_tools)]
    return (json.dumps(functions, indent=1, ensure_ascii=False) + "\n").encode()


def _function(name: str) -> dict[str, Any]:
    parameters = schema(name)
    return {
        "name": name,
        "description": parameters.pop("description"),
        "parameters": parameters,
    }


def _instructions(target: ConnectTarget) -> bytes:
    choice = offered(target.settings.mcp_tools)
    return instructions(limits_of(target.settings), tools=choice).encode()


def _token_path(plugin: Path, user: str) -> Path:
    return plugin / CONNECTIONS / connection_file(user)


def _label(target: ConnectTarget) -> str:
    return f"hermes {target.user}".strip()


HERMES: Final = Hermes()
