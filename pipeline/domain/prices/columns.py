"""Which column of a table of bars holds what: by its header, or by its first row without one."""

import csv
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask, shown
from afterword.pipeline.rules.tabular.numbers import read_number
from afterword.pipeline.rules.tabular.sheet import Row
from afterword.pipeline.rules.tabular.stamps import has_clock, orders_of, read_epoch, says_zone

PRICES: Final = ("open", "high", "low", "close")
KEYS: Final = ("time", *PRICES, "volume", "symbol")
EXAMPLE: Final = "time=Date,open=Open,high=High,low=Low,close=Close,volume=Volume"

_NAMES: Final = {
    "time": "t open ms|open time|opentime|unix|timestamp|datetime|date time|start|time|date"
    "|gmt time|local time|t|data|datum|fecha|zeit|period start|unix timestamp",
    "clock": "time|zeit|hora|uhrzeit",
    "open": "open|o|1 open|otwarcie|öffnung|eröffnung|eröffnungskurs|erster|eroeffnung|apertura",
    "high": "high|h|2 high|najwyzszy|hoch|tageshoch|höchst|hoechst|max|maximo",
    "low": "low|l|3 low|najnizszy|tief|tagestief|niedrigst|min|minimo",
    "close": "close|c|4 close|zamkniecie|schluss|schlusskurs|letzter|close last|cierre|last",
    "volume": "volume|vol|v|5 volume|6 volume|wolumen|volumen|umsatz|stück|tickvol|tick volume"
    "|total volume",
    "symbol": "symbol|ticker|pair|market|instrument|s",
    "closed": "close time|closetime",
    "split": "split coefficient|stock splits",
}
_KEY_OF: Final = {
    key: {name: rank for rank, name in enumerate(names.split("|"))} for key, names in _NAMES.items()
}
_WORDS: Final = re.compile(r"[^\w]+|_+")
_EPOCH_DIGITS: Final = (10, 13, 16)
_KLINE: Final = (11, 12)  # columns of a dump of Binance
_TRADED: Final = (6, 7)  # columns of a dump of Kraken, or of any program that writes time to volume


class Columns(NamedTuple):
    """Where a table of bars holds what.

    Args:
        start: the line of its last row before the bars; 0 if they begin at once.
        time: one place, or those of a date and a time.
        volume, symbol, closed, split: None where the table has none. `closed` is the moment at
            which a bar ends.
        ticker: the market that a preamble names.
        names: by key, as the file writes them; `#3` without a header.
    """

    start: int
    time: tuple[int, ...]
    prices: tuple[int, int, int, int]
    volume: int | None
    names: dict[str, str]
    symbol: int | None = None
    closed: int | None = None
    split: int | None = None
    ticker: str | None = None


def find_columns(head: Sequence[Row], file: str) -> Columns | None:
    """Return where a table holds its bars; None if it is none that is known.

    Args:
        head: its first rows, without blank ones.
        file: its name, for messages.

    Raises:
        InvalidInputError: several columns have the name of one that is read.
    """
    if head and (found := _without_header(head[0])) is not None:
        return found
    for place, row in enumerate(head):
        if (found := _by_names(row, head[place + 1 :], file)) is not None:
            return found
    return None


def named_columns(text: str, head: Sequence[Row]) -> Columns:
    """Return the columns that their owner names: `time=Date,open=Open,...`, or `#1` by place.

    Raises:
        InvalidInputError: the text cannot be read, or a column is not there.
    """
    given = _read_pairs(text)
    for row in head:
        places = {key: _places(row.cells, name) for key, name in given.items()}
        if all(places.values()) and not all(name[0] == "#" for name in given.values()):
            return _named(row.line, given, places)
    places = {key: _places([], name) for key, name in given.items()}
    if all(places.values()):
        return _named(0, given, places)
    cells = ", ".join(map(mask, max(head, key=lambda row: len(row.cells)).cells if head else []))
    raise InvalidInputError("columns", "name columns that are not there", shown(cells, 200))


def is_number(text: str) -> bool:
    """Tell a cell with a number, whatever its decimal mark is."""
    return read_number(text, ".") is not None or read_number(text, ",") is not None


def _named(start: int, given: dict[str, str], places: dict[str, tuple[int, ...]]) -> Columns:
    one, two, three, four = (places[key][0] for key in PRICES)
    return Columns(
        start,
        places["time"],
        (one, two, three, four),
        places["volume"][0] if "volume" in places else None,
        given,
        symbol=places["symbol"][0] if "symbol" in places else None,
    )


def _read_pairs(text: str) -> dict[str, str]:
    try:
        (parts,) = csv.reader([text], strict=True, skipinitialspace=True)
        given = dict(part.split("=", 1) for part in parts)
    except (csv.Error, ValueError):
        raise InvalidInputError("columns", f"are {shown(text, 80)}", EXAMPLE) from None
    missing = [key for key in ("time", *PRICES) if not given.get(key)]
    strange = [key for key in given if key not in KEYS or not given[key]]
    if missing or strange:
        problem = f"lack {', '.join(missing)}" if missing else f"hold {', '.join(strange)!a}"
        raise InvalidInputError("columns", problem, f"keys of {', '.join(KEYS)}: {EXAMPLE}")
    return given


def _places(cells: Sequence[str], name: str) -> tuple[int, ...]:
    if name in cells:
        return (list(cells).index(name),)
    if re.fullmatch("#[1-9][0-9]{0,3}", name):
        return (int(name[1:]) - 1,)
    parts = [_places(cells, part) for part in name.split("+")] if "+" in name else []
    return tuple(place for part in parts for place in part) if parts and all(parts) else ()


