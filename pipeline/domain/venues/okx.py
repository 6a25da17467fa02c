"""Exports of OKX: the trading history with its preamble, and the history of positions."""

import re
from collections.abc import Iterator
from datetime import tzinfo
from decimal import Decimal
from typing import Final, Literal

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns, header_of
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import (
    ClosedTrade,
    Fill,
    Liquidation,
    MarketKind,
    position_side_of,
)
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin, line_of
from afterword.pipeline.domain.layouts.legs import BROKEN, LEG
from afterword.pipeline.domain.layouts.pairs import zone_in
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import shown

_TRADES: Final = (
    "id",
    "Order id",
    "Time",
    "Trade Type",
    "Symbol",
    "Action",
    "Amount",
    "Trading Unit",
    "Filled Price",
    "PnL",
    "Fee",
    "Fee Unit",
    "Balance Unit",
)
_POSITIONS: Final = (
    "Position Create Time",
    "Position Update Time",
    "Business Line",
    "Instrument Name",
    "Direction",
    "Total Close Quantity",
    "Average Open Price",
    "Average Close Price",
    "Margin Currency",
    "Pnl",
    "Fee",
    "Funding Fee",
    "Liquidation Clearance Fee",
    "Type",
    "Contract Face Value",
    "Contract Multiplier",
)
_TIME: Final = "%Y-%m-%d %H:%M:%S"

CONTRACT_SIZES: Final = {
    "BTC-USDT-SWAP": Decimal("0.01"),
    "ETH-USDT-SWAP": Decimal("0.1"),
    "SOL-USDT-SWAP": Decimal(1),
    "BNB-USDT-SWAP": Decimal("0.01"),
    "LTC-USDT-SWAP": Decimal(1),
    "XRP-USDT-SWAP": Decimal(100),
    "ADA-USDT-SWAP": Decimal(100),
    "DOGE-USDT-SWAP": Decimal(1000),
}
"""Units of one contract, which this export does not tell.

Source: `ctVal` of the venue's public list of instruments, for the swaps that are traded most, as
three public programs print that list (2024 to 2025); they agree on each of these.
"""

_ACTIONS: Final[dict[str, tuple[Literal["B", "A"], Literal["open", "close"] | None]]] = {
    "open long": ("B", "open"),
    "close long": ("A", "close"),
    "open short": ("A", "open"),
    "close short": ("B", "close"),
    "buy": ("B", None),
    "sell": ("A", None),
}
_KINDS: Final[dict[str, MarketKind]] = {
    "perpetual": "perp",
    "perpetual swap": "perp",
    "swap": "perp",
    "futures": "future",
    "expiry futures": "future",
}
_INVERSE: Final = re.compile(r"[A-Z0-9]+-USD-.*")
_NEAR: Final = Decimal("0.0001")


