"""Exports of Gate.io: billing details, whose legs are joined by `action_data`."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin, line_of
from afterword.pipeline.domain.layouts.legs import BROKEN, LEG, Leg, exchange_of, netted, raw_of

_BILLS: Final = ("no", "time", "action_desc", "action_data", "type", "change_amount", "amount")

_FILLED: Final = ("order fullfilled", "order fulfilled", "order filled")
_PLACED: Final = ("order placed", "order cancelled", "order canceled")
_FEES: Final = ("trading fees", "trading fee")
_REASONS: Final = (
    ("deposit", "deposit"),
    ("withdraw", "withdrawal"),
    ("transfer", "transfer"),
    ("funding", "funding"),
    ("interest", "interest"),
    ("airdrop", "reward"),
)


def _bills(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield the trade of each order: what was placed less what was given back, and what came in."""
    items: list[Item] = []
    orders: dict[str, list[tuple[str, int, Leg]]] = {}
    for row in cells_of(document, *_BILLS):
        action = row.text("action_desc").casefold()
        if action not in (*_FILLED, *_PLACED, *_FEES):
            reason = next((reason for word, reason in _REASONS if word in action), "other row")
            items.append(LeftOut(row.line, reason))
            continue
        change = row.number("change_amount")
        amount, fee = (Decimal(0), -change) if action in _FEES else (change, Decimal(0))
        moment = row.millis("time", origin.zone_or_refuse(), "%Y-%m-%d %H:%M:%S")
        leg = Leg(row.line, row.text("type"), amount, fee, row.raw())
        orders.setdefault(row.text("action_data"), []).append((action, moment, leg))
    for order, group in orders.items():
        items += _trade(order, group, origin)
    yield from sorted(items, key=line_of)


def _trade(order: str, group: list[tuple[str, int, Leg]], origin: Origin) -> Iterator[Item]:
    legs = [leg for _, _, leg in group]
    filled = [moment for action, moment, _ in group if action in _FILLED]
    exchange = exchange_of(netted(legs)) if order and filled else None
    if exchange is None:
        reason = BROKEN if filled else "order without execution"
        yield from (LeftOut(leg.line, reason) for leg in legs)
        return
    yield Fill(
        venue="gate",
        account=origin.account,
        symbol=f"{exchange.base}_{exchange.quote}",
        kind="spot",
        **exchange._asdict(),
        time_ms=max(filled),
        oid=order,
        raw=raw_of(legs),
        line=legs[0].line,
    )
    yield from (LeftOut(leg.line, LEG) for leg in legs[1:])


LAYOUTS: Final = (
    Layout(
        "gate-billing", "gate", "Gate.io, Billing details", _BILLS, has_columns(*_BILLS), _bills
    ),
)
