"""SQL of forgetting, over all places that can hold stored content."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.area import ForgetPlace

_DESCENDANTS = text("""
WITH RECURSIVE fallen (id) AS (
  SELECT value FROM json_each(:ids)
  UNION
  SELECT child_id FROM memory_parents JOIN fallen ON parent_id = fallen.id
)
SELECT id FROM fallen JOIN memories USING (id) ORDER BY id
""")
_VERSIONS = text("""
WITH RECURSIVE version (id) AS (
  SELECT value FROM json_each(:ids)
  UNION
  SELECT memories.id FROM version JOIN memories ON memories.superseded_by = version.id
  UNION
  SELECT superseded_by FROM version JOIN memories USING (id) WHERE superseded_by IS NOT NULL
)
SELECT id FROM version WHERE id NOT IN (SELECT value FROM json_each(:ids)) ORDER BY id
""")
# Edges are deleted by a trigger, all other rows by a foreign key.
_FOLLOWERS: Final = """
SELECT m.name, group_concat(key."from" || ' IN (SELECT value FROM json_each(:ids))', ' OR ')
FROM sqlite_schema AS m, pragma_foreign_key_list(m.name) AS key
WHERE m.type = 'table' AND key."table" = 'memories' AND key.on_delete = 'CASCADE'
GROUP BY m.name
UNION SELECT 'memory_edges',
  'src_table = ''memories'' AND src_id IN (SELECT value FROM json_each(:ids))' ORDER BY 1
"""
_ACCOUNTS_AT = text("""
SELECT sub_account_id FROM perps_fills WHERE wallet_address = :address
UNION SELECT sub_account_id FROM funding_payments WHERE wallet_address = :address
UNION SELECT sub_account_id FROM transfers WHERE wallet_address = :address
UNION SELECT name FROM accounts AS own WHERE address = :address AND NOT EXISTS (
  SELECT 1 FROM accounts AS other
  WHERE other.name = own.name AND other.address <> own.address AND other.removed_at IS NULL)
ORDER BY 1
""")
# A file that names its accounts puts them below the name of its owner.
_IS_OF: Final = """EXISTS (
  SELECT 1 FROM json_each(:accounts) AS account WHERE {account} = account.value
    OR substr({account}, 1, length(account.value) + 1) = account.value || '/')"""
_ERASED = text("""
SELECT max(at) FROM audit_log
WHERE tool_call = 'forget.erase' AND object_table = 'memories'
  AND (object_id = :id OR detail ->> 'uid' = :uid)
""")
_TEXT_COLUMNS: Final = """
SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND c.type = 'TEXT'
  AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT LIKE '%\\_fts\\_%' ESCAPE '\\'
