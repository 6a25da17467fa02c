"""Which column of a table of bars holds what: by its header, or by its first row without one."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from afterword.pipeline.domain.documents.named import split_parts
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask, shown
from afterword.pipeline.rules.tabular.numbers import read_number
from afterword.pipeline.rules.tabular.sheet import Row
from afterword.pipeline.rules.tabular.stamps import has_clock, orders_of, read_epoch, says_zone

PRICE_KEYS: Final = ("open", "high", "low", "close")
_KEYS: Final = ("time", *PRICE_KEYS, "volume", "symbol")
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
_READ: Final = ("time", *PRICE_KEYS, "volume", "symbol", "closed", "split")
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
        at: by key, one place, or those of a date and a time. `closed` is the moment at which a bar
            ends; only `time` and the prices are always there.
        names: by key, as the file writes them; `#3` without a header.
        ticker: the market that a preamble names.
    """

    start: int
    at: dict[str, tuple[int, ...]]
    names: dict[str, str]
    ticker: str | None = None


def find_columns(head: Sequence[Row], file: str) -> Columns | None:
    """Return where a table holds its bars; None if it is none that is known.

    Args:
        head: its first rows, without blank ones.
        file: its name, for messages.

    Raises:
        InvalidInputError: several columns have the name of one that is read.
    """
    if head and (columns := _without_header(head[0])) is not None:
        return columns
    for place, row in enumerate(head):
        if (columns := _by_names(row, head[place + 1 :], file)) is not None:
            return columns
    return None


def read_pairs(text: str) -> dict[str, str]:
    """Return the columns that an owner names, by key: `time=Date,open=Open,...`.

    Raises:
        InvalidInputError: the text cannot be read, or a key is missing, unknown or given twice.
    """
    pairs = [part.partition("=") for part in split_parts(text, EXAMPLE)]
    if not all(sign for _, sign, _ in pairs):
        raise InvalidInputError("columns", f"are {shown(text, 80)}", EXAMPLE)
    names = {key: name for key, _, name in pairs}
    if len(names) < len(pairs):
        twice = next(key for key in names if [pair[0] for pair in pairs].count(key) > 1)
        raise InvalidInputError("columns", f"{twice!a:.40} is given twice", "each key once")
    missing = [key for key in ("time", *PRICE_KEYS) if not names.get(key)]
    strange = [key for key in names if key not in _KEYS or not names[key]]
    if missing or strange:
        problem = f"lack {', '.join(missing)}" if missing else f"hold {', '.join(strange)!a}"
        raise InvalidInputError("columns", problem, f"keys of {', '.join(_KEYS)}: {EXAMPLE}")
    return names


def is_number(text: str) -> bool:
    """Tell a cell with a number, whatever its decimal mark is."""
    return read_number(text, ".") is not None or read_number(text, ",") is not None


def _by_names(row: Row, below: Sequence[Row], file: str) -> Columns | None:
    plain = [_plain(cell) for cell in row.cells]
    at: dict[str, tuple[int, ...]] = {
        key: (place,) for key in _READ if (place := _place_of(plain, key)) is not None
    }
    if any(key not in at for key in PRICE_KEYS):
        return None
    start, ticker = row.line, None
    times = [place for place, name in enumerate(plain) if name in _KEY_OF["time"]]
    if plain[0] == "price" and [_plain(row.cells[0]) for row in below[:1]] == ["ticker"]:
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
    at["time"] = time
    # CryptoDataDownload: `Volume BTC`, then `Volume USDT`
    of_asset = [place for place, name in enumerate(plain) if _is_volume(name)]
    if "volume" not in at and of_asset:
        at["volume"] = (of_asset[0],)
    _check_once(
        f"{file}: line {row.line}", row, [place for key in _READ for place in at.get(key, ())]
    )
    names = {
        key: "+".join(row.cells[place] or f"#{place + 1}" for place in places)
        for key, places in at.items()
    }
    return Columns(start, at, names, ticker)


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
            return _placed(1, volume=5, closed=6)
        if len(cells) in _TRADED:
            return _placed(1, volume=5)
        if len(cells) == 8:  # Kraken's API has the average price before the volume
            return _placed(1, volume=6)
    if len(cells) == 7 and orders_of(cells[0]) and orders_of(f"{cells[0]} {cells[1]}"):
        return _placed(2, volume=6) if all(map(is_number, cells[2:])) else None
    if len(cells) in (5, 6) and orders_of(cells[0]) and all(map(is_number, cells[1:])):
        return _placed(1, volume=5) if len(cells) == 6 else _placed(1)
    return None


def _placed(first: int, **others: int) -> Columns:
    """Return columns by their places: times before the first price, the prices, others."""
    at = {"time": tuple(range(first))}
    at |= {key: (first + place,) for place, key in enumerate(PRICE_KEYS)}
    at |= {key: (place,) for key, place in others.items()}
    names = {key: "+".join(f"#{place + 1}" for place in places) for key, places in at.items()}
    return Columns(0, at, names)


def _place_of(plain: Sequence[str], key: str) -> int | None:
    ranks = _KEY_OF[key]
    ranked = [(ranks[name], place) for place, name in enumerate(plain) if name in ranks]
    return min(ranked)[1] if ranked else None


def _plain(cell: str) -> str:
    return " ".join(word for word in _WORDS.split(cell.lower()) if word)


def _is_volume(name: str) -> bool:
    return name.startswith("volume ") and not name.endswith(" ma")


def _is_epoch(text: str) -> bool:
    whole = text.partition(".")[0]
    return len(whole) in _EPOCH_DIGITS and read_epoch(text) is not None


def _only(names: set[str]) -> str | None:
    return next(iter(names)) if len(names) == 1 else None
