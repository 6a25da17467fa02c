"""SQL over the notes of persons and the lessons of single cases, found by what they are about."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.memory.flag_rows import not_flagged
from afterword.pipeline.domain.outcomes.model import TrendBefore, VolatilityTercile
from afterword.pipeline.domain.prices.class_rows import classes_at
from afterword.pipeline.rules.market.classes import StatedClasses
from afterword.pipeline.rules.market.outcome import Stance

RowKind = Literal["note", "case"]

SCANNED: Final = 500
"""The latest lessons of one asset and direction among which a trend is looked for."""

SCANNED_FIRST: Final = 150
"""Those of them that usually are enough."""

OF_A_PEER: Final = 3
"""Lessons of each other asset of the class."""

SCANNED_OF_A_PEER: Final = 30
"""The same as `SCANNED` for each of those."""

_STANCES: Final[tuple[Stance, ...]] = ("long", "short", "neutral")
_TEXTS: Final[dict[RowKind, tuple[str, str, str]]] = {
    "note": ("mark_note", "marked_at", ""),
    "case": ("lesson", "reflected_at", "lesson_superseded_at"),
}


@dataclass(frozen=True, slots=True)
class LessonCell:
    """What a question is about, as far as it says so.

    Args:
        asset_key: also names the class, whose other assets come next.
        trend: the move before, over the window.
        volatility: tercile now; of lessons with the same trend, those with it are read first.
        window_hours: of the outcomes that trend and volatility are read from.
    """

    role_id: str
    asset_key: str | None
    direction: Stance | None
    trend: TrendBefore | None
    volatility: VolatilityTercile | None
    window_hours: int


class CellRow(NamedTuple):
    """A note or a lesson with the setup of its decision; moments in microseconds.

    Args:
        trend, volatility: before the decision; None where nothing was measured or asked for.
    """

    id: int
    uid: str
    role_id: str
    asset_key: str | None
    direction: Stance
    mark: str | None
    decision: str
    text: str
    known_at: int
    trend: TrendBefore | None = None
    volatility: VolatilityTercile | None = None


def _visible(kind: RowKind, *, is_now: bool) -> str:
    """Return the condition for what may be told now, or at `:as_of`."""
    column, at, ended = _TEXTS[kind]
    ends = [name for name in ("superseded_at", ended) if name]
    unflagged = not_flagged("role_memory", is_now=is_now)
    if is_now:
        shown = (f"{name} IS NULL" for name in ends)
        return " AND ".join([f"{column} IS NOT NULL", *shown, unflagged])
    later = (f"({name} IS NULL OR {name} > :as_of)" for name in ends)
    return " AND ".join([f"{column} IS NOT NULL", f"{at} <= :as_of", *later, unflagged])


def _setup(*, is_now: bool) -> str:
    """Return the newest trend and volatility before a decision, as `up high`, for one window."""
    known = "" if is_now else "AND known_at <= :as_of"
    return f"""(SELECT ifnull(trend, '') || ' ' || ifnull(volatility, '') FROM outcomes
  WHERE subject_kind = 'decision' AND subject_id = role_memory.id AND window_hours = :window
    {known} ORDER BY rule_version DESC LIMIT 1) AS setup"""


def _columns(kind: RowKind, setup: str) -> str:
    column, at, _ = _TEXTS[kind]
    columns = "id, uid, role_id, asset_key, direction, mark, decision"
    return f"""{columns}, {column}, {at} AS at, {setup}"""


def _newest(kind: RowKind, columns: str, index: str, where: str, most: str, *, is_now: bool) -> str:
    # The index is named: the planner would rather read every decision of the role.
    _, at, _ = _TEXTS[kind]
    return f"""
SELECT {columns} FROM role_memory INDEXED BY {index}
WHERE role_id = :role AND {where} AND {_visible(kind, is_now=is_now)}
ORDER BY {at} DESC, id DESC LIMIT {most}"""


def _latest_of(kind: RowKind, *, is_now: bool) -> str:
    # Of notes, which no index has in their order, only ids and moments are sorted.
    index = "role_memory_lessons" if kind == "case" else _INDEXES[kind]
    newest = _newest(kind, "id", index, "true", ":most", is_now=is_now)
    return f"""
