"""Rows of bars out of JSON: candles as lists or as objects, under a key or without."""

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.numbers import read_number
from afterword.pipeline.rules.tabular.sheet import MOST_COLUMNS, Row

_COINBASE: Final = (0, 3, 2, 1, 4, 5)
_LISTS: Final = ("candles", "data", "bars", "prices", "result", "results", "ohlcv", "Data")


def json_rows(name: str, content: Any) -> list[Row]:
    """Return the rows in the content of a file of JSON.

    Args:
        name: of the file, for messages.

    Raises:
        InvalidInputError: it holds no candles, or candles of several kinds.
    """
    if isinstance(content, dict):
        lists = [content[key] for key in _LISTS if isinstance(content.get(key), list)]
        content = lists[0] if lists else None
    if not isinstance(content, list) or not content:
        raise InvalidInputError(name, "has no list of candles", "[[time, ...], ...] or objects")
    if all(isinstance(candle, list) for candle in content):
        return _candles(name, [[_cell(value) for value in candle] for candle in content])
    if all(isinstance(candle, dict) for candle in content):
        names = list(dict.fromkeys(key for candle in content for key in candle))
        if len(names) > MOST_COLUMNS:  # each row gets a cell for each name
            problem = f"has candles with {len(names):,} names"
            raise InvalidInputError(name, problem, f"{MOST_COLUMNS:,} names at most")
        rows = [[_cell(candle.get(key)) for key in names] for candle in content]
        return [Row(0, names), *_numbered(rows)]
    raise InvalidInputError(name, "has candles of several kinds", "lists, or objects")


def _candles(name: str, candles: Sequence[list[str]]) -> list[Row]:
    """Return candles with the columns time, open, high, low, close, volume.

    Coinbase writes time, low, high, open, close: the order is that in which all bars are possible.
    """
    if not all(len(candle) == len(candles[0]) for candle in candles):
        raise InvalidInputError(name, "has candles of different lengths", "one length")
    if len(candles[0]) != len(_COINBASE):
        return _numbered(candles)
    turned = [[candle[place] for place in _COINBASE] for candle in candles]
    usual, other = (all(map(_is_possible, rows)) for rows in (candles, turned))
    if usual and other and list(candles) != turned:
        problem = "has candles that are possible in two orders of columns"
        raise InvalidInputError(name, problem, "a CSV with a header")
    return _numbered(turned if other and not usual else candles)


def _numbered(rows: Sequence[list[str]]) -> list[Row]:
    return [Row(number, cells) for number, cells in enumerate(rows, start=1)]


def _is_possible(candle: Sequence[str]) -> bool:
    numbers = [read_number(cell) for cell in candle[1:5]]
    if None in numbers:
        return True  # refused with its line when it is read
    first, high, low, last = (number or Decimal(0) for number in numbers)
    return low <= min(first, last) and max(first, last) <= high


def _cell(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)
