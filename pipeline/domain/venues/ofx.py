"""Investment statements in OFX and QFX, as banks and brokers hand them out.

The file is read by the package `ofxtools`; what its records mean follows OFX 2.2, section 13.9.
"""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from io import BytesIO
from typing import Any, Final, Literal, NamedTuple

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.files.packed import open_packed
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import EXACT, Fill, MarketKind
from afterword.pipeline.domain.layouts.amounts import settled_price
from afterword.pipeline.domain.layouts.layout import (
    Item,
    Layout,
    LeftOut,
    Origin,
    ShareSplit,
    account_names,
)
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask, shown
from afterword.pipeline.rules.tabular.numbers import read_number

_START: Final = 4_096
_KINDS: Final[dict[str, MarketKind]] = {
    "BUYSTOCK": "stock",
    "SELLSTOCK": "stock",
    "BUYMF": "stock",
    "SELLMF": "stock",
    "BUYOTHER": "stock",
    "SELLOTHER": "stock",
    "BUYOPT": "option",
    "SELLOPT": "option",
    "REINVEST": "stock",
}
_LEFT_OUT: Final = {
    "BUYDEBT": "bond, priced in percent",
    "SELLDEBT": "bond, priced in percent",
    "INCOME": "income",
    "INVEXPENSE": "expense",
    "RETOFCAP": "return of capital",
    "TRANSFER": "transfer of units",
    "JRNLSEC": "transfer of units",
    "JRNLFUND": "transfer of money",
    "INVBANKTRAN": "transfer of money",
    "MARGININTEREST": "interest",
    "CLOSUREOPT": "exercise or expiry of an option",
}
_EFFECTS: Final[dict[str, Literal["open", "close"]]] = {
    "BUYTOCOVER": "close",
    "SELLSHORT": "open",
    "BUYTOOPEN": "open",
    "BUYTOCLOSE": "close",
    "SELLTOOPEN": "open",
    "SELLTOCLOSE": "close",
}
_COSTS: Final = ("COMMISSION", "FEES", "TAXES", "LOAD")
_ZERO: Final = Decimal(0)


class _Record(NamedTuple):
    """One record of a statement.

    Args:
        node: its element, by the names of OFX.
        place: for messages.
        currency: of the statement.
        symbols: ticker by id of a security, where the file says it.
    """

    node: Any
    line: int
    place: str
    account: str
    currency: str
    symbols: dict[str, str]

    def text(self, name: str) -> str:
        return (self.node.findtext(f".//{name}") or "").strip()

    def number(self, name: str) -> Decimal:
        number = read_number(self.text(name), "." if "." in self.text(name) else ",")
        if number is None:
            raise InvalidInputError(f"{self.place}.{name}", self._problem(name), "a number")
        return number

    def number_or_none(self, name: str) -> Decimal | None:
        return self.number(name) if self.text(name) else None

    def symbol(self) -> str:
        security = self.text("UNIQUEID")
        symbol = self.symbols.get(security) or security
        if not symbol:
            raise InvalidInputError(f"{self.place}.SECID", "is missing", "the id of a security")
        return symbol

    def moment(self) -> tuple[datetime, bool]:
        """Return when it was traded, and whether only the day is known."""
        from ofxtools.Types import DateTime

        text = self.text("DTTRADE")
        try:
            return DateTime().convert(text), len(text.partition("[")[0]) <= len("20260101")
        except ValueError:
            accepted = "a moment of OFX, such as 20260105143000"
            raise InvalidInputError(
                f"{self.place}.DTTRADE", self._problem("DTTRADE"), accepted
            ) from None

    def raw(self) -> str:
        texts = ((node.tag, (node.text or "").strip()) for node in self.node.iter())
        values = {tag: text for tag, text in texts if text}
        return json.dumps({"record": self.node.tag, **values}, ensure_ascii=False)

    def _problem(self, name: str) -> str:
        return f"is {shown(self.text(name), label=name)}" if self.text(name) else "is missing"


