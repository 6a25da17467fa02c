"""Flex queries of Interactive Brokers in XML, typed by `ibflex`."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from functools import partial
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple
from xml.parsers import expat

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill, MarketKind
from afterword.pipeline.domain.layouts.dates import NEW_YORK
from afterword.pipeline.domain.layouts.layout import (
    Item,
    Layout,
    LeftOut,
    Origin,
    ShareSplit,
    account_names,
)
from afterword.pipeline.domain.layouts.options import contract_of
from afterword.pipeline.domain.venues.ibkr_cancels import Execution, left_out_rows
from afterword.pipeline.domain.venues.ibkr_splits import split_in
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import shown
from afterword.pipeline.rules.tabular.moments import read_zone
from afterword.pipeline.rules.tabular.numbers import read_number

if TYPE_CHECKING:
    from ibflex.Types import Trade

ASSET_KINDS: Final[Mapping[str, MarketKind]] = {
    "STK": "stock",
    "FUND": "stock",
    "WAR": "stock",
    "OPT": "option",
    "FOP": "option",
    "FUT": "future",
    "CASH": "forex",
    "CFD": "cfd",
    "CRYPTO": "spot",
}
"""Asset classes of Flex queries that are read."""

_CHUNK: Final = 1 << 20
_LONGEST: Final = 8 * _CHUNK
"""Bytes of a tag or comment; those of a report have some thousand."""

_FRAME: Final = frozenset({"FlexQueryResponse", "FlexStatements", "FlexStatement"})
_WORD: Final = re.compile(r"(?<!^)([A-Z])")
_ZONED: Final = re.compile(r"(.*[0-9])(?: ([A-Z]{3,4})|([+-][0-9]{2}:?[0-9]{2}))")
_CLOCK: Final = re.compile(r"[0-9][;, T]+[0-9]|[0-9]{14}")
"""A time behind a day, in the forms that `ibflex` reads."""

_READ: Final = (
    *("symbol", "underlyingSymbol", "currency", "quantity", "tradePrice", "multiplier"),
    *("buySell", "openCloseIndicator", "ibCommission", "ibCommissionCurrency", "taxes"),
    *("dateTime", "tradeDate", "tradeID", "transactionID", "ibExecID", "ibOrderID"),
)
_NUMBERS: Final = ("quantity", "tradePrice", "multiplier", "ibCommission", "taxes")
_CONFIRMED: Final = {
    "price": "tradePrice",
    "commission": "ibCommission",
    "commissionCurrency": "ibCommissionCurrency",
    "execID": "ibExecID",
    "orderID": "ibOrderID",
    "tax": "taxes",
}
"""Names of a trade confirmation that differ from those of a trade."""


class _Element(NamedTuple):
    line: int
    tag: str
    attributes: Mapping[str, str]


def _recognises(document: Document) -> bool:
    return document.form == "markup" and "<FlexQueryResponse" in document.content[:4_000]


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield executions; orders, lots and summaries repeat them and are left out."""
    name_of = account_names((row.account for row in _executions(document)), origin)
    cancels = left_out_rows(partial(_executions, document))
    trades = 0
    for element in _elements(document):
        attributes = element.attributes
        if element.tag in _FRAME or not attributes:
            continue
        if (split := _split(document, origin, name_of, element)) is not None:
            yield split
        elif not _is_trade(element):
            level = attributes.get("levelOfDetail", "").lower().replace("_", " ")
            named = _WORD.sub(r" \1", element.tag).lower()
            yield LeftOut(element.line, level if named == "trade" else named)
        elif attributes.get("assetCategory") not in ASSET_KINDS:
            yield LeftOut(element.line, "asset class that is not read")
        elif element.line in cancels:
            yield LeftOut(element.line, cancels[element.line])
        else:
            trades += 1
            account = name_of(attributes.get("accountId", ""))
            yield _fill(document, origin, account, element)
    if not trades and any(one.tag == "Order" for one in _elements(document)):
        problem = "has orders but not their executions"
        raise InvalidInputError(document.name, problem, "a Flex query with Trades: Executions")


