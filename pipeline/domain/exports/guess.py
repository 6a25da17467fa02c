"""Guess which column of an unknown table holds what, for a mapping to try."""

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import islice
from typing import Final, NamedTuple

from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.exports.mapped import BUYS, SELLS, SYMBOL
from afterword.pipeline.domain.exports.mapping import quoted_columns
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.tabular.moments import read_zone
from afterword.pipeline.rules.tabular.numbers import is_blank, mark_of, read_number, split_unit
from afterword.pipeline.rules.tabular.sheet import Row
from afterword.pipeline.rules.tabular.stamps import has_clock, orders_of, read_epoch, says_zone
from afterword.pipeline.rules.tabular.timing import timing_of

_NAMES: Final = {
    "opened": "open time|opened|opened at|open date|entry time|entry date|date opened|opening time",
    "closed": "close time|closed|closed at|close date|exit time|exit date|date closed|closing time",
    "entry": "entry price|open price|avg entry price|average entry price|average open price|entry",
    "exit": "exit price|close price|avg exit price|average exit price|average close price|exit",
    "net": "net pnl|net profit|net p l|net result|net",
    "time": "time|datetime|date time|timestamp|date|executed at|execution time|exec time|filled at"
    "|filled time|fill time|trade time|transaction time|date and time|created at|create time"
    "|created|utc time|trade date|transaction date|run date|activity date|datum|zeit|fecha|data"
    "|heure|ts|when",
    "symbol": "symbol|pair|pairs|market|instrument|instrument name|ticker|trading pair"
    "|currency pair|contract|futures|product|asset|coin|base currency|security|stock|paar|paare"
    "|isin|identifier|code",
    "side": "side|buy sell|b s|direction|dir|action|way|order side|trade type|transaction type"
    "|trans code|type|order type|operation|art|seite",
    "qty": "qty|quantity|filled qty|filled quantity|executed qty|exec qty|executed amount"
    "|filled amount|executed|filled|shares|no of shares|size|trade size|sz|amount|base amount"
    "|units|contracts|quantity transacted|volume|vol|menge|anzahl|cantidad|lots|coins|n",
    "price": "price|fill price|filled price|avg filled price|exec price|execution price"
    "|executed price|trade price|avg price|average price|price per unit|price share|unit price|px"
    "|quote price|t price|rate|kurs|preis|precio|prix",
    "fee": "fee|fees|trading fee|trade fee|transaction fee|fee paid|fee amount|exec fee|commission"
    "|commissions|comm fee|comm|fees comm|commissions fees|gebühr|gebuehr|provision",
    "fee_token": "fee currency|fee coin|fee asset|fee token|commission asset|commission currency",
    "order": "order id|orderid|order no|order number|order",
    "id": "trade id|tradeid|fill id|exec id|execution id|transaction id|txid|deal|id|trade no",
    "quote": "quote currency|quote asset|quote|settle currency|currency",
    "pnl": "pnl|p l|profit|realized pnl|realised pnl|realized profit|realized p l|closed pnl"
    "|profit loss|gross pnl|result|gain|gewinn",
    "multiplier": "multiplier|contract size|point value",
    "account": "account|account id|sub account|account name",
}
_KEY_OF: Final = {
    name: (key, rank) for key, names in _NAMES.items() for rank, name in enumerate(names.split("|"))
}
"""Key and rank by name: of several columns of a key, that of the lowest rank is meant."""

_BRACKETS: Final = re.compile(r"[(\[][^()\[\]]*[)\]]")
_CURRENCY: Final = re.compile(r"[\s,][A-Z]{3,4}$")
_SPLIT: Final = re.compile(r"[^\w]+|_+|(?<=[a-z])(?=[A-Z])")
_ZONE: Final = re.compile(r"\b(?:UTC|GMT)(?:[+-]{1,2}[0-9:]{1,5})?|[A-Z][a-z]+/[A-Z]\w+")
_NUMBERS: Final = ("qty", "price", "fee", "pnl", "net", "entry", "exit")
_MOST_WORDS: Final = 12
_MOST_ROWS: Final = 20_000
"""Rows in which words of sides are looked for."""

_POSITION: Final = {"long": "buy", "short": "sell"}
_SIDE_NAMES: Final = (("buy", frozenset(BUYS)), ("sell", frozenset(SELLS)))


class Guess(NamedTuple):
    """A mapping to try.

    Args:
        header: the row it is of; None for a table without a header.
        columns: as `ColumnMapping.parse` reads them.
        options: further options with their values, such as `("--zone", "UTC")`.
        lacks: keys for which no column was found; their columns are called COLUMN.
    """

    header: Row | None
    columns: str
    options: tuple[tuple[str, str], ...]
    lacks: tuple[str, ...]


