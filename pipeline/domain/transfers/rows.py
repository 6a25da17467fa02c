"""SQL over the updates of ledgers."""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.transfers.model import LedgerTransfer

_TRANSFER: Final = Codec(
    LedgerTransfer,
    names={"time_ms": "ts_ms", "raw": "raw_json"},
    given=("occurrence",),
    amounts=("usdc", "fee", "amount"),
)
# What another process wrote meanwhile is left out: OR IGNORE would also swallow a bad row.
_INSERT: Final = _TRANSFER.insert(
    "transfers",
    *("sub_account_id", "venue", "transfer_uid", "known_at", "wallet_address"),
    otherwise="ON CONFLICT (sub_account_id, venue, wallet_address, transfer_uid) DO NOTHING",
)
_OF_ACCOUNT = text(f"""
SELECT {_TRANSFER.columns} FROM transfers
WHERE sub_account_id = :account AND wallet_address = :wallet
  AND (:at IS NULL OR known_at <= :at)
ORDER BY ts_ms, id
""")


def insert(
    conn: Connection,
    account: str,
    venue: str,
    transfers: Iterable[LedgerTransfer],
    now: int,
    wallet: str,
) -> list[LedgerTransfer]:
    """Add updates, known from now on (microseconds); return those that were new.

    Args:
        wallet: the address of the account, by which they can be forgotten, too.
    """
    return [
        transfer
        for transfer in transfers
        if conn.exec_driver_sql(
            _INSERT,
            (*_TRANSFER.write(transfer), account, venue, transfer.transfer_uid, now, wallet),
        ).rowcount
    ]


def transfers(
    conn: Connection, account: str, wallet: str, at: int | None = None
) -> list[LedgerTransfer]:
    """Return the updates of an account, the oldest first, as known at a moment (microseconds).

    Args:
        wallet: its address; a removed account of this name may have had another one.
    """
    values = {"account": account, "wallet": wallet, "at": at}
    rows = conn.execute(_OF_ACCOUNT, values)
    return [_TRANSFER.read(row) for row in rows]