SELECT {_columns(kind, _setup(is_now=is_now))} FROM role_memory WHERE id IN ({newest})"""


def _of_cell(kind: RowKind, *, is_now: bool) -> str:
    columns = _columns(kind, _setup(is_now=is_now))
    return _newest(kind, columns, _INDEXES[kind], _SAME, ":most", is_now=is_now)


def _of_setup(kind: RowKind, *, is_now: bool) -> str:
    _, at, _ = _TEXTS[kind]
    columns = f"id AS near_id, {at} AS near_at, {_setup(is_now=is_now)}"
    scanned = _newest(kind, columns, _INDEXES[kind], _SAME, ":scanned", is_now=is_now)
    return f"""
SELECT {_columns(kind, "setup")}
FROM (SELECT near_id, setup FROM ({scanned}) WHERE setup GLOB :trend || ' *'
  ORDER BY setup = :trend || ' ' || :volatility DESC, near_at DESC, near_id DESC LIMIT :most)
CROSS JOIN role_memory ON id = near_id"""


_SAME: Final = "asset_key = :asset AND direction = :direction"
_INDEXES: Final[dict[RowKind, str]] = {
    "note": "role_memory_note_cells",
    "case": "role_memory_lesson_cells",
}
_EVERY: Final = [(kind, is_now) for kind in _TEXTS for is_now in (True, False)]
_LATEST: Final = {(kind, is_now): _latest_of(kind, is_now=is_now) for kind, is_now in _EVERY}
_CELL: Final = {(kind, is_now): _of_cell(kind, is_now=is_now) for kind, is_now in _EVERY}
_SETUP: Final = {(kind, is_now): _of_setup(kind, is_now=is_now) for kind, is_now in _EVERY}
# Each step reads one entry of the index: a role decides on few assets, however often.
_ASSETS: Final = {
    kind: f"""
WITH RECURSIVE found (key) AS (
  SELECT min(asset_key) FROM role_memory WHERE role_id = :role AND {column} IS NOT NULL
  UNION ALL
  SELECT (SELECT min(asset_key) FROM role_memory
    WHERE role_id = :role AND {column} IS NOT NULL AND asset_key > found.key)
  FROM found WHERE found.key IS NOT NULL)
SELECT key FROM found WHERE key IS NOT NULL
"""
    for kind, (column, *_) in _TEXTS.items()
}
_SHOWN: Final = {
    is_now: f"""
