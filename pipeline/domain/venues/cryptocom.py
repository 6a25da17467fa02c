"""Transactions of the Crypto.com App: exchanges in one row, swaps in several."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin, line_of
from afterword.pipeline.domain.layouts.legs import BROKEN, LEG, Leg, exchange_of, raw_of
from afterword.pipeline.domain.layouts.transfers import Transfer, bounded

_COLUMNS: Final = (
    *("Timestamp (UTC)", "Transaction Description", "Currency", "Amount", "To Currency"),
    *("To Amount", "Native Currency", "Native Amount", "Native Amount (in USD)"),
    "Transaction Kind",
)
_HELD: Final = ("_lock", "_unlock")
"""Ends of the kinds of orders that wait, or were taken back."""

_BOUGHT: Final = "crypto_purchase"
"""Bought with a card: what was paid is the amount in the own currency."""

_SWAPS: Final = ("dust_conversion", "dynamic_coin_swap", "lockup_swap", "crypto_wallet_swap")
_PARTS: Final = ("lockup_swap", "crypto_wallet_swap")
"""Swaps that are told again, as one, by a `dynamic_coin_swap` of the same moment."""

_MOVES: Final = frozenset(
    {
        *("crypto_deposit", "crypto_withdrawal", "exchange_to_crypto_transfer", "crypto_payment"),
        *("crypto_to_exchange_transfer", "crypto_transfer"),
    }
)
_REASONS: Final = (
    ("earn_interest", "interest"),
    ("earn", "savings"),
    ("deposit", "deposit"),
    ("withdrawal", "withdrawal"),
    ("transfer", "transfer"),
    ("payment", "payment"),
    ("lock", "order or stake, not a trade"),
    ("rebate", "reward"),
    ("reward", "reward"),
    ("bonus", "reward"),
    ("cashback", "reward"),
    ("reimbursement", "reward"),
    ("gift", "reward"),
)
_ZERO: Final = Decimal(0)
_Swaps = dict[tuple[int, str], list[Cells]]


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield exchanges; the App names no fees: they are in what it gives.

    Of a swap of several coins into one it is not known what each brought: they are told as coins
    that left.
    """
    items: list[Item] = []
    transfers: list[Transfer] = []
    swaps: _Swaps = defaultdict(list)
    for row in cells_of(document, *_COLUMNS):
        kind = row.text("Transaction Kind").casefold()
        swap, _, way = kind.rpartition("_")
        if swap in _SWAPS and way in ("credited", "debited"):
            swaps[_millis(row), swap].append(row)
        elif kind == _BOUGHT or (_is_exchange(row) and not kind.endswith(_HELD)):
            items += _trade([row], _legs_of(row), origin)
        else:
            reason = next((reason for word, reason in _REASONS if word in kind), "other row")
            items.append(LeftOut(row.line, reason))
            if kind in _MOVES:
                transfers.append(_moved(row))
    for (at, swap), rows in swaps.items():
        if swap in _PARTS and (at, "dynamic_coin_swap") in swaps:
            items += [LeftOut(row.line, "part of a swap") for row in rows]
            continue
        made = list(_trade(rows, [_leg(row, "Currency", "Amount") for row in rows], origin))
        items += made
        if not isinstance(made[0], Fill):
            transfers += map(_moved, rows)
    yield from sorted(bounded(items, transfers), key=line_of)


def _is_exchange(row: Cells) -> bool:
    """Tell a row that gave one coin and received another."""
    return row.text("To Currency") not in ("", row.text("Currency"))


def _legs_of(row: Cells) -> list[Leg]:
    """Return what a row gave and received."""
    one = _leg(row, "Currency", "Amount")
    if _is_exchange(row):
        given, received = one, _leg(row, "To Currency", "To Amount")
    else:
        paid = _leg(row, "Native Currency", "Native Amount")
        given, received = paid._replace(amount=-abs(paid.amount)), one
    if given.amount >= 0 or received.amount <= 0:
        raise row.refusal("Amount", "an amount that was given, and one that was received")
    return [given, received]


def _leg(row: Cells, coin: str, amount: str) -> Leg:
    return Leg(row.line, row.text(coin), row.number(amount), _ZERO, row.raw())


def _trade(rows: list[Cells], legs: list[Leg], origin: Origin) -> Iterator[Item]:
    """Yield the exchange that the legs of one row, or of several, make."""
    exchange = exchange_of(legs)
    if exchange is None:
        yield from (LeftOut(row.line, BROKEN) for row in rows)
        return
    yield Fill(
        venue="crypto.com",
        account=origin.account,
        symbol=f"{exchange.base}/{exchange.quote}",
        kind="spot",
        **exchange._asdict(),
        fee_is_known=False,
        time_ms=_millis(rows[0]),
        raw=raw_of(legs) if rows[1:] else rows[0].raw(),
        line=rows[0].line,
    )
    yield from (LeftOut(row.line, LEG) for row in rows[1:])


def _moved(row: Cells) -> Transfer:
    return Transfer(row.text("Currency"), row.number("Amount"), _millis(row))


def _millis(row: Cells) -> int:
    return row.millis("Timestamp (UTC)", UTC, "%Y-%m-%d %H:%M:%S")


LAYOUTS: Final = (
    Layout(
        "cryptocom-app",
        "crypto.com",
        "Crypto.com App, transactions",
        _COLUMNS,
        has_columns(*_COLUMNS),
        _read,
    ),
)
