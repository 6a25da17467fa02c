"""SQL over the flags of texts that read like orders to the agent."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple, get_args

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros

FlaggedTable = Literal[
    "memories", "role_memory", "user_profile", "financial_profile", "learned_preferences"
]
"""Tables whose texts reach prompts."""

TABLES: Final[tuple[FlaggedTable, ...]] = get_args(FlaggedTable)

_NOW: Final = "cleared_at IS NULL"
_THEN: Final = "flagged_at <= :as_of AND (cleared_at IS NULL OR cleared_at > :as_of)"

FAMILIES: Final = f"""coalesce((
  SELECT families FROM injection_flags
  WHERE object_table = 'memories' AND object_id = memories.id AND {_NOW}), '') AS flagged"""
"""Column: the families of a memory's flag, separated by blanks; empty without one."""

_OPEN: Final = text(f"""
SELECT object_id, families FROM injection_flags
WHERE object_table = :object_table AND {_NOW}
  AND object_id IN (SELECT value ->> 0 FROM json_each(:flags))
""")
_END: Final = text(f"""
UPDATE injection_flags SET cleared_at = max(:now, flagged_at)
WHERE object_table = :object_table AND {_NOW}
  AND object_id IN (SELECT value ->> 0 FROM json_each(:flags))
""")
_FLAG: Final = text("""
INSERT INTO injection_flags (object_table, object_id, families, flagged_at)
SELECT :object_table, value ->> 0, value ->> 1, :now FROM json_each(:flags)
""")
_CLEAR: Final = text(f"""
UPDATE injection_flags SET cleared_at = max(:now, flagged_at)
WHERE object_table = :object_table AND object_id = :object_id AND {_NOW}
""")
_WORDS: Final[dict[FlaggedTable, str]] = {
    "memories": "content || ' . ' || tags || ' . ' || metadata",
    "role_memory": "decision || ' . ' || ifnull(asset, '') || ' . ' || ifnull(mark_note, '')"
    " || ' . ' || ifnull(narrative, '') || ' . ' || ifnull(lesson, '')",
    "user_profile": "key || ': ' || value",
    "financial_profile": "iif(financial_profile.id = prompt_id, custom_prompt, '')",
    "learned_preferences": "iif(learned_preferences.id = text_id, statement, '')",
}
_LIST: Final = " UNION ALL ".join(
    f"""
SELECT flag.object_table, flag.object_id, flag.families, flag.flagged_at, {words}
FROM injection_flags AS flag JOIN {table} ON {table}.id = flag.object_id
WHERE flag.object_table = '{table}' AND flag.{_NOW}"""
    for table, words in _WORDS.items()
)
_FLAGGED: Final = text(f"{_LIST} ORDER BY 4 DESC, 1, 2 LIMIT :most")
_OF: Final = text(f"""
SELECT families FROM injection_flags
WHERE object_table = :object_table AND object_id = :object_id AND {_NOW}
""")
_AT: Final = text(f"""
SELECT object_id, families FROM injection_flags
WHERE object_table = :object_table AND object_id IN (SELECT value FROM json_each(:ids)) AND {_THEN}
""")
_COUNTS: Final = text(f"SELECT families, count(*) FROM injection_flags WHERE {_NOW} GROUP BY 1")
_NUMBER: Final = text(f"SELECT count(*) FROM injection_flags WHERE {_NOW}")
_UNFLAGGED: Final = """
SELECT id, {words} FROM {table}
WHERE id > :after AND NOT EXISTS (SELECT 1 FROM injection_flags AS flag
  WHERE flag.object_table = '{table}' AND flag.object_id = {table}.id)
ORDER BY id LIMIT :most
"""


class FlagRow(NamedTuple):
    """A flag that is not cleared, with the words it is about."""

    table: FlaggedTable
    id: int
    families: tuple[str, ...]
    flagged_at: datetime
    words: str