def _trades(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield fills; one of the spot market is two rows, the coin received and the coin paid."""
    zone = _zone_above(document) or origin.zone_or_refuse()
    items: list[Item] = []
    spot: dict[tuple[str, str, str], list[Cells]] = {}
    for row in cells_of(document, *_TRADES):
        sort, action = row.text("Trade Type").casefold(), row.text("Action").casefold()
        if sort == "spot" and action in ("buy", "sell"):
            key = (row.text("Order id"), row.text("Time"), row.text("Symbol"))
            spot.setdefault(key, []).append(row)
        elif sort in _KINDS:
            items.append(_contract(row, _KINDS[sort], zone, origin))
        else:
            items.append(LeftOut(row.line, _reason(sort, action)))
    for rows in spot.values():
        items += _pairs(rows, zone, origin)
    yield from sorted(items, key=line_of)


def _zone_above(document: Document) -> tzinfo | None:
    """Return the zone that the lines before the header name."""
    header = header_of(document, _TRADES)
    assert header is not None  # the layout recognised it
    above = (cell for row in document.head if row.line < header[0].line for cell in row.cells)
    return next((zone for cell in above if (zone := zone_in(cell)) is not None), None)


def _reason(sort: str, action: str) -> str:
    if "funding" in action:
        return "funding"
    if "transfer" in sort or "transfer" in action:
        return "transfer"
    return "margin or option" if sort in ("margin", "option", "options") else "other row"


def _contract(row: Cells, kind: MarketKind, zone: tzinfo, origin: Origin) -> Item:
    """Return the fill of a contract; its amount is counted in contracts, its fee is signed."""
    symbol, action = row.text("Symbol"), row.text("Action").casefold()
    forced = "liquidation" in action
    side_and_effect = _ACTIONS.get(action.replace("liquidation", "").strip())
    if side_and_effect is None:
        return LeftOut(row.line, _reason(row.text("Trade Type").casefold(), action))
    if _INVERSE.fullmatch(symbol):
        return LeftOut(row.line, "coin-margined contract")
    side, effect = side_and_effect
    base, quote, *_ = (*symbol.split("-"), "")
    profit = row.number_or_zero("PnL")
    in_contracts = row.text("Trading Unit").casefold() in ("cont", "contract", "contracts")
    return Fill(
        venue="okx",
        account=origin.account,
        symbol=symbol,
        kind=kind,
        base=base,
        quote=quote or row.text("Balance Unit"),
        side=side,
        px=row.positive("Filled Price"),
        sz=row.positive("Amount"),
        multiplier=_contract_size(row, origin) if in_contracts else Decimal(1),
        time_ms=row.millis("Time", zone, _TIME),
        fee=-row.number_or_zero("Fee"),
        fee_token=row.text("Fee Unit") or None,
        oid=row.text("Order id") or None,
        tid=row.text("id") or None,
        effect=effect or ("close" if profit else None),
        position_side=position_side_of(side, effect) if effect else "",
        closed_pnl=profit,
        dir=row.text("Action"),
        liquidation=Liquidation(None, "liquidation") if forced else None,
        raw=row.raw(),
        line=row.line,
    )


def _contract_size(row: Cells, origin: Origin) -> Decimal:
    symbol = row.text("Symbol")
    size = origin.contract_sizes.get(symbol) or CONTRACT_SIZES.get(symbol)
    if size is None:
        problem = f"counts contracts of {shown(symbol, 40)}, whose size it does not say"
        accepted = f"--contract-size {symbol[:40]}=0.1, the units of one contract"
        raise InvalidInputError(f"{row.name}: line {row.line}", problem, accepted)
    return size


def _pairs(rows: list[Cells], zone: tzinfo, origin: Origin) -> Iterator[Item]:
    """Yield the fills of one order and moment: each leg of the base with its leg of the quote."""
    others = [row for row in rows if not _is_base(row)]
    for row in rows:
        if not _is_base(row):
            continue
        other = next((one for one in others if _belongs(row, one)), None)
        fees = [leg for leg in (row, other) if leg is not None and leg.number_or_zero("Fee")]
        if other is None or len(fees) > 1:
            yield LeftOut(row.line, BROKEN)
            continue
        others.remove(other)
        base, _, quote = row.text("Symbol").partition("-")
        yield Fill(
            venue="okx",
            account=origin.account,
            symbol=row.text("Symbol"),
            kind="spot",
            base=base,
            quote=quote,
            side=row.side("Action", ("buy",), ("sell",)),
            px=row.positive("Filled Price"),
            sz=row.positive("Amount"),
            time_ms=row.millis("Time", zone, _TIME),
            fee=-fees[0].number("Fee") if fees else Decimal(0),
            fee_token=(fees[0].text("Fee Unit") or None) if fees else None,
            oid=row.text("Order id") or None,
            tid=row.text("id") or None,
            raw=f'{{"legs":[{row.raw()},{other.raw()}]}}',
            line=row.line,
        )
        yield LeftOut(other.line, LEG)
    yield from (LeftOut(row.line, BROKEN) for row in others)


def _is_base(row: Cells) -> bool:
    return row.text("Balance Unit") == row.text("Symbol").partition("-")[0]


def _belongs(row: Cells, other: Cells) -> bool:
    """Tell whether a leg of the quote is what a leg of the base was worth, on the other side."""
    if other.text("Balance Unit") != row.text("Symbol").partition("-")[2]:
        return False
    if row.text("Action").casefold() == other.text("Action").casefold():
        return False
    worth = row.positive("Amount") * row.positive("Filled Price")
    return abs(other.positive("Amount") - worth) <= worth * _NEAR


def _positions(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield closed positions; profit, fee, funding and clearance stand apart and are signed."""
    zone = origin.zone_or_refuse()
    for row in cells_of(document, *_POSITIONS):
        symbol = row.text("Instrument Name")
        if "partial" in row.text("Type").casefold():
            yield LeftOut(row.line, "position still open")
            continue
        if _INVERSE.fullmatch(symbol):
            yield LeftOut(row.line, "coin-margined contract")
            continue
        gross, funding = row.number("Pnl"), row.number_or_zero("Funding Fee")
        fees = -row.number_or_zero("Fee") - row.number_or_zero("Liquidation Clearance Fee")
        line = row.text("Business Line").casefold()
        yield ClosedTrade(
            venue="okx",
            account=origin.account,
            symbol=symbol,
            kind=_KINDS.get(line, "perp" if symbol.endswith("-SWAP") else "future"),
            direction="long" if row.side("Direction", ("long",), ("short",)) == "B" else "short",
            size=row.positive("Total Close Quantity"),
            multiplier=row.positive("Contract Face Value") * row.positive("Contract Multiplier"),
            quote=row.text("Margin Currency"),
            opened_at=row.moment("Position Create Time", zone, _TIME),
            closed_at=row.moment("Position Update Time", zone, _TIME),
            entry_px=row.positive("Average Open Price"),
            exit_px=row.positive("Average Close Price"),
            gross=gross,
            fees=fees,
            funding=funding,
            net=gross - fees + funding,
            net_is_after="fees",
            raw=row.raw(),
            line=row.line,
        )


LAYOUTS: Final = (
    Layout(
        "okx-trading-history",
        "okx",
        "OKX, Trading History with a line of account and zone before its header",
        _TRADES,
        has_columns(*_TRADES),
        _trades,
    ),
    Layout(
        "okx-positions",
        "okx",
        "OKX, Position history",
        _POSITIONS,
        has_columns(*_POSITIONS),
        _positions,
    ),
)
