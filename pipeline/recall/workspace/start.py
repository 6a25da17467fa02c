"""What a session begins with of its workspace: read once, and the same bytes until it ends."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.sessions.model import Session
from afterword.pipeline.domain.sessions.sessions import find_session
from afterword.pipeline.domain.workspace import rows
from afterword.pipeline.domain.workspace.identity import AgentIdentity, identity_of
from afterword.pipeline.domain.workspace.model import KeptWorkspace, ReadWorkspace
from afterword.pipeline.domain.workspace.read import read_workspace
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from afterword.pipeline.recall.workspace.block import notes_of_files, prompt_files, render_blocks
from afterword.pipeline.recall.workspace.bootstrap import bootstrap_key


def start_workspace(
    store: Store, session: str, source: WorkspaceSource, clock: Clock
) -> KeptWorkspace:
    """Return what a session's prompt has of its workspace; the first call reads the folder.

    An edit of a file counts from the next session on. Notes are those of the days before the
    session's start. Of sessions that begin at once, one sees BOOTSTRAP.md.

    Args:
        session: its handle.

    Raises:
        NotFoundError: there is no such session in this group.
        InvalidInputError: there is no such folder.
        UnavailableError: it is the first time, and the store cannot be written now.
    """
    with reading(store) as conn:
        stored = find_session(conn, session)
        kept = rows.of_session(conn, stored.id)
    if kept is not None:
        return kept
    # No transaction is open while files are read: a slow disk must not hold the only writer.
    read = read_workspace(source, stored.started_at)
    key = bootstrap_key(source, read)
    with reading(store) as conn:
        may_see = key is not None and not rows.is_claimed(conn, key)
    usual, at_first = (
        _made(source, read, with_bootstrap=False, at=stored.started_at),
        _made(source, read, with_bootstrap=True, at=stored.started_at) if may_see else None,
    )
    with writing(store) as conn:
        now = clock()
        kept = rows.of_session(conn, stored.id)
        if kept is not None:
            return kept
        is_seen = at_first is not None and _claim(conn, key, stored, now)
        made = at_first if at_first is not None and is_seen else usual
        _keep(conn, source, stored, read, made, now)
        kept = rows.of_session(conn, stored.id)
    assert kept is not None  # it was stored just now
    return kept


def _made(
    source: WorkspaceSource, read: ReadWorkspace, *, with_bootstrap: bool, at: datetime
) -> KeptWorkspace:
    files = prompt_files(source, read, with_bootstrap=with_bootstrap)
    blocks = render_blocks(files, read)
    return KeptWorkspace(
        *blocks,
        notes=notes_of_files(files, read),
        identity=identity_in(read),
        file_ids=(),
        cut_files=sum(prompt.is_cut for prompt in files),
        faults=len(read.faults),
        loaded_at=at,
    )


def identity_in(read: ReadWorkspace) -> AgentIdentity:
    """Return what IDENTITY.md says, of the files that were read."""
    said = [text.text for text in read.texts if text.file.name == "IDENTITY.md"]
    return identity_of("\n".join(said))


def _claim(conn: Connection, key: str | None, session: Session, now: datetime) -> bool:
    if key is None:
        return False
    row_id = rows.claim(conn, key, session.id, to_micros(now))
    if row_id is None:
        return False
    touched = [ChangedRow(row_id, session.uid)]
    record(conn, now, "agent", "workspace.bootstrap", "workspace_bootstraps", touched)
    return True


def _keep(
    conn: Connection,
    source: WorkspaceSource,
    session: Session,
    read: ReadWorkspace,
    made: KeptWorkspace,
    now: datetime,
) -> None:
    folder = "" if source.is_ours else str(source.folder)
    ids = rows.keep_files(conn, folder, read.texts, to_micros(now))
    rows.keep(conn, session.id, replace(made, file_ids=ids, loaded_at=now))