def _recognises(document: Document) -> bool:
    return document.form == "markup" and "<OFX>" in document.content[:_START].upper()


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield what each investment account of the file traded."""
    root = _tree(document)
    symbols = {
        (node.findtext("SECID/UNIQUEID") or "").strip(): ticker
        for node in root.iter("SECINFO")
        if (ticker := (node.findtext("TICKER") or "").strip())
    }
    statements = list(root.iter("INVSTMTRS"))
    if not statements:
        accepted = "a statement of investments; one of a bank account has no trades"
        raise InvalidInputError(document.name, "is OFX without investments", accepted)
    ids = [(one.findtext("INVACCTFROM/ACCTID") or "").strip() for one in statements]
    name_of: Callable[[str], str] = account_names(ids, origin)
    line = 0
    for account, statement in zip(ids, statements, strict=True):
        currency = (statement.findtext("CURDEF") or "").strip()
        for node in statement.findall("INVTRANLIST/*"):
            if node.tag in ("DTSTART", "DTEND"):
                continue
            line += 1
            place = f"{document.name}: {node.tag} {line}"
            yield _item(_Record(node, line, place, name_of(account), currency, symbols))


def _tree(document: Document) -> Any:
    """Return the root of the file.

    Raises:
        InvalidInputError: it is no OFX, or the package that reads it is not installed.
    """
    try:
        from ofxtools.Parser import OFXTree
    except ImportError:
        accepted = 'pip install "afterword[files]"'
        raise InvalidInputError(document.name, "is OFX, read by ofxtools", accepted) from None
    with open_packed(document.path, document.most_bytes) as file:
        content = file.read()
    tree = OFXTree()
    try:
        tree.parse(BytesIO(content))
        root = tree.getroot()
    except Exception as error:  # its parser raises what it meets
        problem = f"cannot be read as OFX: {mask(str(error))[:120]}"
        raise InvalidInputError(document.name, problem, "OFX 1 or 2") from None
    if root is None:
        raise InvalidInputError(document.name, "is OFX without records", "a statement")
    return root


def _item(record: _Record) -> Item:
    tag = record.node.tag
    if tag == "SPLIT":
        moment, _ = record.moment()
        at = to_micros(moment) // 1_000
        new, old = record.number_or_none("NUMERATOR"), record.number_or_none("DENOMINATOR")
        ratio = Fraction(new) / Fraction(old) if new and old and new > 0 and old > 0 else None
        split = ShareSplit(record.account, record.symbol(), at, ratio)
        return LeftOut(record.line, "share split", split)
    if tag not in _KINDS:
        return LeftOut(record.line, _LEFT_OUT.get(tag, "other record"))
    return _fill(record, _KINDS[tag])


def _fill(record: _Record, kind: MarketKind) -> Item:
    """Return the fill of a record; units of a sale are negative, and so is what was paid."""
    units, stated = record.number("UNITS"), record.number("UNITPRICE")
    if not units:
        return LeftOut(record.line, "size 0")
    if stated < 0:
        raise InvalidInputError(f"{record.place}.UNITPRICE", f"is {stated}", "a number from 0")
    side: Literal["B", "A"] = "A" if record.node.tag.startswith("SELL") else "B"
    multiplier = record.number_or_none("SHPERCTRCT") or Decimal(1)
    known = [cost for name in _COSTS if (cost := record.number_or_none(name)) is not None]
    fee, total = sum(known, _ZERO), record.number_or_none("TOTAL")
    worth = EXACT.multiply(abs(units), multiplier)
    price: Decimal | None = stated
    if total is not None and record.node.tag != "REINVEST":
        paid = EXACT.subtract(abs(total), fee) if side == "B" else EXACT.add(abs(total), fee)
        price = settled_price(paid, worth, stated)
        if price is None:
            problem = f"is {total}, which its units, price and costs contradict"
            raise InvalidInputError(f"{record.place}.TOTAL", problem, "what was paid for it")
    moment, is_day = record.moment()
    rate = record.node.find(".//CURRENCY/CURSYM")
    word = record.text("OPTBUYTYPE") or record.text("OPTSELLTYPE")
    word = word or record.text("BUYTYPE") or record.text("SELLTYPE")
    return Fill(
        venue="ofx",
        account=record.account,
        symbol=record.symbol(),
        kind=kind,
        side=side,
        px=price or _ZERO,
        sz=abs(units),
        quote=(rate.text or "").strip() if rate is not None else record.currency,
        multiplier=multiplier,
        time_ms=to_micros(moment) // 1_000,
        is_day=is_day,
        fee=fee,
        fee_is_known=bool(known) or total is not None,
        tid=record.text("FITID") or None,
        effect=_EFFECTS.get(word),
        dir=word or record.node.tag,
        raw=record.raw(),
        line=record.line,
    )


LAYOUTS: Final = (Layout("ofx-investments", "ofx", "OFX, investments", (), _recognises, _read),)
