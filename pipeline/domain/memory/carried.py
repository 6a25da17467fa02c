"""Write memories that another file had, under the names they had there."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import driver_cursor, run_sql
from afterword.pipeline.domain.memory.model import OWNER_SOURCES, NewMemory
from afterword.pipeline.domain.memory.rows import NewMemoryRow
from afterword.pipeline.domain.memory.write import insert_prepared, insert_restored, prepare
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError

_UID: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
_KNOWN: Final = "SELECT uid, content FROM memories WHERE uid IN (SELECT value FROM json_each(?))"
_FORGOTTEN: Final = """
SELECT detail ->> 'uid' FROM audit_log
WHERE tool_call = 'forget.erase' AND object_table = 'memories'
  AND detail ->> 'uid' IN (SELECT value FROM json_each(?))
"""
_MOMENTS: Final = """
UPDATE memories SET known_at = ?, created_at = ?, updated_at = ?, superseded_at = ?, stale_at = ?
WHERE uid = ?
"""
_CLAIMED: Final = (
    "origin, source, session_id, scenario_id, metadata: who said it is a claim, kept in metadata,"
    " since nobody whose key is here signed it"
)


@dataclass(frozen=True, slots=True)
class CarriedResult:
    """What became of a carried memory.

    Args:
        outcome: `new`, `known` or `refused`.
        problem: why it was refused.
        notes: what differs from what was carried, and why.
    """

    outcome: str
    problem: str = ""
    notes: tuple[str, ...] = ()


class CarriedTrust(NamedTuple):
    """How far rows that are carried are believed.

    Args:
        is_own: they are of this very group, so it knew them when they say; else it learns of them
            now.
        is_known: who said them is believed; else they are words of an import, and what they say of
            themselves goes into their metadata.
    """

    is_own: bool
    is_known: bool


def flag_note(families: Sequence[str]) -> str:
    """Return what an import says of a text that is flagged."""
    return f"it reads like an order to the agent ({' '.join(families)}): flagged"


def write_carried(
    conn: Connection,
    by: Writer,
    lines: Sequence[Mapping[str, Any]],
    now: datetime,
    trust: CarriedTrust,
) -> list[CarriedResult]:
    """Write memories by the columns they had, moments in microseconds."""
    uids = json.dumps([line["uid"] for line in lines])
    known = dict(run_sql(conn, _KNOWN, (uids,)).fetchall())
    forgotten = {uid for (uid,) in run_sql(conn, _FORGOTTEN, (uids,)).fetchall()}
    results: list[CarriedResult] = []
    fresh: dict[str, tuple[NewMemoryRow, Mapping[str, Any]]] = {}
    for line in lines:
        uid = line["uid"]
        if uid in forgotten:
            results.append(CarriedResult("refused", f"{uid} was forgotten here, for good"))
        elif uid in known or uid in fresh:
            content = known[uid] if uid in known else fresh[uid][0].content
            same = content == line["content"]
            problem = "" if same else f"{uid} has other words here, which stand"
            results.append(CarriedResult("known" if same else "refused", problem))
        else:
            try:
                row, notes = _row(line, is_known=trust.is_known)
            except InvalidInputError as error:
                results.append(CarriedResult("refused", str(error)))
                continue
            fresh[uid] = row, line
            results.append(CarriedResult("new", notes=notes))
    rows = [row for row, _ in fresh.values()]
    if not rows:
        return results
    if trust.is_known:
        insert_restored(conn, by, rows, now)
    else:
        insert_prepared(conn, by, rows, now)
    moments = [
        (*_moments(line, to_micros(now), is_own=trust.is_own), uid)
        for uid, (_, line) in fresh.items()
    ]
    driver_cursor(conn).executemany(_MOMENTS, moments)
    return results


def _row(line: Mapping[str, Any], *, is_known: bool) -> tuple[NewMemoryRow, tuple[str, ...]]:
    if _UID.fullmatch(line["uid"]) is None:
        raise InvalidInputError("uid", "is no name of a memory", "letters and digits")
    metadata, tags = _json(line, "metadata"), _json(line, "tags")
    source, origin, notes = line["source"], line["origin"], []
    session, scenario = line["session_id"], line["scenario_id"]
    if not is_known:
        claimed = {
            name: line[name]
            for name in ("source", "origin", "session_id", "scenario_id")
            if line[name] is not None
        }
        if claimed != {"origin": "import"}:
            metadata = {**metadata, "claimed": claimed} if isinstance(metadata, dict) else metadata
            notes.append(_CLAIMED)
        source = None if source in OWNER_SOURCES else source
        origin, session, scenario = "import", None, None
        if _is_plain_fact(line) and source is None:
            source = "agent_recorded"  # consolidation looks at what an agent recorded
    new = NewMemory(
        line["category"],
        line["content"],
        metadata=metadata,
        source=source,
        origin=origin,
        type=line["type"],
        tags=tags,
        session_id=session,
        scenario_id=scenario,
        occurred_at=None if line["occurred_at"] is None else from_micros(line["occurred_at"]),
    )
    row = prepare(new, line["uid"], "owner", as_fact=_is_plain_fact(line))
    if row.content != line["content"]:
        notes.append("content: secrets in it are masked")
    if row.flags:
        notes.append(flag_note(row.flags))
    return row, tuple(notes)


def _is_plain_fact(line: Mapping[str, Any]) -> bool:
    return bool(line["category"] == "fact" and line["type"] is None)


def _json(line: Mapping[str, Any], name: str) -> Any:
    try:
        return json.loads(line[name])
    except (ValueError, RecursionError):
        raise InvalidInputError(name, "is no JSON", "JSON as text") from None


def _moments(line: Mapping[str, Any], now: int, *, is_own: bool) -> tuple[int | None, ...]:
    """Return when this store learned of a memory, and when it was superseded and went stale."""
    names = ("known_at", "created_at", "updated_at", "superseded_at", "stale_at")
    if is_own:
        return tuple(line[name] for name in names)
    return tuple(
        now if index < 3 or line[name] is not None else None for index, name in enumerate(names)
    )