def not_flagged(table: FlaggedTable, *, is_now: bool = True) -> str:
    """Return the condition that a row of a table may enter a prompt, now or at `:as_of`."""
    return (
        "NOT EXISTS (SELECT 1 FROM injection_flags AS flag"
        f" WHERE flag.object_table = '{table}' AND flag.object_id = {table}.id"
        f" AND {_NOW if is_now else _THEN})"
    )


def flagged_memories(visible: str, *, is_now: bool = True) -> str:
    """Return the expression that counts the flagged memories of a condition, now or at `:as_of`."""
    return (
        "(SELECT count(*) FROM injection_flags AS flag"
        " CROSS JOIN memories ON memories.id = flag.object_id"
        f" WHERE flag.object_table = 'memories' AND {_NOW if is_now else _THEN} AND {visible})"
    )


def flag(
    conn: Connection, table: FlaggedTable, by_id: Mapping[int, Sequence[str]], now: int
) -> None:
    """Flag rows (their families by id) from now on (microseconds); they get no vector.

    A flag that stands grows: it ends, and one with the families of both begins.
    """
    values: dict[str, object] = {"object_table": table, "now": now}
    stands = {
        int(row_id): str(names)
        for row_id, names in conn.execute(_OPEN, values | {"flags": _json(by_id)})
    }
    grown = {
        row_id: tuple(dict.fromkeys((*stands.get(row_id, "").split(), *names)))
        for row_id, names in by_id.items()
        if not set(names) <= set(stands.get(row_id, "").split())
    }
    values["flags"] = _json(grown)
    if stands:
        conn.execute(_END, values)
    conn.execute(_FLAG, values)


def clear(conn: Connection, table: FlaggedTable, row_id: int, now: int) -> bool:
    """Clear a flag (microseconds), so that the row waits for its vector; False without a flag."""
    values = {"object_table": table, "object_id": row_id, "now": now}
    return conn.execute(_CLEAR, values).rowcount == 1


def flagged(conn: Connection, most: int) -> list[FlagRow]:
    """Return the flags that are not cleared, the latest first."""
    return [
        FlagRow(table, row_id, tuple(names.split()), from_micros(at), words)
        for table, row_id, names, at, words in conn.execute(_FLAGGED, {"most": most})
    ]


def families(conn: Connection, table: FlaggedTable, row_id: int) -> tuple[str, ...]:
    """Return the families of a row's flag; empty if it has none, or it was cleared."""
    names = conn.execute(_OF, {"object_table": table, "object_id": row_id}).scalar_one_or_none()
    return tuple(str(names or "").split())


def families_at(
    conn: Connection, table: FlaggedTable, ids: Sequence[int], as_of: int
) -> dict[int, tuple[str, ...]]:
    """Return the families of the flags that rows had at a moment (microseconds), by id."""
    values = {"object_table": table, "ids": json.dumps(list(ids)), "as_of": as_of}
    return {int(row_id): tuple(names.split()) for row_id, names in conn.execute(_AT, values)}


def counts(conn: Connection) -> dict[str, int]:
    """Count the flags that are not cleared by their families."""
    counted: dict[str, int] = {}
    for names, number in conn.execute(_COUNTS):
        for family in names.split():
            counted[family] = counted.get(family, 0) + int(number)
    return dict(sorted(counted.items()))


def number(conn: Connection) -> int:
    """Return how many texts are flagged now; count."""
    return int(conn.execute(_NUMBER).scalar_one())


def never_flagged(
    conn: Connection, table: FlaggedTable, after: int, most: int
) -> list[tuple[int, str]]:
    """Return rows (id, words) after an id that never had a flag, in the order of ids."""
    statement = text(_UNFLAGGED.format(table=table, words=_WORDS[table]))
    return [
        (int(row.id), str(row[1]))
        for row in conn.execute(statement, {"after": after, "most": most})
    ]


def _json(by_id: Mapping[int, Sequence[str]]) -> str:
    return json.dumps([(row_id, " ".join(names)) for row_id, names in by_id.items()])
