"""SQL over what sessions read of their workspaces."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.workspace.identity import AgentIdentity
from afterword.pipeline.domain.workspace.model import KeptWorkspace, WorkspaceText


def _read_identity(stored: str) -> AgentIdentity:
    return AgentIdentity(**json.loads(stored))


def _write_identity(identity: AgentIdentity) -> str:
    return json.dumps(asdict(identity), ensure_ascii=False)


_KEPT: Final = Codec(
    KeptWorkspace,
    items=("notes", "file_ids"),
    moments=("loaded_at",),
    codings={"identity": Coding(_read_identity, _write_identity)},
)
# The instructions of a first run are shown until the turn that saw them is over.
_BOOTSTRAP: Final = """iif(EXISTS (
  SELECT 1 FROM workspace_bootstraps AS seen WHERE seen.session_id = loaded.session_id
    AND (seen.ended_at IS NULL OR seen.ended_at > :at)), loaded.bootstrap, '')"""
_COLUMNS: Final = _KEPT.columns_of("loaded", bootstrap=_BOOTSTRAP)
_OF_SESSION: Final = text(f"""
SELECT {_COLUMNS} FROM workspace_sessions AS loaded WHERE loaded.session_id = :session_id
""")
_LATEST: Final = text(f"""
SELECT {_COLUMNS} FROM workspace_sessions AS loaded
WHERE loaded.loaded_at <= coalesce(:at, loaded.loaded_at)
ORDER BY loaded.loaded_at DESC, loaded.session_id DESC LIMIT 1
""")
_KEEP: Final = _KEPT.insert("workspace_sessions", "session_id")
_KEEP_FILE: Final = """
INSERT INTO workspace_files (folder, name, digest, body, loaded_at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (folder, name, digest) DO UPDATE SET digest = excluded.digest RETURNING id
"""
_BODIES: Final = text("""
SELECT name, body FROM workspace_files WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id
""")
_CLAIM: Final = text("""
INSERT INTO workspace_bootstraps (file_key, session_id, claimed_at) VALUES (:key, :session_id, :now)
ON CONFLICT (file_key) DO NOTHING RETURNING id
""")
_IS_CLAIMED: Final = text("SELECT 1 FROM workspace_bootstraps WHERE file_key = :key")
_OPEN_CLAIM: Final = text("""
SELECT file_key FROM workspace_bootstraps WHERE session_id = :session_id AND ended_at IS NULL
""")
_END_CLAIM: Final = text("""
UPDATE workspace_bootstraps SET ended_at = max(claimed_at, :now)
WHERE session_id = :session_id AND ended_at IS NULL RETURNING id
""")


def of_session(conn: Connection, session_id: int) -> KeptWorkspace | None:
    """Return what the prompt of a session has; None if it has not read its workspace yet."""
    values = {"session_id": session_id, "at": None}
    row = conn.execute(_OF_SESSION, values).one_or_none()
    return None if row is None else _KEPT.read(row)


def latest(conn: Connection, at: int | None = None) -> KeptWorkspace | None:
    """Return what the last session read, until a moment (microseconds); None if none did."""
    row = conn.execute(_LATEST, {"at": at}).one_or_none()
    return None if row is None else _KEPT.read(row)


def keep(conn: Connection, session_id: int, kept: KeptWorkspace) -> None:
    """Store what the prompt of a session has."""
    conn.exec_driver_sql(_KEEP, (*_KEPT.write(kept), session_id))


def keep_files(
    conn: Connection, folder: str, texts: Iterable[WorkspaceText], now: int
) -> tuple[int, ...]:
    """Store the texts of files (now in microseconds), each content once; return their row ids."""
    return tuple(
        conn.exec_driver_sql(
            _KEEP_FILE, (folder, text.file.name, text.digest, text.text, now)
        ).scalar_one()
        for text in texts
    )


def bodies_of(conn: Connection, kept: KeptWorkspace | None) -> dict[str, str]:
    """Return what the files said that a session read, by name; nothing where none did."""
    if kept is None:
        return {}
    rows = conn.execute(_BODIES, {"ids": json.dumps(list(kept.file_ids))}).all()
    return {row.name: row.body for row in rows}


def claim(conn: Connection, key: str, session_id: int, now: int) -> int | None:
    """Let a session see a file once (microseconds); None if one has seen it, else the row's id."""
    values = {"key": key, "session_id": session_id, "now": now}
    row_id: int | None = conn.execute(_CLAIM, values).scalar_one_or_none()
    return row_id


def is_claimed(conn: Connection, key: str) -> bool:
    """Return whether a session has seen a file."""
    return conn.execute(_IS_CLAIMED, {"key": key}).first() is not None


def open_claim(conn: Connection, session_id: int) -> str | None:
    """Return the key of the file that a session sees now; None if it sees none."""
    key: str | None = conn.execute(_OPEN_CLAIM, {"session_id": session_id}).scalar_one_or_none()
    return key


def end_claim(conn: Connection, session_id: int, now: int) -> int | None:
    """End what a session sees (microseconds); return the row's id, None if it saw none."""
    values = {"session_id": session_id, "now": now}
    row_id: int | None = conn.execute(_END_CLAIM, values).scalar_one_or_none()
    return row_id
