"""What a session would begin with now, and what sessions began with; nothing is stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.sessions.sessions import find_session
from afterword.pipeline.domain.workspace import rows
from afterword.pipeline.domain.workspace.model import KeptWorkspace, ReadWorkspace
from afterword.pipeline.domain.workspace.read import read_workspace
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from afterword.pipeline.recall.workspace.block import (
    PromptFile,
    WorkspaceBlocks,
    prompt_files,
    render_blocks,
)
from afterword.pipeline.recall.workspace.bootstrap import bootstrap_key
from afterword.pipeline.recall.workspace.withhold import withhold


@dataclass(frozen=True, slots=True)
class WorkspacePreview:
    """What a session would begin with.

    Args:
        files: those of a prompt, as it has them.
        is_seen: whether a session has seen BOOTSTRAP.md already.
        suspects: of the owner's files, by name, passages that would be withheld if an agent had
            written them; they stand, since the owner may give orders.
    """

    read: ReadWorkspace
    files: tuple[PromptFile, ...]
    blocks: WorkspaceBlocks
    is_seen: bool
    suspects: Mapping[str, tuple[str, ...]]


def preview_workspace(
    source: WorkspaceSource, now: datetime, store: Store | None = None
) -> WorkspacePreview:
    """Return what a session would begin with that begins now.

    Args:
        store: knows whether BOOTSTRAP.md was seen; None where there is no group yet.

    Raises:
        InvalidInputError: there is no such folder.
    """
    read = read_workspace(source, now, with_display=True)
    key, is_seen = bootstrap_key(source, read), False
    if key is not None and store is not None:
        with reading(store) as conn:
            is_seen = rows.is_claimed(conn, key)
    files = prompt_files(source, read, with_bootstrap=not is_seen)
    suspects = {
        prompt.file.name: passages
        for prompt in files
        if prompt.file.origin == "owner" and (passages := withhold(prompt.shown)[1])
    }
    return WorkspacePreview(read, tuple(files), render_blocks(files, read), is_seen, suspects)


def kept_workspace(
    store: Store, session: str | None = None, as_of: datetime | None = None
) -> KeptWorkspace | None:
    """Return what a session began with, or the last one until a moment; None if none did.

    Args:
        session: its uid or its handle.

    Raises:
        NotFoundError: there is no such session in this group.
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        return _kept(conn, session, as_of)


def kept_files(
    store: Store, session: str | None = None, as_of: datetime | None = None
) -> dict[str, str]:
    """Return what the files said that a session read, by name, as `kept_workspace` chooses it.

    Raises:
        NotFoundError: there is no such session in this group.
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        return rows.bodies_of(conn, _kept(conn, session, as_of))


def _kept(conn: Connection, session: str | None, as_of: datetime | None) -> KeptWorkspace | None:
    if session is not None:
        return rows.of_session(conn, find_session(conn, session, "owner").id)
    return rows.latest(conn, read_moment(conn, as_of))
