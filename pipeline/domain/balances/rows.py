"""SQL over the values of accounts."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.balances.model import AccountValue, CoveredValue

_VALUE: Final = Codec(
    AccountValue,
    names={"time_ms": "ts_ms"},
    amounts=("perps", "unrealised", "spot_usdc"),
    flags=("is_unified",),
    json=("positions", "tokens"),
)
# Two runs in one millisecond: the first one counts.
_INSERT: Final = _VALUE.insert(
    "account_values",
    *("sub_account_id", "venue", "asked_at", "known_at", "wallet_address"),
    otherwise="ON CONFLICT (sub_account_id, venue, wallet_address, ts_ms) DO NOTHING",
)
_COVER = text("""
UPDATE account_values SET covered_at = max(:now, known_at), whole_since_ms = :whole_since
WHERE sub_account_id = :account AND covered_at IS NULL AND asked_at <= :upto
""")
_OF_ACCOUNT = text(f"""
SELECT {_VALUE.columns}, whole_since_ms FROM account_values
WHERE sub_account_id = :account AND wallet_address = :wallet
  AND covered_at <= coalesce(:at, covered_at)
ORDER BY ts_ms
""")

# Of a name that had several addresses, only what is whole for each of them.
_WHOLE = text("""
SELECT sub_account_id, venue, max(whole_since_ms), min(ts_ms) FROM (
  SELECT sub_account_id, venue, whole_since_ms, max(ts_ms) AS ts_ms FROM account_values
  WHERE covered_at <= coalesce(:at, covered_at)
  GROUP BY sub_account_id, venue, wallet_address)
GROUP BY sub_account_id, venue
""")


def insert(
    conn: Connection,
    account: str,
    venue: str,
    value: AccountValue,
    asked_at: int,
    now: int,
    wallet: str,
) -> None:
    """Add a value, known from now on (microseconds); it is not covered yet.

    Args:
        asked_at: when it was asked for; microseconds.
        wallet: the address of the account, by which it can be forgotten, too.
    """
    conn.exec_driver_sql(_INSERT, (*_VALUE.write(value), account, venue, asked_at, now, wallet))


def cover(conn: Connection, account: str, upto: int, whole_since_ms: int, now: int) -> None:
    """Say that every row up to the values of an account is mirrored.

    Args:
        upto: of values that were asked for until then; microseconds, as `now`.
        whole_since_ms: nothing is missing from here on; UTC milliseconds.
    """
    values = {"account": account, "upto": upto, "whole_since": whole_since_ms, "now": now}
    conn.execute(_COVER, values)


def covered(
    conn: Connection, account: str, wallet: str, at: int | None = None
) -> list[CoveredValue]:
    """Return the covered values of an account, the oldest first, as known at a moment.

    Args:
        wallet: its address; a removed account of this name may have had another one.
        at: microseconds.
    """
    rows = conn.execute(_OF_ACCOUNT, {"account": account, "wallet": wallet, "at": at})
    return [CoveredValue(_VALUE.read(row), row[-1]) for row in rows]


def whole_spans(conn: Connection, at: int | None = None) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the span of which the mirror of an account has every row, by (account, venue).

    Args:
        at: as known at a moment (microseconds); now if None.

    Returns:
        First and last moment of each; UTC milliseconds.
    """
    rows = conn.execute(_WHOLE, {"at": at})
    return {(account, venue): (since_ms, upto_ms) for account, venue, since_ms, upto_ms in rows}
