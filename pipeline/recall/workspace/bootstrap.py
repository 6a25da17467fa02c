"""BOOTSTRAP.md: one session sees it for one turn; ours is deleted then, and no other folder's."""

import os
from contextlib import suppress
from hashlib import sha256
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import session_of
from afterword.pipeline.domain.workspace import rows
from afterword.pipeline.domain.workspace.model import ReadWorkspace, WorkspaceFile, WorkspaceText
from afterword.pipeline.domain.workspace.read import in_place, read_file
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from afterword.pipeline.errors import InvalidInputError

_FILE: Final = WorkspaceFile("BOOTSTRAP.md", "bootstrap", "owner")


def bootstrap_key(source: WorkspaceSource, read: ReadWorkspace) -> str | None:
    """Return what a BOOTSTRAP.md is told from others by; None if there is none, or it says nothing.

    A file that was edited is another one.
    """
    return next((_key(source, text) for text in in_place(read.texts, "bootstrap")), None)


def end_bootstrap(by: Writer, source: WorkspaceSource) -> bool:
    """End what the writer's session sees of BOOTSTRAP.md: its turn is over, or the session.

    The file is deleted if it is in our own folder and still says the same.

    Returns:
        Whether the session saw one; a second call returns False.
    """
    with reading(by.store) as conn:
        session = session_of(conn, by)
        key = rows.open_claim(conn, session.id)
    if key is None:
        return False
    with writing(by.store) as conn:
        now = by.clock()
        row_id = rows.end_claim(conn, session.id, to_micros(now))
        if row_id is None:
            return False
        touched = [ChangedRow(row_id, session.uid)]
        record(conn, now, by.actor, "workspace.bootstrap_seen", "workspace_bootstraps", touched)
    if source.is_ours:
        _delete(source, key)
    return True


def _delete(source: WorkspaceSource, key: str) -> None:
    with suppress(InvalidInputError, OSError):  # what stays is seen by nobody; `check` names it
        text = read_file(source, _FILE)
        if text is not None and _key(source, text) == key:
            (source.folder / _FILE.name).unlink()


def _key(source: WorkspaceSource, text: WorkspaceText) -> str:
    path = "" if source.is_ours else os.path.realpath(source.folder)
    return sha256(f"{path}\0{text.file.name}\0{text.digest}".encode()).hexdigest()
