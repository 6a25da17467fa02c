"""What the name of a price file says: its market, and the length of its bars."""

import re
from datetime import timedelta
from typing import Final, NamedTuple

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_UNITS: Final = {
    "s": timedelta(seconds=1),
    "m": _MINUTE,
    "min": _MINUTE,
    "minute": _MINUTE,
    "h": _HOUR,
    "hour": _HOUR,
    "d": _DAY,
    "day": _DAY,
    "w": 7 * _DAY,
    "wk": 7 * _DAY,
    "": _MINUTE,
}
_LENGTH: Final = re.compile(r"(?P<count>[0-9]{0,5})(?P<unit>[a-z]*)")
_SYMBOL: Final = r"(?P<symbol>[A-Za-z0-9][A-Za-z0-9.!=^+-]{0,30})"
_UPPER: Final = r"(?P<symbol>[A-Z0-9.]{3,20})"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        # ours: SOLUSDT_2024_1h
        r"(?P<symbol>[A-Za-z0-9.-]+)_(?:.+_)?(?P<length>[0-9]+[mhd])",
        # TradingView: BINANCE_BTCUSDT, 60 or NASDAQ_DLY_AAPL, 1D_3f2a1
        rf"(?:[A-Z0-9]+_)*{_SYMBOL}, (?P<length>[0-9]{{0,5}}[SDW]?)(?:[_ ].*)?",
        # Binance: BTCUSDT-1h-2021-01
        rf"{_UPPER}-(?P<length>[0-9]+[smhdw])-[0-9]{{4}}.*",
        # MetaTrader: EURUSD_H1, EURUSDH1_202301020000_202312312300
        r"(?:.+_)?(?P<symbol>[A-Za-z0-9.#+-]+?)_?(?P<turned>[MHDW](?:1|4|5|15|30))(?:_[0-9]+)*",
        # MetaTrader: EURUSD60
        r"(?P<symbol>[A-Z]{6})(?P<length>1|5|15|30|60|240|1440|10080)",
        # CryptoDataDownload and Kraken: Binance_BTCUSDT_d, XBTUSD_60
        rf"(?:.+_)?{_UPPER}_(?P<length>d|[0-9]{{1,4}}|[0-9]*(?:m|min|minute|h|hour|d))",
        # inside a name: mine_ETHUSDT_15m_2026
        rf"(?:.+_)?{_UPPER}_(?P<length>[0-9]+[mhd])_.+",
        # Yahoo: AAPL, BTC-USD
        r"(?P<symbol>[A-Z0-9^][A-Z0-9.=-]{0,11})",
    )
)
_LONGEST: Final = 255
"""Characters of a name: no file system takes more, but a zip does, and the forms are not linear."""

_SUFFIX: Final = re.compile(r"\.(?:csv|txt|json|tsv)(?:\.gz)?$", re.IGNORECASE)


class FileName(NamedTuple):
    """What a name says; None where it is silent."""

    symbol: str | None
    interval: timedelta | None


def read_name(name: str) -> FileName:
    """Return the market and the length of bars that a file's name says."""
    if len(name) > _LONGEST:
        return FileName(None, None)
    stem = _SUFFIX.sub("", name)
    for form in _FORMS:
        if match := form.fullmatch(stem):
            parts = match.groupdict()
            length = parts.get("length") or ""
            if turned := parts.get("turned"):
                length = turned[1:] + turned[0].lower()
            return FileName(parts["symbol"], length_of(length))
    return FileName(None, None)


def length_of(text: str) -> timedelta | None:
    """Return a length as programs write it, or None: `1h`, `60` (minutes), `D`, `15min`."""
    match = _LENGTH.fullmatch(text.lower())
    if not text or match is None or match["unit"] not in _UNITS:
        return None
    length = int(match["count"] or 1) * _UNITS[match["unit"]]
    return length if timedelta(0) < length <= 366 * _DAY else None
