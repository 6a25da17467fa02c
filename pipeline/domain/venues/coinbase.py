"""Exports of Coinbase: the transactions of an account, and the fills of Advanced Trade."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.legs import Leg, exchange_of
from afterword.pipeline.domain.layouts.pairs import ratio
from afterword.pipeline.domain.layouts.transfers import Transfer, bounded
from afterword.pipeline.errors import InvalidInputError

_TRANSACTIONS: Final = (
    "Timestamp",
    "Transaction Type",
    "Asset",
    "Quantity Transacted",
    "Price Currency",
    "Subtotal",
    "Total (inclusive of fees and/or spread)",
    "Fees and/or Spread",
    "Notes",
)
_TRANSACTIONS_VARIANTS: Final = {
    "Price Currency": ("Spot Price Currency",),
    "Total (inclusive of fees and/or spread)": ("Total (inclusive of fees)",),
    "Fees and/or Spread": ("Fees",),
}
_FILLS: Final = (
    "portfolio",
    "trade id",
    "product",
    "side",
    "created at",
    "size",
    "size unit",
    "price",
    "fee",
    "total",
    "price/fee/total unit",
)
_TIMES: Final = ("%Y-%m-%d %H:%M:%S UTC", "iso")
_BUYS: Final = ("buy", "advanced trade buy", "advance trade buy")
_SELLS: Final = ("sell", "advanced trade sell", "advance trade sell")
_CONVERTED: Final = re.compile(
    r"Converted ([0-9.,]+) ([A-Z0-9]{1,12}) to ([0-9.,]+) ([A-Z0-9]{1,12})\.?"
)
_REASONS: Final = (
    ("staking", "staking"),
    ("reward", "reward"),
    ("learning", "reward"),
    ("income", "reward"),
    ("interest", "interest"),
    ("deposit", "deposit"),
    ("withdrawal", "withdrawal"),
    ("receive", "transfer"),
    ("send", "transfer"),
    ("transfer", "transfer"),
)
_TRANSFERS: Final = {"send": -1, "receive": 1}
"""Types of rows with coins that go elsewhere or come from there; older files have no sign."""

_OTHER_ACCOUNT: Final = re.compile(r"[^A-Za-z0-9_.-]+")


def _transactions(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield purchases, sales and conversions; a conversion is told in the notes only.

    One id may stand on several rows, so it is kept as that of the order. What was paid, `Subtotal`,
    makes the price: the column of prices is that of the market, without the spread.
    """
    items: list[Item] = []
    transfers: list[Transfer] = []
    for row in cells_of(document, *_TRANSACTIONS, variants=_TRANSACTIONS_VARIANTS):
        sort = row.text("Transaction Type").casefold()
        if sort == "convert":
            items.append(_conversion(row, origin))
        elif sort in (*_BUYS, *_SELLS):
            asset, currency = row.text("Asset"), row.text("Price Currency")
            sz = abs(row.number("Quantity Transacted"))
            if not sz:
                raise row.refusal("Quantity Transacted", "a number other than 0")
            items.append(
                Fill(
                    venue="coinbase",
                    account=origin.account,
                    symbol=f"{asset}-{currency}",
                    kind="spot",
                    base=asset,
                    quote=currency,
                    side=row.side("Transaction Type", _BUYS, _SELLS),
                    px=ratio(abs(row.number("Subtotal")), sz),
                    sz=sz,
                    time_ms=row.millis("Timestamp", UTC, *_TIMES),
                    fee=row.number_or_zero("Fees and/or Spread"),
                    fee_token=currency,
                    oid=row.text("ID") or None,
                    raw=row.raw(),
                    line=row.line,
                )
            )
        else:
            if sort in _TRANSFERS:
                with suppress(InvalidInputError):  # a row that is no trade refuses no file
                    units = _TRANSFERS[sort] * abs(row.number("Quantity Transacted"))
                    moment = row.millis("Timestamp", UTC, *_TIMES)
                    transfers.append(Transfer(row.text("Asset"), units, moment))
            reason = next((reason for word, reason in _REASONS if word in sort), "other row")
            items.append(LeftOut(row.line, reason))
    yield from bounded(items, transfers)


def _conversion(row: Cells, origin: Origin) -> Item:
    """Return the trade of one coin for another; `ETH to ETH2` renames a coin."""
    notes = _CONVERTED.fullmatch(row.text("Notes").strip())
    if notes is None:
        raise row.refusal("Notes", "Converted 0.5 BTC to 8 ETH")
    given, received = row.number_in_text("Notes", notes[1]), row.number_in_text("Notes", notes[3])
    if {notes[2], notes[4]} == {"ETH", "ETH2"}:
        return LeftOut(row.line, "renamed coin")
    legs = (
        Leg(row.line, notes[2], -given, Decimal(0), ""),
        Leg(row.line, notes[4], received, Decimal(0), ""),
    )
    exchange = exchange_of(legs)
    if exchange is None:
        raise row.refusal("Notes", "two coins, and amounts above 0")
    return Fill(
        venue="coinbase",
        account=origin.account,
        symbol=f"{exchange.base}-{exchange.quote}",
        kind="spot",
        **exchange._asdict(),
        time_ms=row.millis("Timestamp", UTC, *_TIMES),
        oid=row.text("ID") or None,
        raw=row.raw(),
        line=row.line,
    )


def _fills(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield fills; the unit of price, fee and total is one column."""
    for row in cells_of(document, *_FILLS):
        portfolio, unit = row.text("portfolio"), row.text("price/fee/total unit")
        slot = "" if portfolio == "default" else _OTHER_ACCOUNT.sub("-", portfolio).strip("-")
        yield Fill(
            venue="coinbase",
            account=origin.account_of(slot),
            symbol=row.text("product"),
            kind="spot",
            base=row.text("size unit"),
            quote=unit,
            side=row.side("side", ("buy",), ("sell",)),
            px=row.positive("price"),
            sz=row.positive("size"),
            time_ms=row.millis("created at", UTC, "iso"),
            fee=row.number_or_zero("fee"),
            fee_token=unit,
            tid=row.text("trade id") or None,
            raw=row.raw(),
            line=row.line,
        )


LAYOUTS: Final = (
    Layout(
        "coinbase-transactions",
        "coinbase",
        "Coinbase, transaction history",
        _TRANSACTIONS,
        has_columns(*_TRANSACTIONS, variants=_TRANSACTIONS_VARIANTS),
        _transactions,
    ),
    Layout(
        "coinbase-fills",
        "coinbase",
        "Coinbase Advanced, fills",
        _FILLS,
        has_columns(*_FILLS),
        _fills,
    ),
)
