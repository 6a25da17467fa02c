"""SQL over the state of rebuilds and their cursors."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.rebuilds.model import Cursor, RebuildState

_STATE: Final = Codec(RebuildState, moments=("tried_at", "updated_at", "next_update", "retry_at"))
_FIND = text(f"SELECT {_STATE.columns} FROM rebuilds WHERE name = :name")
# A run that began before another one ended must not end over it.
_SAVE: Final = _STATE.insert(
    "rebuilds",
    otherwise=f"""ON CONFLICT (name) DO UPDATE SET
  {", ".join(f"{name} = excluded.{name}" for name in _STATE.names[1:])}
WHERE rebuilds.runs = excluded.runs - 1""",
)
_CURSORS = text("SELECT name, seen, error FROM rebuild_cursors WHERE rebuild = :rebuild")
_SEE = text("""
INSERT INTO rebuild_cursors (name, rebuild, seen) VALUES (:name, :rebuild, :seen)
ON CONFLICT (name) DO UPDATE SET seen = excluded.seen, error = NULL
""")
_BREAK = text("""
INSERT INTO rebuild_cursors (name, rebuild, seen, error) VALUES (:name, :rebuild, 0, :error)
ON CONFLICT (name) DO UPDATE SET error = excluded.error
""")


def state_of_rebuild(conn: Connection, name: str) -> RebuildState:
    """Return the state of a rebuild; one that never ran has none of its moments."""
    row = conn.execute(_FIND, {"name": name}).one_or_none()
    return RebuildState(name) if row is None else _STATE.read(row)


def save(conn: Connection, state: RebuildState) -> bool:
    """Write the state after a run, whose number it counts; False if another run ended meanwhile.

    Where a run ended meanwhile, nothing is written.
    """
    return conn.exec_driver_sql(_SAVE, _STATE.write(state)).rowcount == 1


def cursors(conn: Connection, rebuild: str) -> dict[str, Cursor]:
    """Return how far a rebuild has read its sources, by the name of the cursor."""
    rows = conn.execute(_CURSORS, {"rebuild": rebuild})
    return {row.name: Cursor(row.name, row.seen, row.error) for row in rows}


def see(conn: Connection, rebuild: str, seen: Mapping[str, int]) -> None:
    """Move cursors to the last rows that were read, by name."""
    for name, row_id in seen.items():
        conn.execute(_SEE, {"name": name, "rebuild": rebuild, "seen": row_id})


def mark_broken(conn: Connection, rebuild: str, errors: Mapping[str, str]) -> None:
    """Leave cursors where they are, and say why, by name."""
    for name, error in errors.items():
        conn.execute(_BREAK, {"name": name, "rebuild": rebuild, "error": error})
