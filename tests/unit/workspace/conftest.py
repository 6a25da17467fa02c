"""A folder as OpenClaw has it, and an agent that begins a session with it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door

FILES = {
    "SOUL.md": "# Ada\n\nYou are calm, and you say what you know.\n",
    "AGENTS.md": "# Start\n\n1. Read the notes.\n2. Ask before money moves.\n",
    "USER.md": "# User\n\n- **Name:** Kim\n- Never trades before noon.\n",
    "MEMORY.md": "# Memory\n\n- Kim lost on SOL breakouts in May.\n",
    "IDENTITY.md": "- **Name:** Ada\n- **Vibe:** calm\n- **Emoji:** 🦊\n",
    "TOOLS.md": "The tool notes.\n",
    "HEARTBEAT.md": "Look at the mail every hour.\n",
    "memory/2026-01-05.md": "Bought BTC at 90,000.\n",
    "memory/2026-01-04-a-slow-day.md": "Nothing was traded.\n",
    "memory/2026-01-03.md": "Closed the ETH short.\n",
    "memory/2026-01-02.md": "The day before that.\n",
}


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace of another program; the clock of the tests is at 2026-01-05."""
    folder = tmp_path / "openclaw"
    for name, text in FILES.items():
        write(folder, name, text)
    return folder


@pytest.fixture
def begin(writer: Writer, folder: Path) -> Callable[..., Agent]:
    """Begin a session of an agent with that workspace, or with another folder."""

    def begin(source: WorkspaceSource | None = None) -> Agent:
        source = source or WorkspaceSource(folder, is_ours=False)
        return Agent(Door(writer, begin_session(writer).handle, workspace=source))

    return begin