def guess_mapping(document: Document) -> Guess:
    """Return the mapping that the names of a table's columns suggest, and its rows.

    A column of numbers is guessed by its name only: a quantity taken for a price would be read
    without an error. What no name tells is called COLUMN.
    """
    header = likely_header(document)
    start = header.line if header else 0
    with closing(document.rows()) as all_rows:
        rows = [row.cells for row in islice(all_rows, _MOST_ROWS) if row.line > start]
    places = _by_names(header.cells) if header else {}
    closed = "closed" in places and bool({"pnl", "net", "entry"} & set(places))
    for key in ("time", "price") if closed else ("opened", "closed", "entry", "exit", "net"):
        places.pop(key, None)
    _by_values(places, rows, closed, header is not None)
    return _written(document, header, places, rows, closed)


def likely_header(document: Document) -> Row | None:
    """Return the row of the head that reads most like names of columns; None if none does."""
    best, most = None, 0
    for row in document.head:
        known = len(_by_names(row.cells))
        if known > most and not any(_is_moment(cell) for cell in row.cells):
            best, most = row, known
    if best is not None and most >= 2:
        return best
    for row in document.head:
        if len(row.cells) > 1 and not any(map(_is_moment, row.cells)):
            return row
        if any(map(_is_moment, row.cells)):
            return None
    return best


def _by_names(cells: Sequence[str]) -> dict[str, list[int]]:
    """Return the places of columns by key; a date and its time make one."""
    best: dict[str, tuple[int, int]] = {}
    for place, cell in enumerate(cells):
        if (known := _key_of(cell)) is not None:
            key, rank = known
            best[key] = min(best.get(key, (rank, place)), (rank, place))
    places = {key: [place] for key, (_, place) in best.items()}
    names = [_plain(cell) for cell in cells]
    for date, time in (("date", "time"), ("datum", "zeit"), ("datum", "tijd"), ("fecha", "hora")):
        if date in names and time in names and names[places.get("time", [0])[0]] in (date, time):
            places["time"] = [names.index(date), names.index(time)]
    return places


def _key_of(cell: str) -> tuple[str, int] | None:
    plain = _plain(cell)
    words = plain.split(" ")
    if len(words) > 1 and _CURRENCY.search(cell):  # `Price USDT`
        plain = " ".join(words[:-1])
    return _KEY_OF.get(plain) or (_KEY_OF.get(" ".join(words[:2])) if len(words) > 2 else None)


def _plain(cell: str) -> str:
    words = _SPLIT.split(_BRACKETS.sub("", cell))
    return " ".join(word for word in words if word).lower().removesuffix(" utc")


def _by_values(
    places: dict[str, list[int]], rows: list[list[str]], closed: bool, named: bool
) -> None:
    """Find times and sides by what the columns hold, and check those that were found by name."""
    width = max(map(len, rows), default=0)
    time, side = ("closed", "direction") if closed else ("time", "side")
    timed = places.get(time, [])
    dates = _column(rows, timed[0]) if len(timed) == 2 else []
    if dates and has_clock(dates[0]):
        places[time] = timed[:1]
    if time not in places:
        moments = [place for place in range(width) if _all(rows, place, _is_moment)]
        places.update({time: moments[:1]} if moments else {})
    named_side = places.pop("side", [])
    sides = [place for place in (*named_side, *range(width)) if _all(rows, place, _is_side)]
    sides += [place for place in named_side if _sided(_column(rows, place))]
    places.update({side: sides[:1]} if sides else {})
    if not named:
        taken = {place for at in places.values() for place in at}
        free = [place for place in range(width) if place not in taken]
        symbols = [place for place in free if _all(rows, place, _is_symbol)]
        places.update({"symbol": symbols[:1]} if symbols else {})


def _all(rows: list[list[str]], place: int, is_one: Callable[[str], bool]) -> bool:
    cells = _column(rows, place)
    return bool(cells) and all(is_one(cell) for cell in dict.fromkeys(cells))