SELECT id FROM role_memory
WHERE id IN (SELECT value FROM json_each(:ids)) AND {_visible("case", is_now=is_now)}
"""
    for is_now in (True, False)
}
_ROLES: Final = "SELECT DISTINCT role_id FROM role_stats ORDER BY role_id"


def roles(conn: Connection) -> list[str]:
    """Return every role with decisions."""
    return [str(role) for (role,) in _rows(conn, _ROLES, {})]


def latest(
    conn: Connection,
    kind: RowKind,
    role_ids: Sequence[str],
    most: int,
    as_of: int | None,
) -> list[CellRow]:
    """Return the latest notes or lessons of each role, the latest first.

    Args:
        most: of each role.
        as_of: what could be told at a moment; microseconds.
    """
    rows: list[CellRow] = []
    for role in role_ids:
        values = {"role": role, "most": most, "window": None}
        rows += _read(conn, _LATEST, kind, values, as_of)
    return sorted(rows, key=lambda row: (-row.known_at, -row.id))


def shown_cases(conn: Connection, ids: Sequence[int], as_of: int | None) -> set[int]:
    """Return the decisions among some whose lessons may be told as single cases."""
    values: dict[str, Any] = {"ids": json.dumps(list(ids))}
    if as_of is not None:
        values["as_of"] = as_of
    return {int(row_id) for (row_id,) in _rows(conn, _SHOWN[as_of is None], values)}


def near(
    conn: Connection, kind: RowKind, cell: LessonCell, most: int, as_of: int | None
) -> list[CellRow]:
    """Return the notes or lessons nearest to a cell: about `most`, each once, in no final order.

    They are read by an index, so a long record costs no more than a short one.

    Args:
        as_of: what could be told at a moment; microseconds.
    """
    nearest: dict[int, CellRow] = {}
    for rows in _tiers(conn, kind, cell, most, as_of):
        nearest.update((row.id, row) for row in rows if row.id not in nearest)
        if len(nearest) >= most:
            break
    return list(nearest.values())


def _tiers(
    conn: Connection, kind: RowKind, cell: LessonCell, most: int, as_of: int | None
) -> Iterator[list[CellRow]]:
    """Yield ever wider circles around a cell."""
    is_measured = cell.asset_key is not None or cell.trend is not None
    window = cell.window_hours if is_measured else None
    of_role: dict[str, Any] = {"role": cell.role_id, "window": window, "most": most}
    if cell.asset_key is not None:
        keys = [str(key) for (key,) in _rows(conn, _ASSETS[kind], of_role)]
        peers, market = _peers(cell.asset_key, keys, classes_at(conn, as_of))
        own = [cell.asset_key] if cell.asset_key in keys else []
        others: tuple[Stance, ...] = tuple(
            stance for stance in _STANCES if stance != cell.direction
        )
        wanted = (cell.direction,) if cell.direction else others
        if cell.trend is not None:
            of_setup = of_role | {"trend": cell.trend, "volatility": cell.volatility}
            circles = (
                (own, most, SCANNED_FIRST),
                (own, most, SCANNED),
                (peers, OF_A_PEER, SCANNED_OF_A_PEER),
                (market, 1, SCANNED_OF_A_PEER),
            )
            for assets, each, scanned in circles:
                values = of_setup | {"most": each, "scanned": scanned}
                yield _of_cells(conn, _SETUP, kind, values, (assets, wanted), as_of)
        for directions in (wanted, others):
            for assets, each in ((own, most), (peers, OF_A_PEER)):
                values = of_role | {"most": each}
                yield _of_cells(conn, _CELL, kind, values, (assets, directions), as_of)
    yield _read(conn, _LATEST, kind, of_role, as_of)


def _peers(
    asset_key: str, keys: Sequence[str], classes: StatedClasses
) -> tuple[list[str], list[str]]:
    """Return the other assets of its class, and those of its group that are in other classes."""
    own, group = classes.names(asset_key)
    if group is None:
        return [], []
    others = [key for key in keys if key != asset_key and classes.group(key) == group]
    peers = [key for key in others if classes.of(key) == own]
    return peers, [key for key in others if classes.of(key) != own]


def _of_cells(
    conn: Connection,
    statements: Mapping[tuple[RowKind, bool], str],
    kind: RowKind,
    values: Mapping[str, Any],
    cells: tuple[Sequence[str], Sequence[Stance]],
    as_of: int | None,
) -> list[CellRow]:
    rows: list[CellRow] = []
    for asset, direction in product(*cells):
        cell = {"asset": asset, "direction": direction}
        rows += _read(conn, statements, kind, {**values, **cell}, as_of)
    return rows


def _read(
    conn: Connection,
    statements: Mapping[tuple[RowKind, bool], str],
    kind: RowKind,
    values: Mapping[str, Any],
    as_of: int | None,
) -> list[CellRow]:
    moment: dict[str, Any] = {} if as_of is None else {"as_of": as_of}
    rows = _rows(conn, statements[kind, as_of is None], {**values, **moment})
    return [_cell_row(row) for row in rows]


def _cell_row(row: Sequence[Any]) -> CellRow:
    trend, _, volatility = (row[-1] or "").partition(" ")
    return CellRow._make((*row[:-1], trend or None, volatility or None))


def _rows(conn: Connection, statement: str, values: Mapping[str, Any]) -> Sequence[Any]:
    cursor = driver_cursor(conn)
    cursor.execute(statement, values)
    return cursor.fetchall()
