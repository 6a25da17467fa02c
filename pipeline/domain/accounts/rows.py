"""SQL over the accounts at venues."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.accounts.model import Account

_ACCOUNT: Final = Codec(
    Account, moments=("added_at", "paused_at", "removed_at"), items=("markets",)
)
_LIST = text(f"""
SELECT {_ACCOUNT.columns} FROM accounts
WHERE added_at <= coalesce(:at, added_at) AND (removed_at IS NULL OR removed_at > :at)
ORDER BY name
""")
_OWN = text(f"""
SELECT {_ACCOUNT.columns}, id FROM accounts
WHERE kind = 'own' AND (:venue IS NULL OR venue = :venue) AND added_at <= coalesce(:at, added_at)
  AND (removed_at IS NULL OR removed_at > :at)
ORDER BY name
""")
_BY_NAME = text(
    f"SELECT {_ACCOUNT.columns} FROM accounts WHERE name = :name AND removed_at IS NULL"
)
_BY_ADDRESS = text(f"""
SELECT {_ACCOUNT.columns} FROM accounts
WHERE venue = :venue AND address = :address AND removed_at IS NULL
""")
# Those whose trades are kept under another name have the address of one.
_REFERENCE_NAMES = text("""
WITH reference AS (
  SELECT name, address FROM accounts
  WHERE kind = 'reference' AND added_at <= coalesce(:at, added_at)
    AND (removed_at IS NULL OR removed_at > :at))
SELECT name FROM reference
UNION
SELECT sub_account_id FROM perps_fills WHERE wallet_address IN (SELECT address FROM reference)
""")
_INSERT: Final = _ACCOUNT.insert("accounts")
_PAUSE = text("""
UPDATE accounts SET paused_at = :at
WHERE removed_at IS NULL AND (:name IS NULL OR name = :name)
  AND (paused_at IS NULL) <> (:at IS NULL)
RETURNING id
""")
_REMOVE = text("""
UPDATE accounts SET removed_at = :now WHERE name = :name AND removed_at IS NULL RETURNING id
""")


def listed(conn: Connection, at: int | None = None) -> list[Account]:
    """Return the accounts by name, as they were at a moment (microseconds)."""
    return [_ACCOUNT.read(row) for row in conn.execute(_LIST, {"at": at})]


def own(conn: Connection, venue: str | None = None, at: int | None = None) -> dict[int, Account]:
    """Return the owner's own accounts at a venue, or at all, by row id, in the order of their
    names; see `listed`."""
    rows = conn.execute(_OWN, {"venue": venue, "at": at})
    return {row.id: _ACCOUNT.read(row) for row in rows}


def named(conn: Connection, name: str) -> Account | None:
    """Return the account of this name."""
    row = conn.execute(_BY_NAME, {"name": name}).one_or_none()
    return None if row is None else _ACCOUNT.read(row)


def at_address(conn: Connection, venue: str, address: str) -> Account | None:
    """Return the account at an address."""
    row = conn.execute(_BY_ADDRESS, {"venue": venue, "address": address}).one_or_none()
    return None if row is None else _ACCOUNT.read(row)


def reference_names(conn: Connection, at: int | None) -> frozenset[str]:
    """Return the names under which trades of reference accounts are kept, at a moment
    (microseconds)."""
    return frozenset(conn.execute(_REFERENCE_NAMES, {"at": at}).scalars())


def insert(conn: Connection, account: Account) -> int:
    """Add an account and return its row id."""
    row_id: int | None = conn.exec_driver_sql(_INSERT, _ACCOUNT.write(account)).lastrowid
    assert row_id is not None, "an insert has a row"
    return row_id


def pause(conn: Connection, name: str | None, at: int | None) -> list[int]:
    """Pause an account, or all, from a moment on (microseconds), or end the pause with None.

    Returns:
        The row ids of those that were not so before.
    """
    return list(conn.execute(_PAUSE, {"name": name, "at": at}).scalars())


def remove(conn: Connection, name: str, now: int) -> int | None:
    """End an account (microseconds); return its row id, None if there is none."""
    row_id: int | None = conn.execute(_REMOVE, {"name": name, "now": now}).scalar_one_or_none()
    return row_id
