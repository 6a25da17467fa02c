"""Check a reply of the candle snapshot API: all of it must fit the request, or all is refused."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from afterword.pipeline.clock import from_millis
from afterword.pipeline.gateway.http.model import AskFailedError
from afterword.pipeline.rules.market.bars import Bar, misshapen
from afterword.pipeline.rules.market.decimals import read_amount

BYTES_A_CANDLE: Final = 512
"""One is some 150 bytes; the rest is room for longer numbers and further fields."""

_PRICES: Final = ("o", "h", "l", "c", "v")
_LAST_MS: Final = 253_402_300_799_999  # the last millisecond of the year 9999, datetime's end


def read_candles(
    body: bytes, coin: str, interval: str, length: timedelta, start: datetime, end: datetime
) -> tuple[Bar, ...]:
    """Return the candles of a reply in order of time, or refuse all of it.

    Numbers arrive as decimal text and stay decimal; a JSON number would be a float.

    Args:
        coin, interval: as they were asked for; a candle of another is refused.
        start, end: the candles asked for open from `start` to before `end`; the venue adds those
            that were open at either moment, which are left out.

    Raises:
        AskFailedError: something does not fit.

    Source: Hyperliquid docs, info endpoint, "Candle snapshot" (t, T, s, i, o, c, h, l, v, n).
    """
    bars: dict[datetime, Bar] = {}
    for row in _rows(body):
        if row.get("s") != coin or row.get("i") != interval:
            raise _misfit("a candle of another market or interval")
        bar = _bar(row, length)
        if start <= bar.t_open < end and bars.setdefault(bar.t_open, bar) != bar:
            raise _misfit("two candles of one time")
    return tuple(bars[moment] for moment in sorted(bars))


def _rows(body: bytes) -> list[Mapping[str, Any]]:
    try:
        rows = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _misfit("no JSON") from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise _misfit("no list of candles")
    return rows


def _bar(row: Mapping[str, Any], length: timedelta) -> Bar:
    opened = row.get("t")
    if type(opened) is not int or not 0 <= opened <= _LAST_MS:
        raise _misfit("a candle without a time")
    numbers: list[Decimal] = []
    for name in _PRICES:
        number = read_amount(row.get(name))
        if number is None:
            raise _misfit("a candle with a value other than decimal text")
        numbers.append(number)
    bar = Bar(from_millis(opened), length, *numbers)
    problem = misshapen(bar)
    if problem is not None:
        raise _misfit(f"a candle with {problem}")
    return bar


def _misfit(what: str) -> AskFailedError:
    return AskFailedError(f"Hyperliquid sent {what}; try again later")
