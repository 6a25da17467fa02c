"""Guess which column of an unknown table holds what, for a mapping to try.

What could mislead is never in it: a word of a side or a status that is not known, days that can be
read in two ways and a decimal mark that is not certain are questions, and a column of numbers is
found by its name only.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime
from itertools import islice
from typing import Final, NamedTuple

from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.exports.guess_names import (
    every_place,
    is_named,
    places_by_names,
    plain_words,
)
from afterword.pipeline.domain.exports.guess_profit import place_profit
from afterword.pipeline.domain.exports.guess_sides import (
    MOST_SIDE_WORDS,
    has_sides,
    is_side,
    side_words,
)
from afterword.pipeline.domain.exports.mapped_row import SYMBOL
from afterword.pipeline.domain.exports.mapping import quoted_columns
from afterword.pipeline.domain.exports.money import amount_of
from afterword.pipeline.domain.exports.status_words import EXECUTED, VOID
from afterword.pipeline.rules.market.taxonomy import EXCHANGES
from afterword.pipeline.rules.masking import mask, shown
from afterword.pipeline.rules.tabular.moments import read_zone
from afterword.pipeline.rules.tabular.numbers import is_below_zero, is_blank, mark_of, read_number
from afterword.pipeline.rules.tabular.sheet import Row
from afterword.pipeline.rules.tabular.stamps import (
    DateOrder,
    has_clock,
    orders_of,
    read_epoch,
    says_zone,
)
from afterword.pipeline.rules.tabular.timing import Timing, timing_of
from afterword.pipeline.rules.tabular.unsaid import ZONE

_ZONE: Final = re.compile(r"\b(?:UTC|GMT)(?:[+-]{1,2}[0-9:]{1,5})?|[A-Z][a-z]+/[A-Z]\w+")
_HALF: Final = re.compile(r"[AaPp]\.?[Mm]\b")
_NUMBERS: Final = ("qty", "price", "fee", "pnl", "net", "entry", "exit")
_MOST_ROWS: Final = 20_000
"""Rows in which words of sides are looked for."""

_AMOUNTS: Final = ("amount", "volume", "vol")

_ORDERS: Final[tuple[DateOrder, ...]] = ("dmy", "mdy", "ymd")
_FEWEST: Final = 2
"""Cells of a row of data; a line below the table has one: a footnote."""

_MARKETS: Final = EXCHANGES | {
    *("LSE", "XETRA", "ASX", "TSX", "TSXV", "EURONEXT", "BINANCE", "KRAKEN", "BYBIT", "COINBASE"),
    *("FX", "FOREX", "CRYPTO", "OTHER", "FUND", "INDEX", "US", "UK", "DE", "CA", "AU"),
    *("HKEX", "SGX", "NSE", "BSE", "JSE", "NZX", "SIX", "OMX", "BME", "MIL", "AMS", "PAR", "FRA"),
}
"""Names of exchanges; a column that holds nothing else does not name the market traded."""


class Guess(NamedTuple):
    """A mapping to try.

    Args:
        header: the row it is of; None for a table without a header.
        columns: as `ColumnMapping.parse` reads them.
        options: further options with their values, such as `("--zone", "UTC")`.
        lacks: keys for which no column was found; their columns are called COLUMN.
        questions: what only the owner knows, each as what is to be added.
        lacks_zone: nothing says the zone of its times; it is among the questions.
    """

    header: Row | None
    columns: str
    options: tuple[tuple[str, str], ...]
    lacks: tuple[str, ...]
    questions: tuple[str, ...] = ()
    lacks_zone: bool = False


def guess_mapping(document: Document) -> Guess:
    """Return the mapping that the names of a table's columns suggest, and its rows.

    A column of numbers is guessed by its name only: a quantity taken for a price would be read
    without an error. What no name tells is called COLUMN.
    """
    header = likely_header(document)
    start = header.line if header else 0
    with closing(document.rows()) as all_rows:
        data = (row.cells for row in islice(all_rows, _MOST_ROWS) if row.line > start)
        rows = [cells for cells in data if len(cells) - cells.count("") >= _FEWEST]
    places = places_by_names(header.cells) if header else {}
    if header:
        _place_market(places, header.cells, rows)
        _place_times(places, header.cells, rows)
    closed = "closed" in places and bool({"pnl", "net", "entry"} & set(places))
    if not closed and "time" not in places and "closed" in places:
        places["time"] = places["closed"]  # of orders, when they ended
    for key in ("time", "price") if closed else ("opened", "closed", "entry", "exit", "net"):
        places.pop(key, None)
    _by_values(places, rows, closed, header is not None)
    is_lone = header and "price" not in places and not closed and "qty" in places
    if header and is_lone and is_named(header.cells[places["qty"][0]], *_AMOUNTS):
        places.pop("qty")  # without a price it may be what was paid
    if header and "qty" in places and _has_rival(header.cells, places["qty"][0]):
        places.pop("qty")  # `Amount in BTC` beside `Amount`: one of them is what was paid
    if closed:
        place_profit(places, rows)
    return _written(document, header, places, rows, closed)


def _has_rival(cells: Sequence[str], place: int) -> bool:
    """Tell whether another column is the same amount in a unit that its name says."""
    named = f"{plain_words(cells[place])} in "
    return any(plain_words(cell).startswith(named) for cell in cells)


def likely_header(document: Document) -> Row | None:
    """Return the row of the head that reads most like names of columns; None if none does."""
    best, most = None, 0
    for row in document.head:
        known = len(places_by_names(row.cells))
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


def _place_market(
    places: dict[str, list[int]], names: Sequence[str], rows: list[list[str]]
) -> None:
    """Name the column of markets, which is not that of exchanges."""
    allowed = every_place(names).get("symbol", [])
    markets = [at for at in allowed if not _are_exchanges(_column(rows, at))]
    if markets:
        places["symbol"] = markets[:1]
    else:
        places.pop("symbol", None)


def _are_exchanges(cells: Sequence[str]) -> bool:
    """Tell a column in which half of the names are those of exchanges."""
    names = {cell.upper() for cell in cells}
    return 2 * len(names & _MARKETS) >= max(1, len(names))


def _place_times(places: dict[str, list[int]], names: Sequence[str], rows: list[list[str]]) -> None:
    """Tell columns `Open` and `Close` of moments from those of prices."""
    for key, words in (("opened", ("open", "entry")), ("closed", ("close", "exit"))):
        at = [
            place
            for place, name in enumerate(names)
            if is_named(name, *words) and _all(rows, place, _is_moment)
        ]
        if at and key not in places:
            places[key] = at[:1]
            price = "entry" if key == "opened" else "exit"
            if places.get(price) == at[:1]:
                places.pop(price)


def _by_values(
    places: dict[str, list[int]], rows: list[list[str]], closed: bool, named: bool
) -> None:
    """Find times, sides and statuses by what columns hold, and check those found by name."""
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
    sides = [place for place in (*named_side, *range(width)) if _all(rows, place, is_side)]
    sides += [place for place in named_side if has_sides(_column(rows, place))]
    places.update({side: sides[:1]} if sides else {})
    if "status" not in places:
        states = [place for place in range(width) if _are_statuses(_column(rows, place))]
        places.update({"status": states[:1]} if states else {})
    account = places.get("account", [])
    if account and len(set(_column(rows, account[0]))) < 2:
        places.pop("account")
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
        signed = any(map(is_below_zero, _cells(places, rows, "qty")))
        needed += [] if signed else [side]
    lacks = tuple(key for key in needed if key not in places)
    parts = [f"{key}=COLUMN" for key in lacks]
    for key, where in _in_order(places, closed):
        paid = [cell for at in where for cell in _column(rows, at)] if key == "fee" else []
        sign = "-" if _are_paid(paid) else ""
        parts.append(f"{key}={sign}{'+'.join(_name(names, place) for place in where)}")
    sides, odd_sides = side_words(_cells(places, rows, side), closed)
    parts += sides
    questions = []
    if odd_sides:
        questions.append(f"buy:, sell:, short:, cover: or skip: for {_quoted(odd_sides)}")
    if odd := _odd_statuses(_cells(places, rows, "status")):
        questions.append(f"done: or skip: for {_quoted(odd)}")
    options: list[tuple[str, str]] = []
    timed = places.get(time, [])
    texts = [" ".join(row[at] for at in timed if at < len(row)) for row in rows]
    timing = timing_of(texts)
    zone = _zone_in([*names, document.name]) if timing.needs_zone and timed else None
    if zone is not None:
        options.append(("--zone", zone))
    lacks_zone = timing.needs_zone and bool(timed) and zone is None
    if lacks_zone:
        questions.insert(0, f"{ZONE.accepted} (its times say no zone)")
    if timing.is_unclear:
        questions.append(_both_readings(texts, timing))
    if mark_of([[amount_of(cell).number for cell in _cells(places, rows, *_NUMBERS)]]) is None:
        questions.append(
            "--decimal . or --decimal , (numbers such as 1,234 can be read in two ways)"
        )
    if "symbol" not in places:
        options.append(("--symbol", "MARKET"))
    return Guess(header, quoted_columns(parts), tuple(options), lacks, tuple(questions), lacks_zone)


def _in_order(places: dict[str, list[int]], closed: bool) -> list[tuple[str, list[int]]]:
    keys = ["opened", "closed"] if closed else ["time"]
    keys += ["symbol", "direction" if closed else "side", "qty"]
    keys += (
        ["entry", "exit", "pnl", "fee", "net"] if closed else ["price", "fee", "fee_token", "pnl"]
    )
    keys += ["order", "id", "quote", "multiplier"] if not closed else ["id", "quote", "multiplier"]
    keys += ["account", "status"]
    return [(key, places[key]) for key in keys if key in places]


def _name(names: Sequence[str], place: int) -> str:
    """Return how a column is named: by its place where its name is none, a secret, or not alone."""
    name = names[place] if place < len(names) else ""
    is_known = name.isprintable() and mask(name) == name
    if not name or not is_known or list(names).index(name) != place:
        return f"#{place + 1}"
    return name


def _cells(places: dict[str, list[int]], rows: list[list[str]], *keys: str) -> list[str]:
    return [
        cell for key in keys for place in places.get(key, [-1]) for cell in _column(rows, place)
    ]


def _are_statuses(cells: Sequence[str]) -> bool:
    """Tell a column of words of statuses, one of which came to nothing."""
    words = {cell.lower() for cell in dict.fromkeys(cells)}
    return bool(words & VOID) and words <= VOID | EXECUTED


def _odd_statuses(cells: Sequence[str]) -> list[str]:
    return [word for word in dict.fromkeys(cells) if word.lower() not in EXECUTED | VOID]


def _both_readings(texts: Sequence[str], timing: Timing) -> str:
    """Return the question which order of day and month is meant, with what each would say."""
    utc = read_zone("UTC")

    def read(text: str, order: DateOrder) -> datetime | None:
        return timing._replace(orders=frozenset([order])).read(text, utc)

    known = [text for text in texts if orders_of(text)]
    sample = next((text for text in known if read(text, "dmy") != read(text, "mdy")), known[0])
    readings = [
        f"{moment:%-d %B %Y} by {order}"
        for order in _ORDERS
        if order in timing.orders and (moment := read(sample, order))
    ]
    orders = " or ".join(f"--time-format {order}" for order in _ORDERS if order in timing.orders)
    half = ", and times with AM and PM are mostly mdy" if _HALF.search(sample) else ""
    return f"{orders} ({shown(sample)} is {', '.join(readings)}{half})"


def _quoted(words: Sequence[str]) -> str:
    listed = ", ".join(shown(mask(word), 40) for word in words[:MOST_SIDE_WORDS])
    rest = len(words) - MOST_SIDE_WORDS
    return f"each of {listed}" + (f" and {rest} more" if rest > 0 else "")


def _are_paid(cells: Sequence[str]) -> bool:
    numbers = [read_number(amount_of(cell).number) or 0 for cell in cells]
    return any(number < 0 for number in numbers) and all(number <= 0 for number in numbers)


def _zone_in(texts: Sequence[str]) -> str | None:
    """Return the zone that the name of a column, or of the file, says."""
    for text in texts:
        if (match := _ZONE.search(text)) and read_zone(match[0]) is not None:
            return match[0]
    return None


def _column(rows: list[list[str]], place: int) -> list[str]:
    return [row[place] for row in rows if 0 <= place < len(row) and not is_blank(row[place])]


def _is_moment(text: str) -> bool:
    return bool(orders_of(text)) or says_zone(text) or read_epoch(text) is not None


def _is_symbol(text: str) -> bool:
    return SYMBOL.fullmatch(text) is not None and not _is_number(text) and not _is_moment(text)


def _is_number(text: str) -> bool:
    bare = amount_of(text).number
    return read_number(bare, ".") is not None or read_number(bare, ",") is not None
