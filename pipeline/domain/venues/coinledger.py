"""The full transaction history of CoinLedger: a row for each coin that moved, joined by an id."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import (
    Item,
    Layout,
    LeftOut,
    Origin,
    account_names,
    line_of,
)
from afterword.pipeline.domain.layouts.legs import BROKEN, LEG, Leg, exchange_of, raw_of
from afterword.pipeline.domain.layouts.transfers import Transfer, bounded

_COLUMNS: Final = (
    *("Timestamp (UTC)", "Type", "Internal Id", "Platform", "Account Name", "Platform Id"),
    *("Blockchain Id", "Record Type", "Asset", "Amount", "Description"),
)
_TRADES: Final = frozenset({"trade", "buy", "sell"})
_MOVES: Final = frozenset({"deposit", "withdrawal", "transfer"})
_LEGS: Final = frozenset({"debit", "credit"})
_FEE: Final = " fee"
_ZERO: Final = Decimal(0)


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield trades by the debit, the credit and the fees of one id; other rows are left out.

    A trade of which a leg is missing is told as coins that came or left.
    """
    rows = list(cells_of(document, *_COLUMNS))
    account = account_names((row.text("Account Name") for row in rows), origin)
    trades: dict[tuple[str, str], list[Cells]] = defaultdict(list)
    items: list[Item] = []
    moved: dict[str, list[Transfer]] = defaultdict(list)
    for row in rows:
        sort = row.text("Type").casefold()
        if sort in _TRADES:
            trades[row.text("Account Name"), row.text("Internal Id")].append(row)
            continue
        items.append(LeftOut(row.line, sort[:40] or "no trade"))
        if sort in _MOVES:
            moved[row.text("Account Name")].append(_moved(row))
    for (name, _), legs in trades.items():
        made = list(_trade(legs, account(name)))
        items += made
        if not isinstance(made[0], Fill):
            moved[name] += map(_moved, legs)
    by_account = {account(name): transfers for name, transfers in moved.items()}
    yield from sorted(_bounded(items, by_account), key=line_of)


def _bounded(items: list[Item], moved: dict[str, list[Transfer]]) -> Iterator[Item]:
    """Yield the items, with what was held after coins had left each account."""
    fills: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        fills[item.account if isinstance(item, Fill) else ""].append(item)
    for account, of_account in fills.items():
        yield from bounded(of_account, moved.get(account, ()))


def _trade(rows: list[Cells], account: str) -> Iterator[Item]:
    legs = [_leg(row) for row in rows]
    exchange = exchange_of(legs)
    if exchange is None:
        yield from (LeftOut(row.line, BROKEN) for row in rows)
        return
    yield Fill(
        venue="coinledger",
        account=account,
        symbol=f"{exchange.base}/{exchange.quote}",
        kind="spot",
        **exchange._asdict(),
        fee_is_known=any(leg.fee for leg in legs),
        time_ms=_millis(rows[0]),
        oid=rows[0].text("Internal Id") or None,
        raw=raw_of(legs),
        line=rows[0].line,
    )
    yield from (LeftOut(row.line, LEG) for row in rows[1:])


def _leg(row: Cells) -> Leg:
    """Return what moved in a row.

    Raises:
        InvalidInputError: it is neither given, received nor a fee.
    """
    record, amount = row.text("Record Type").casefold(), row.number("Amount")
    coin = row.text("Asset")
    if record.endswith(_FEE):
        return Leg(row.line, coin, _ZERO, abs(amount), row.raw())
    if record not in _LEGS:
        raise row.refusal("Record Type", "Debit, Credit or a fee of a trade")
    return Leg(row.line, coin, -abs(amount) if record == "debit" else abs(amount), _ZERO, row.raw())


def _moved(row: Cells) -> Transfer:
    return Transfer(row.text("Asset"), row.number("Amount"), _millis(row))


def _millis(row: Cells) -> int:
    return row.millis("Timestamp (UTC)", UTC, "iso")


LAYOUTS: Final = (
    Layout(
        "coinledger-history",
        "coinledger",
        "CoinLedger, transaction history",
        _COLUMNS,
        has_columns(*_COLUMNS),
        _read,
    ),
)
