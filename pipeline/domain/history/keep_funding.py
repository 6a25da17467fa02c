"""Keep payments of funding, and have the trips that they fall into derived again."""

from collections.abc import Sequence

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.fills.rows import unplace
from afterword.pipeline.domain.funding import rows
from afterword.pipeline.domain.funding.model import FundingPayment


def keep_funding(
    store: Store,
    account: str,
    venue: str,
    payments: Sequence[FundingPayment],
    clock: Clock,
    wallet: str | None = None,
) -> int:
    """Store payments of an account, and return how many were new.

    The fills from the first new payment of a market on lose their place, so that the next import,
    of whatever fills, derives their trips again.

    Args:
        wallet: the address of the account.
    """
    with writing(store) as conn:
        new = rows.insert(conn, account, venue, payments, to_micros(clock()), wallet)
        first: dict[str, int] = {}
        for payment in new:
            first[payment.symbol] = min(payment.time_ms, first.get(payment.symbol, payment.time_ms))
        for symbol, time_ms in first.items():
            unplace(conn, account, venue, symbol, time_ms)
    return len(new)
