"""SQL of the figures and the state of methodologies, as the gates read and write them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.domain.methodologies.scores import MethodFigures, MethodStanding

_FIGURES: Final = MethodFigures._fields
# In the order of the fields of a `MethodStanding`.
_STANDINGS: Final = f"""
SELECT id, uid, asset_class, timeframe, source = 'placebo',
  injection = '[]' OR injection_cleared_at IS NOT NULL,
  merged_into IS NOT NULL OR deleted_at IS NOT NULL, quarantine, flagged_at, flags_in_row,
  reviewed_uses, promising_since, strict_since, strict_from, literal_since, literal_from,
  {", ".join(_FIGURES)}
FROM methodologies ORDER BY id
"""
_KEEP: Final = f"""
UPDATE methodologies SET scored_at = ?, {", ".join(f"{name} = ?" for name in _FIGURES)}
WHERE id = ?
"""
_REVIEWED: Final = "UPDATE methodologies SET reviewed_uses = ? WHERE id = ? AND reviewed_uses < ?"
_FOLLOW: Final = """
UPDATE methodologies SET quarantine = 1 - quarantine
WHERE quarantine = ({gate}_since IS NOT NULL AND merged_into IS NULL AND deleted_at IS NULL
  AND source <> 'placebo' AND (injection = '[]' OR injection_cleared_at IS NOT NULL))
"""
_SETS: Final[Mapping[str, str]] = {
    "promising": "promising_since = :at WHERE id = :id AND promising_since IS NULL",
    "not_promising": "promising_since = NULL WHERE id = :id AND promising_since IS NOT NULL",
    "graduated": "{gate}_since = :at WHERE id = :id AND {gate}_since IS NULL",
    # A doubt is about the gate in force: the other one leaves it alone.
    "demoted": "{gate}_since = NULL, {gate}_from = :at,"
    " flagged_at = iif(:in_force, NULL, flagged_at),"
    " flags_in_row = iif(:in_force, 0, flags_in_row),"
    " promising_since = iif('{gate}' = 'strict', NULL, promising_since)"
    " WHERE id = :id AND {gate}_since IS NOT NULL",
    "flag": "flagged_at = coalesce(flagged_at, :at), flags_in_row = flags_in_row + 1"
    " WHERE id = :id AND {gate}_since IS NOT NULL",
    "recover": "flagged_at = NULL, flags_in_row = 0 WHERE id = :id AND flagged_at IS NOT NULL",
    "merged": "merged_into = :into, merged_at = :at, quarantine = 1, flagged_at = NULL,"
    " flags_in_row = 0 WHERE id = :id AND merged_into IS NULL AND deleted_at IS NULL"
    # The owner may have deleted the survivor while a judge was asked.
    " AND EXISTS (SELECT 1 FROM methodologies WHERE id = :into AND deleted_at IS NULL)",
}


def standings(conn: Connection) -> list[MethodStanding]:
    """Return every methodology that was ever written, by id."""
    return [standing_of(row) for row in standing_rows(conn)]


def standing_rows(conn: Connection) -> Sequence[tuple[Any, ...]]:
    """Return the rows of all methodologies; see `standing_of`."""
    return [*(driver_cursor(conn).execute(_STANDINGS) or ())]


def standing_of(row: Sequence[Any]) -> MethodStanding:
    """Return a methodology as the gates see it."""
    flags = map(bool, row[4:8])
    values: tuple[Any, ...] = (*row[:4], *flags, *row[8:16], MethodFigures(*row[16:]))
    return MethodStanding(*values)


def has_any(conn: Connection) -> bool:
    """Return whether a methodology was ever written."""
    cursor = driver_cursor(conn)
    cursor.execute("SELECT 1 FROM methodologies LIMIT 1")
    return cursor.fetchone() is not None


def keep_figures(conn: Connection, figures: Mapping[int, MethodFigures], now: int) -> None:
    """Write the figures of methodologies, by id."""
    rows = [(now, *values, row_id) for row_id, values in sorted(figures.items())]
    driver_cursor(conn).executemany(_KEEP, rows)


def change_state(
    conn: Connection,
    change: str,
    row_id: int,
    gate: MethodGate,
    now: int,
    *,
    in_force: bool,
    into: int | None = None,
) -> bool:
    """Change the state of a methodology; False if it is not in the state that this one leaves.

    Args:
        change: a key of `_SETS`.
        in_force: whether the gate decides what prompts may show.
        into: the survivor of a merge.
    """
    statement = f"UPDATE methodologies SET {_SETS[change].format(gate=gate)}"
    cursor = driver_cursor(conn)
    cursor.execute(statement, {"id": row_id, "at": now, "in_force": in_force, "into": into})
    return cursor.rowcount == 1


def keep_reviewed(conn: Connection, row_id: int, uses: int) -> bool:
    """Write the effective uses at which the judge looked; False if another pass did so already."""
    cursor = driver_cursor(conn)
    cursor.execute(_REVIEWED, (uses, row_id, uses))
    return cursor.rowcount == 1


def follow_gate(conn: Connection, gate: MethodGate) -> int:
    """Let quarantine follow a gate; return how many methodologies entered or left it."""
    cursor = driver_cursor(conn)
    cursor.execute(_FOLLOW.format(gate=gate))
    return cursor.rowcount