def _split(
    document: Document, origin: Origin, name_of: Callable[[str], str], element: _Element
) -> LeftOut | None:
    """Return the split of a share that an element tells, if it is one."""
    attributes = element.attributes
    stated = split_in(attributes.get("description", ""))
    if element.tag != "CorporateAction" or stated is None:
        return None
    moment, zone = _zoned(document, element.line, attributes.get("dateTime", ""))
    trade = _typed(document, element.line, {"dateTime": moment})
    if trade.dateTime is None:
        return None
    aware = trade.dateTime.replace(tzinfo=zone or origin.zone_or_refuse())
    at, account = to_micros(aware.astimezone(UTC)) // 1_000, attributes.get("accountId", "")
    split = ShareSplit(name_of(account), stated[0], at, stated[1])
    return LeftOut(element.line, "share split", split)


def _is_trade(element: _Element) -> bool:
    level = element.attributes.get("levelOfDetail", "EXECUTION")
    return element.tag in ("Trade", "TradeConfirm") and level == "EXECUTION"


def _executions(document: Document) -> Iterator[Execution]:
    return (_execution(element) for element in _elements(document) if _is_trade(element))


def _execution(element: _Element) -> Execution:
    """Return an execution, or what a row cancels, with its ids and terms."""
    row = {_CONFIRMED.get(name, name): text for name, text in element.attributes.items()}
    is_cancel = "(Ca.)" in row.get("buySell", "") or row.get("transactionType") == "TradeCancel"
    transaction = row.get("origTransactionID" if is_cancel else "transactionID", "")
    trade = (is_cancel and row.get("origTradeID")) or row.get("tradeID", "")
    units, price = row.get("quantity", "").lstrip("-"), row.get("tradePrice", "")
    return Execution(
        line=element.line,
        is_cancel=is_cancel,
        account=row.get("accountId", ""),
        ids=(transaction, trade),
        terms=(row.get("symbol", "") or row.get("conid", ""), units, price, _moment(row)),
        fee=-(read_number(row.get("ibCommission", "")) or Decimal(0)),
        fee_token=row.get("ibCommissionCurrency") or row.get("currency", ""),
    )


def _elements(document: Document) -> Iterator[_Element]:
    """Yield the elements of a document with their lines.

    Raises:
        InvalidInputError: it is not XML, or declares a document type. Only such a declaration can
            define entities, so none can grow or reach another file.
    """
    elements: list[_Element] = []
    parser = expat.ParserCreate("utf-8")  # whatever the document declares: it is decoded

    def start(tag: str, attributes: dict[str, str]) -> None:
        elements.append(_Element(parser.CurrentLineNumber, tag, attributes))

    def refuse(*_: object) -> None:
        at = f"{document.name}: line {parser.CurrentLineNumber}"
        raise InvalidInputError(at, "has a DOCTYPE", "a Flex report as it was downloaded")

    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse
    text = document.content.removeprefix("\ufeff")
    try:
        parsed = 0
        for place in range(0, len(text), _CHUNK):
            chunk = text[place : place + _CHUNK].encode()
            parser.Parse(chunk)
            parsed += len(chunk)
            # What does not end is looked through again with each chunk.
            if parsed - parser.CurrentByteIndex > _LONGEST:
                at = f"{document.name}: line {parser.CurrentLineNumber}"
                problem = f"begins a tag or comment of more than {_LONGEST:,} bytes"
                raise InvalidInputError(at, problem, "a Flex report as it was downloaded")
            yield from elements
            elements.clear()
        parser.Parse("", True)
    except expat.ExpatError as error:
        at = f"{document.name}: line {error.lineno}"
        problem = f"is not XML: {expat.ErrorString(error.code)}"
        raise InvalidInputError(at, problem, "a Flex report as it was downloaded") from None