def _written(
    document: Document,
    header: Row | None,
    places: dict[str, list[int]],
    rows: list[list[str]],
    closed: bool,
) -> Guess:
    names = header.cells if header else []
    time, side = ("closed", "direction") if closed else ("time", "side")
    needed = [time, "qty"] if closed else [time, "qty", "price"]
    if side not in places and "qty" in places:
        signed = any(map(_is_below_zero, _cells(places, rows, "qty")))
        needed += [] if signed else [side]
    lacks = tuple(key for key in needed if key not in places)
    parts = [f"{key}=COLUMN" for key in lacks]
    for key, where in _in_order(places, closed):
        sign = "-" if key == "fee" and _are_paid(_column(rows, where[0])) else ""
        parts.append(f"{key}={sign}{'+'.join(_name(names, place) for place in where)}")
    parts += _side_words(_cells(places, rows, side), closed)
    options: list[tuple[str, str]] = []
    timed = places.get(time, [])
    timing = timing_of(" ".join(row[at] for at in timed if at < len(row)) for row in rows)
    if timing.needs_zone and timed:
        options.append(("--zone", _zone_in([*names, document.name])))
    if timing.is_unclear:
        options.append(("--time-format", "dmy" if "dmy" in timing.orders else "ymd"))
    if mark_of(split_unit(cell)[0] for cell in _cells(places, rows, *_NUMBERS)) is None:
        options.append(("--decimal", "." if document.delimiter == "," else ","))
    if "symbol" not in places:
        options.append(("--symbol", "MARKET"))
    return Guess(header, quoted_columns(parts), tuple(options), lacks)


def _in_order(places: dict[str, list[int]], closed: bool) -> list[tuple[str, list[int]]]:
    keys = ["opened", "closed"] if closed else ["time"]
    keys += ["symbol", "direction" if closed else "side", "qty"]
    keys += (
        ["entry", "exit", "pnl", "fee", "net"] if closed else ["price", "fee", "fee_token", "pnl"]
    )
    keys += ["order", "id", "quote", "multiplier"] if not closed else ["id", "quote", "multiplier"]
    return [(key, places[key]) for key in keys if key in places]


def _name(names: Sequence[str], place: int) -> str:
    """Return how a column is named: by its place where its name is none, a secret, or not alone."""
    name = names[place] if place < len(names) else ""
    is_known = name.isprintable() and mask(name) == name
    if not name or not is_known or list(names).index(name) != place:
        return f"#{place + 1}"
    return name


def _cells(places: dict[str, list[int]], rows: list[list[str]], *keys: str) -> list[str]:
    return [cell for key in keys for cell in _column(rows, places.get(key, [-1])[0])]


def _side_words(cells: Sequence[str], closed: bool) -> list[str]:
    """Return what must be said about words of sides that are not known."""
    known = (*BUYS, *SELLS, *(_POSITION if closed else ()))
    words: dict[str, list[str]] = {"buy": [], "sell": [], "skip": []}
    for word in dict.fromkeys(cells):
        is_fit = word.isprintable() and "|" not in word and mask(word) == word
        if word.lower() not in known and is_fit:
            words[_meaning(word)].append(word)
    return [f"{key}:{'|'.join(meant[:_MOST_WORDS])}" for key, meant in words.items() if meant]


def _meaning(word: str) -> str:
    """Return what a word of a side may mean by the words in it; `skip` if that is not clear."""
    parts = set(_plain(word).split(" "))
    if parts <= set(_POSITION):
        return _POSITION[parts.pop()]
    meant = [key for key, names in _SIDE_NAMES if parts & {name for name in names if len(name) > 2}]
    return meant[0] if len(meant) == 1 else "skip"


def _sided(cells: Sequence[str]) -> bool:
    """Tell a column in which some words buy or sell."""
    return any(_is_side(cell) or _meaning(cell) != "skip" for cell in dict.fromkeys(cells))


def _are_paid(cells: Sequence[str]) -> bool:
    numbers = [read_number(split_unit(cell)[0]) or 0 for cell in cells]
    return any(number < 0 for number in numbers) and all(number <= 0 for number in numbers)


def _zone_in(texts: Sequence[str]) -> str:
    for text in texts:
        if (match := _ZONE.search(text)) and read_zone(match[0]) is not None:
            return match[0]
    return "UTC"


def _column(rows: list[list[str]], place: int) -> list[str]:
    return [row[place] for row in rows if 0 <= place < len(row) and not is_blank(row[place])]


def _is_moment(text: str) -> bool:
    return bool(orders_of(text)) or says_zone(text) or read_epoch(text) is not None


def _is_side(text: str) -> bool:
    return text.lower() in (*BUYS, *SELLS, *_POSITION)


def _is_below_zero(text: str) -> bool:
    return text[:1] in ("-", "(", "\u2212")


def _is_symbol(text: str) -> bool:
    return SYMBOL.fullmatch(text) is not None and not _is_number(text) and not _is_moment(text)


def _is_number(text: str) -> bool:
    bare = split_unit(text)[0]
    return read_number(bare, ".") is not None or read_number(bare, ",") is not None
