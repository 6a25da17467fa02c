"""The files of a workspace, as they were read at one moment."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Literal, NamedTuple

from afterword.pipeline.domain.workspace.identity import AgentIdentity

WorkspaceLayout = Literal["own", "openclaw", "hermes"]
"""Which program laid a folder out."""

FilePlace = Literal["prefix", "user", "memory", "bootstrap", "display"]
"""Where a file goes: into the prefix of the system prompt; into the block that follows it, as what
the user is like or as what was remembered; into the prefix for one turn; or into no prompt."""

FileOrigin = Literal["owner", "agent"]
"""Whose words a file has: an agent's are recalled text, between fences."""


class WorkspaceFile(NamedTuple):
    """A file that a workspace may have.

    Args:
        name: its path below the folder, with slashes.
    """

    name: str
    place: FilePlace
    origin: FileOrigin


@dataclass(frozen=True, slots=True)
class WorkspaceText:
    """What a file says, as it may stand in a prompt if it fits.

    Args:
        text: without secrets, hidden characters and tags of a prompt; empty if it says nothing.
        size: of the file; bytes.
        unread: bytes in its middle that were not read.
        notes: what was changed in it, in words.
    """

    file: WorkspaceFile
    text: str
    size: int
    unread: int = 0
    notes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """The content in 64 digits."""
        return sha256(self.text.encode()).hexdigest()


class WorkspaceFault(NamedTuple):
    """A file that was not read.

    Args:
        problem: what is wrong with it; `accepted` is what would be read instead.
    """

    name: str
    problem: str
    accepted: str

    @property
    def words(self) -> str:
        """The fault as a sentence."""
        return f"{self.name} is not read: it {self.problem}"


@dataclass(frozen=True, slots=True)
class ReadWorkspace:
    """A workspace as it was read.

    Args:
        layout: whose folder it is like.
        texts: its files in the order of a prompt; those that do not exist are left out.
        faults: the files that exist and were not read.
    """

    layout: WorkspaceLayout
    texts: tuple[WorkspaceText, ...]
    faults: tuple[WorkspaceFault, ...]


@dataclass(frozen=True, slots=True)
class KeptWorkspace:
    """What the prompt of a session has of its workspace: the same bytes for the whole session.

    Args:
        prefix: SOUL.md and AGENTS.md: the cacheable part, `systemPromptPrefix` (R3).
        bootstrap: BOOTSTRAP.md for the one turn that sees it, to follow the prefix; else empty.
        block: USER.md, then MEMORY.md and notes between fences: the memory snapshot block (R3).
        notes: what is cut, withheld, masked or not read, each as a sentence.
        identity: of the agent, for people to see.
        file_ids: rows of the texts it was made of.
        cut_files: files of which a part is shown (count).
        faults: files that exist and were not read (count).
    """

    prefix: str
    bootstrap: str
    block: str
    notes: tuple[str, ...]
    identity: AgentIdentity
    file_ids: tuple[int, ...]
    cut_files: int
    faults: int
    loaded_at: datetime
