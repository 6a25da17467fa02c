"""Funding of positions that were opened before the first known fill: it is in no trip."""

from collections import defaultdict
from decimal import Decimal
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.fills.model import EXACT

# What was held before a trip's first known fill, since the fill before it.
_UNHELD: Final = text(f"""
SELECT trip.symbol, trip.quote, payment.amount
FROM round_trips AS trip
JOIN perps_fills AS first ON first.id = trip.first_fill_id
JOIN funding_payments AS payment ON payment.sub_account_id = trip.sub_account_id
  AND payment.venue = trip.venue AND payment.symbol = trip.symbol
  AND payment.ts_ms <= first.ts_ms
WHERE {of_account("trip.sub_account_id")}
  AND (:at IS NULL OR trip.known_at <= :at)
  AND (trip.superseded_at IS NULL OR trip.superseded_at > :at)
  AND (:at IS NULL OR payment.known_at <= :at)
  AND trip.closed_at <= :until
  AND EXISTS (SELECT 1 FROM json_each(trip.flags) WHERE value = 'opened_before')
  AND NOT EXISTS (
    SELECT 1 FROM perps_fills AS fill
    WHERE fill.sub_account_id = trip.sub_account_id AND fill.venue = trip.venue
      AND fill.symbol = trip.symbol AND fill.kind = trip.kind
      AND fill.position_side IN ('', 'long', 'short')
      AND fill.ts_ms >= payment.ts_ms AND fill.ts_ms < first.ts_ms)
ORDER BY trip.symbol, payment.ts_ms
""")


class UnheldFunding(NamedTuple):
    """Payments of one market that are in no trip.

    Args:
        amount: in the quote; negative was paid.
    """

    symbol: str
    quote: str
    payments: int
    amount: Decimal


def unheld_funding(
    conn: Connection, until: int, at: int | None, account: str | None
) -> list[UnheldFunding]:
    """Return the funding before the first known fill of trips that were opened before it.

    Args:
        until: of trips that closed by then (microseconds).
        at: as known at a moment (microseconds); now if None.
        account: of one account; of all if None.
    """
    values = {"account": account, "at": at, "until": until}
    amounts: dict[tuple[str, str], list[Decimal]] = defaultdict(list)
    for symbol, quote, amount in conn.execute(_UNHELD, values):
        amounts[symbol, quote].append(Decimal(amount))
    return [
        UnheldFunding(*market, len(payments), _total(payments))
        for market, payments in amounts.items()
    ]


def _total(amounts: list[Decimal]) -> Decimal:
    total = Decimal(0)
    for amount in amounts:
        total = EXACT.add(total, amount)
    return total
