"""SQL over the capital of a group, and over what its accounts were last told to hold."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.capital.model import CapitalMetrics, CapitalPart, CapitalPartName


class StoredPart(NamedTuple):
    """What an account was last told to hold.

    Args:
        account_id: row of the account.
        value_micro_usd: None before it was told; `known_at` likewise.
        tried_at: when it was last asked for.
        error: why that failed; None if it did not.
    """

    account_id: int
    part: CapitalPartName
    value_micro_usd: int | None
    known_at: datetime | None
    unpriced: tuple[str, ...]
    tried_at: datetime
    error: str | None


class CapitalBook(NamedTuple):
    """All that is stored of a capital.

    Args:
        accounts: the owner's own ones by row id.
        parts: by account and part.
        newest_id: row of the newest capital; None without one. `newest` likewise.
    """

    accounts: dict[int, Account]
    parts: dict[tuple[int, CapitalPartName], StoredPart]
    newest_id: int | None
    newest: CapitalMetrics | None


def _read_parts(stored: str) -> tuple[CapitalPart, ...]:
    return tuple(map(_read_part, json.loads(stored)))


def _read_part(stored: dict[str, Any]) -> CapitalPart:
    known_at, unpriced = from_micros(stored["known_at"]), tuple(stored["unpriced"])
    return CapitalPart(**stored | {"known_at": known_at, "unpriced": unpriced})


def _written_parts(parts: Sequence[CapitalPart]) -> str:
    return json.dumps([asdict(part) | {"known_at": to_micros(part.known_at)} for part in parts])


_STORED: Final = Codec(StoredPart, moments=("known_at", "tried_at"), items=("unpriced",))
_CAPITAL: Final = Codec(
    CapitalMetrics,
    moments=("computed_at",),
    codings={"parts": Coding(_read_parts, _written_parts)},
)
_INSERT: Final = _CAPITAL.insert("capital_metrics")
# The newest row counts, not the latest moment: a clock that was set back must not keep an old one.
_NEWEST = text(f"""
SELECT {_CAPITAL.columns}, id FROM capital_metrics
WHERE :at IS NULL OR computed_at <= :at ORDER BY id DESC LIMIT 1
""")
_PARTS = text(f"SELECT {_STORED.columns} FROM capital_parts")
_KEEP: Final = _STORED.insert(
    "capital_parts",
    otherwise="""ON CONFLICT (account_id, part) DO UPDATE SET
  value_micro_usd = coalesce(excluded.value_micro_usd, value_micro_usd),
  known_at = coalesce(excluded.known_at, known_at),
  unpriced = CASE WHEN excluded.error IS NULL THEN excluded.unpriced ELSE unpriced END,
  tried_at = excluded.tried_at, error = excluded.error""",
)


def book(conn: Connection) -> CapitalBook:
    """Return all that is stored of the capital."""
    parts = map(_STORED.read, conn.execute(_PARTS))
    row = conn.execute(_NEWEST, {"at": None}).one_or_none()
    return CapitalBook(
        account_rows.own(conn),
        {(part.account_id, part.part): part for part in parts},
        None if row is None else row.id,
        None if row is None else _CAPITAL.read(row),
    )


def capital_at(conn: Connection, at: int | None = None) -> CapitalMetrics | None:
    """Return the newest capital as known at a moment (microseconds)."""
    row = conn.execute(_NEWEST, {"at": at}).one_or_none()
    return None if row is None else _CAPITAL.read(row)


def keep(conn: Connection, parts: Sequence[StoredPart]) -> None:
    """Keep what looks came to; one that failed leaves the value. A removed account is left out."""
    known = account_rows.own(conn)
    for part in parts:
        if part.account_id in known:
            conn.exec_driver_sql(_KEEP, _STORED.write(part))


def insert(conn: Connection, capital: CapitalMetrics) -> None:
    """Add a capital; it counts from now on."""
    conn.exec_driver_sql(_INSERT, _CAPITAL.write(capital))