def _by_names(row: Row, below: Sequence[Row], file: str) -> Columns | None:
    plain = [_plain(cell) for cell in row.cells]
    found = {key: _place_of(plain, key) for key in _NAMES}
    prices = [found[key] for key in PRICES]
    if any(place is None for place in prices):
        return None
    start, ticker = row.line, None
    times = [place for place, name in enumerate(plain) if name in _KEY_OF["time"]]
    if plain[0] == "price" and [_plain(one.cells[0]) for one in below[:1]] == ["ticker"]:
        ticker = _only({cell for cell in below[0].cells[1:] if cell})
        times, below = [0], below[1:]
        if not below or below[0].cells[0].lower() not in ("date", "datetime"):
            return None
        start, below = below[0].line, below[1:]
    if not times and plain[0] == "":
        times = [0]  # the index of a data frame
    time = _times(times, plain, below)
    if not time:
        return None
    volume = found["volume"]
    if volume is None:  # CryptoDataDownload: `Volume BTC`, then `Volume USDT`
        of_asset = (place for place, name in enumerate(plain) if _is_volume(name))
        volume = next(of_asset, None)
    places = {"open": prices[0], "high": prices[1], "low": prices[2], "close": prices[3]}
    names = {key: row.cells[place] for key, place in places.items() if place is not None}
    names["time"] = "+".join(row.cells[place] or f"#{place + 1}" for place in time)
    names["volume"] = "" if volume is None else row.cells[volume]
    one, two, three, four = (place for place in prices if place is not None)
    read = (*time, one, two, three, four, volume, found["symbol"], found["closed"], found["split"])
    _check_once(f"{file}: line {row.line}", row, [place for place in read if place is not None])
    return Columns(
        start,
        time,
        (one, two, three, four),
        volume,
        names,
        found["symbol"],
        found["closed"],
        found["split"],
        ticker,
    )


def _check_once(at: str, row: Row, places: Sequence[int]) -> None:
    """Refuse a column whose name others have too: which of them is meant is not guessed."""
    names = [_plain(cell) for cell in row.cells]
    for place in places:
        same = [f"#{other + 1}" for other, name in enumerate(names) if name == names[place]]
        if names[place] and len(same) > 1:
            problem = f"has {len(same)} columns {mask(row.cells[place])}"
            accepted = f"--columns {EXAMPLE}, with {' or '.join(same)[:60]} for it"
            raise InvalidInputError(at, problem, accepted)


def _times(times: Sequence[int], plain: Sequence[str], below: Sequence[Row]) -> tuple[int, ...]:
    """Return the place of the moments: of several that with a zone, else a date and time."""
    cells = below[0].cells if below else []

    def certain(place: int) -> bool:
        text = cells[place] if place < len(cells) else ""
        return says_zone(text) or _is_epoch(text)

    ranked = sorted(
        times, key=lambda place: (not certain(place), _KEY_OF["time"].get(plain[place], 0))
    )
    if not ranked:
        return ()
    if certain(ranked[0]) or len(ranked) == 1:
        return (ranked[0],)
    dates = [place for place in ranked if place < len(cells) and orders_of(cells[place])]
    clocks = [place for place in times if plain[place] in _KEY_OF["clock"] and place not in dates]
    if dates and clocks and not has_clock(cells[dates[0]]):
        return (dates[0], clocks[0])
    return ((dates or ranked)[0],)


def _without_header(row: Row) -> Columns | None:
    """Return the columns of a dump without a header: of Binance, of Kraken, of MetaTrader."""
    cells = row.cells
    if _is_epoch(cells[0]) and all(is_number(cell) for cell in cells[1:6]):
        if len(cells) in _KLINE and _is_epoch(cells[6]):
            return _placed(1, closed=6)
        if len(cells) in _TRADED:
            return _placed(1)
        if len(cells) == 8:  # Kraken's API has the average price before the volume
            return _placed(1)._replace(volume=6)
    if len(cells) == 7 and orders_of(cells[0]) and orders_of(f"{cells[0]} {cells[1]}"):
        return _placed(2) if all(map(is_number, cells[2:])) else None
    if len(cells) in (5, 6) and orders_of(cells[0]) and all(map(is_number, cells[1:])):
        return _placed(1) if len(cells) == 6 else _placed(1)._replace(volume=None)
    return None


def _placed(first: int, closed: int | None = None) -> Columns:
    names = {key: f"#{first + place + 1}" for place, key in enumerate((*PRICES, "volume"))}
    names["time"] = "#1" if first == 1 else "#1+#2"
    prices = (first, first + 1, first + 2, first + 3)
    return Columns(0, tuple(range(first)), prices, first + 4, names, closed=closed)


def _place_of(plain: Sequence[str], key: str) -> int | None:
    ranks = _KEY_OF[key]
    found = [(ranks[name], place) for place, name in enumerate(plain) if name in ranks]
    return min(found)[1] if found else None


def _plain(cell: str) -> str:
    return " ".join(word for word in _WORDS.split(cell.lower()) if word)


def _is_volume(name: str) -> bool:
    return name.startswith("volume ") and not name.endswith(" ma")


def _is_epoch(text: str) -> bool:
    whole = text.partition(".")[0]
    return len(whole) in _EPOCH_DIGITS and read_epoch(text) is not None


def _only(names: set[str]) -> str | None:
    return next(iter(names)) if len(names) == 1 else None