def _fill(document: Document, origin: Origin, account: str, element: _Element) -> Fill:
    attributes = element.attributes
    if element.tag == "TradeConfirm":
        attributes = {_CONFIRMED.get(name, name): text for name, text in attributes.items()}
    moment, zone = _zoned(document, element.line, _moment(attributes))
    trade = _typed(document, element.line, {**attributes, "dateTime": moment})
    kind = ASSET_KINDS[attributes["assetCategory"]]
    symbol = trade.symbol or trade.conid or ""
    base = symbol.partition(".")[0] if kind == "forex" else None
    if kind == "option":
        contract = contract_of(symbol) or (symbol, None)
        symbol, base = contract[0], trade.underlyingSymbol or contract[1]
    quantity, price = trade.quantity, trade.tradePrice
    multiplier = trade.multiplier or Decimal(1)
    if not (symbol and quantity and trade.currency) or price is None or min(price, multiplier) < 0:
        problem = "lacks symbol, currency, quantity or price"
        accepted = "a Flex query with Symbol, Currency, Quantity and Trade Price"
        raise InvalidInputError(f"{document.name}: line {element.line}", problem, accepted)
    fee = -(trade.ibCommission or Decimal(0))
    if trade.ibCommissionCurrency in (None, trade.currency):
        fee -= trade.taxes or Decimal(0)
    when = trade.dateTime or trade.tradeDate
    if when is None:
        at = f"{document.name}: line {element.line}"
        raise InvalidInputError(at, "has no time", "a Flex query with Date/Time")
    day = datetime(when.year, when.month, when.day, tzinfo=UTC)
    aware = (trade.dateTime or day).replace(tzinfo=zone or origin.zone_or_refuse())
    opened = trade.openCloseIndicator.value if trade.openCloseIndicator else ""
    effects: dict[str, Literal["open", "close"]] = {"O": "open", "C": "close"}
    return Fill(
        venue="ibkr",
        account=account,
        symbol=symbol,
        base=base,
        kind=kind,
        side="B" if quantity > 0 else "A",
        px=price,
        sz=abs(quantity),
        multiplier=multiplier,
        quote=trade.currency,
        time_ms=to_micros(aware.astimezone(UTC)) // 1_000,
        is_day=not _CLOCK.search(moment),
        fee=fee,
        fee_token=trade.ibCommissionCurrency,
        oid=trade.ibOrderID,
        tid=trade.tradeID or trade.transactionID or trade.ibExecID,
        effect=effects.get(opened),
        raw=json.dumps(element.attributes, separators=(",", ":"), ensure_ascii=False),
        line=element.line,
    )


def _moment(attributes: Mapping[str, str]) -> str:
    """Return day and time of an execution; older queries have them in two fields."""
    day, time = attributes.get("tradeDate"), attributes.get("tradeTime")
    return attributes.get("dateTime") or (f"{day};{time}" if day and time else "")


def _typed(document: Document, line: int, attributes: Mapping[str, str]) -> "Trade":
    """Return a trade with its numbers and moments; only what is read, so new fields do no harm."""
    from xml.etree.ElementTree import Element

    if find_spec("requests") is None:
        # ibflex loads its download client at once, which needs requests; nothing here downloads.
        sys.modules.setdefault("ibflex.client", ModuleType("ibflex.client"))
    from ibflex.parser import FlexParserError, parse_data_element  # 150 ms, for Flex files only

    known = {name: text for name in _READ if (text := attributes.get(name))}
    try:
        trade: Any = parse_data_element(Element("Trade", known))
    except FlexParserError as error:
        problem = " ".join(str(error).split())[:160]
        at = f"{document.name}: line {line}"
        raise InvalidInputError(at, problem, "a value of a Flex report") from None
    for name in _NUMBERS:
        number = getattr(trade, name)
        if number is not None and not number.is_finite():  # ibflex reads NaN as a number
            at = f"{document.name}: line {line}, {name}"
            raise InvalidInputError(at, f"is {shown(known[name])}", "a number")
    return trade  # type: ignore[no-any-return]


def _zoned(document: Document, line: int, text: str) -> tuple[str, tzinfo | None]:
    """Return a moment without its zone, and the zone; `ibflex` would drop it."""
    parts = _ZONED.fullmatch(text)
    if parts is None:
        return text, None
    word = parts[2] or parts[3]
    zone = NEW_YORK if word in ("EST", "EDT") else read_zone(word)
    if zone is None:
        at = f"{document.name}: line {line}, dateTime"
        raise InvalidInputError(at, f"is {shown(text)}", "EST, EDT, UTC or an offset as zone")
    return parts[1], zone


LAYOUTS: Final = (Layout("ibkr-flex-xml", "ibkr", "IBKR Flex Query, XML", (), _recognises, _read),)