ORDER BY m.name, c.cid
"""


def accounts_at(conn: Connection, address: str) -> tuple[str, ...]:
    """Return the names of accounts at an address, also of removed ones and of those of fills.

    A name that another address has now is none of them.
    """
    return tuple(conn.execute(_ACCOUNTS_AT, {"address": address.lower()}).scalars())


def page(
    conn: Connection,
    place: ForgetPlace,
    memories: Sequence[int],
    accounts: Sequence[str],
    after: int,
    limit: int,
) -> list[tuple[int, bool, Sequence[Any]]]:
    """Return rows of a place with any text: rowid, whether one is named, their cells.

    Args:
        memories: ids of the memories that a row may refer to.
        accounts: names of the accounts that a row may be of.
        after: only rows with a higher rowid.
    """
    columns = (*place.words, *place.json)
    is_of = _IS_OF.format(account=place.account) if place.account and accounts else ""
    named = " OR ".join(filter(None, (place.names, is_of))) or "false"
    says = " OR ".join([*(f"{column} <> ''" for column in columns), named])
    query = text(f"""
        SELECT {place.key}, {named}, {", ".join(columns)} FROM {place.table}
        WHERE {place.key} > :after AND ({says}) ORDER BY {place.key} LIMIT :limit
    """)
    values: dict[str, Any] = {"after": after, "limit": limit}
    if place.names:
        values["memories"] = json.dumps(list(memories))
    if is_of:
        values["accounts"] = json.dumps(list(accounts))
    return [(row[0], bool(row[1]), row[2:]) for row in conn.execute(query, values)]


def cells(
    conn: Connection, place: ForgetPlace, ids: Sequence[int]
) -> list[tuple[int, Sequence[Any]]]:
    """Return the cells of the rows of a place that still exist."""
    columns = ", ".join((*place.words, *place.json))
    query = text(f"""
        SELECT {place.key}, {columns} FROM {place.table}
        WHERE {place.key} IN (SELECT value FROM json_each(:ids)) ORDER BY {place.key}
    """)
    return [(row[0], row[1:]) for row in conn.execute(query, {"ids": json.dumps(list(ids))})]


def erase(conn: Connection, place: ForgetPlace, ids: Sequence[int]) -> None:
    """Erase rows of a place, or blank the columns that hold words."""
    change = (
        f"UPDATE {place.table} SET {place.blank}" if place.blank else f"DELETE FROM {place.table}"
    )
    these = f"{place.key} IN (SELECT value FROM json_each(:ids))"
    conn.execute(text(f"{change} WHERE {these}"), {"ids": json.dumps(list(ids))})


def erase_equal(conn: Connection, place: ForgetPlace, texts: Sequence[str]) -> None:
    """Erase rows of a place with a column of words that equals one of these texts."""
    equal = " OR ".join(
        f"{column} IN (SELECT value FROM json_each(:texts))" for column in place.words
    )
    change = f"UPDATE {place.table} SET {place.blank} WHERE {equal}"
    conn.execute(text(change), {"texts": json.dumps(list(texts))})


def with_descendants(conn: Connection, ids: Sequence[int]) -> list[int]:
    """Return the memories that exist, and all memories that were derived from them."""
    return list(conn.execute(_DESCENDANTS, {"ids": json.dumps(list(ids))}).scalars())


def versions(conn: Connection, ids: Sequence[int]) -> list[int]:
    """Return earlier and later versions of memories, without the memories themselves."""
    return list(conn.execute(_VERSIONS, {"ids": json.dumps(list(ids))}).scalars())


def followers(conn: Connection, memories: Sequence[int]) -> dict[str, int]:
    """Return how many rows of other tables are deleted with memories; count by table."""
    values = {"ids": json.dumps(list(memories))}
    found = {
        str(table): conn.execute(
            text(f"SELECT count(*) FROM {table} WHERE {follows}"), values
        ).scalar_one()
        for table, follows in conn.exec_driver_sql(_FOLLOWERS).all()
    }
    return {table: count for table, count in found.items() if count}


def uids(conn: Connection, memories: Sequence[int]) -> dict[int, str]:
    """Return the uids of memories by their ids."""
    query = text("SELECT id, uid FROM memories WHERE id IN (SELECT value FROM json_each(:ids))")
    rows = conn.execute(query, {"ids": json.dumps(list(memories))})
    return {int(row_id): str(uid) for row_id, uid in rows}


def erased_at(conn: Connection, memory: str | int) -> datetime | None:
    """Return when a memory was forgotten; None if it was not."""
    named = {"id": memory if isinstance(memory, int) else None, "uid": str(memory)}
    at = conn.execute(_ERASED, named).scalar_one()
    return None if at is None else from_micros(at)


def keep_sealed(conn: Connection, now: datetime, sealed: bytes) -> None:
    """Store an erasure without a proof, with its sealed texts."""
    add = text("INSERT INTO erasures (at, sealed) VALUES (:now, :sealed)")
    conn.execute(add, {"now": to_micros(now), "sealed": sealed})


def unproved(conn: Connection) -> dict[int, bytes]:
    """Return the sealed texts of the erasures without a proof, by id."""
    query = "SELECT id, sealed FROM erasures WHERE proved_at IS NULL ORDER BY id"
    return {int(row_id): bytes(sealed) for row_id, sealed in conn.exec_driver_sql(query)}


def mark_proved(conn: Connection, ids: Sequence[int], now: datetime) -> None:
    """Remove the sealed texts of erasures, and note the time of their proof."""
    done = text("""
        UPDATE erasures SET sealed = NULL, proved_at = :now
        WHERE id IN (SELECT value FROM json_each(:ids))
    """)
    conn.execute(done, {"now": to_micros(now), "ids": json.dumps(list(ids))})


def text_columns(conn: Connection) -> dict[str, list[str]]:
    """Return the text columns of every table, without the tables of word indexes."""
    found: dict[str, list[str]] = {}
    for table, column in conn.exec_driver_sql(_TEXT_COLUMNS):
        found.setdefault(str(table), []).append(str(column))
    return found
