"""SQL over payments of funding."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import AMOUNT, Codec
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.funding.model import FundingPayment

_PAYMENT: Final = Codec(
    FundingPayment, names={"time_ms": "ts_ms"}, amounts=("amount", "position", "rate")
)
# What another process wrote meanwhile is left out: OR IGNORE would also swallow a bad row.
_INSERT: Final = _PAYMENT.insert(
    "funding_payments",
    *("sub_account_id", "venue", "known_at", "wallet_address"),
    otherwise="ON CONFLICT (sub_account_id, venue, symbol, ts_ms) DO NOTHING RETURNING ts_ms",
)
_OF_SPAN = text("""
SELECT ts_ms, amount FROM funding_payments
WHERE sub_account_id = :account AND venue = :venue AND symbol = :symbol
  AND ts_ms > :after AND ts_ms <= :upto
ORDER BY ts_ms
""")
_OF_ACCOUNT = text(f"""
SELECT {_PAYMENT.columns} FROM funding_payments
WHERE {of_account()} AND (:at IS NULL OR known_at <= :at)
ORDER BY ts_ms, symbol, id
""")

_PAID = text("""
SELECT ts_ms, symbol, amount FROM funding_payments
WHERE sub_account_id = :account AND (wallet_address IS NULL OR wallet_address = :wallet)
  AND (:at IS NULL OR known_at <= :at)
ORDER BY ts_ms, symbol
""")


def insert(
    conn: Connection,
    account: str,
    venue: str,
    payments: Iterable[FundingPayment],
    now: int,
    wallet: str | None = None,
) -> list[FundingPayment]:
    """Add payments, known from now on (microseconds); return those that were new.

    Args:
        wallet: the address of the account, by which they can be forgotten, too.
    """
    beside = (account, venue, now, wallet)
    return [
        payment
        for payment in payments
        if conn.exec_driver_sql(_INSERT, (*_PAYMENT.write(payment), *beside)).one_or_none()
    ]


def of_span(
    conn: Connection, account: str, venue: str, symbol: str, after_ms: int, upto_ms: int
) -> tuple[tuple[int, Decimal], ...]:
    """Return the payments of a market after a moment, up to another one, as (ms, amount)."""
    values = {
        "account": account,
        "venue": venue,
        "symbol": symbol,
        "after": after_ms,
        "upto": upto_ms,
    }
    return tuple(
        (time_ms, AMOUNT.read(amount)) for time_ms, amount in conn.execute(_OF_SPAN, values)
    )


def payments(
    conn: Connection, account: str | None = None, at: int | None = None
) -> list[FundingPayment]:
    """Return the payments of an account, or of all, as known at a moment (microseconds)."""
    rows = conn.execute(_OF_ACCOUNT, {"account": account, "at": at})
    return [_PAYMENT.read(row) for row in rows]


def paid(
    conn: Connection, account: str, wallet: str, at: int | None = None
) -> list[tuple[int, str, Decimal]]:
    """Return the payments of one account as (UTC milliseconds, symbol, amount).

    Args:
        wallet: its address; a removed account of this name may have had another one.
        at: as known at a moment (microseconds); now if None.
    """
    rows = conn.execute(_PAID, {"account": account, "wallet": wallet, "at": at})
    return [(time_ms, symbol, AMOUNT.read(amount)) for time_ms, symbol, amount in rows]
