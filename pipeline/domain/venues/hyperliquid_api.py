"""Parse fills from the JSON of Hyperliquid's API, strictly: one bad row refuses the page."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from afterword.pipeline.core.files.packed import printable
from afterword.pipeline.domain.fills.model import Fill, Liquidation, MarketKind
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.taxonomy import SPOT_PAIRS
from afterword.pipeline.rules.masking import shown

_VENUE: Final = "hyperliquid"

QUOTE: Final = "USDC"
"""The dollar that the venue quotes in; rows of 2023 name no fee token and mean it."""

MAX_FILE_BYTES: Final = 256 * 1024 * 1024
"""Some 700,000 rows; the venue hands out 10,000 fills of an account at most."""

_SHAPES: Final = 'a list of fills, or {"<account slot>": {"fills": [...]}, ...}'
_ACCOUNT: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_SYMBOL: Final = re.compile(r"[A-Za-z0-9@#:/._+-]{1,64}")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,20}(?:\.[0-9]{1,20})?")
_LAST_MS: Final = 253_402_300_799_999  # the last millisecond of the year 9999, datetime's end
_MAX_ID: Final = 2**63 - 1  # the largest integer a column holds
_COMPACT: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False)

_Row = dict[str, Any]
_Value = TypeVar("_Value")


def is_perp(symbol: str) -> bool:
    """Tell a perpetual from spot (`@107`, `PURR/USDC`) and outcome tokens (`#12`)."""
    return symbol[0] not in "@#" and "/" not in symbol


def read_fills_file(path: Path, account: str, max_bytes: int = MAX_FILE_BYTES) -> list[Fill]:
    """Read a saved answer of the venue's fills API.

    Args:
        path: JSON: one list of fills, or an object of account slots, each with its `fills`.
        account: name of the account; the fills of a slot belong to `<account>/<slot>`.
        max_bytes: larger files are refused.

    Returns:
        All fills in the order of the file.

    Raises:
        InvalidInputError: the file or any row of it; the field names file, row and field.
    """
    name = printable(path)
    _check_account("account", account)
    content = _loaded(name, _bytes_of(path, name, max_bytes))
    if isinstance(content, list):
        return parse_fills(content, account, f"{name}: fills")
    if not isinstance(content, dict) or not content:
        raise InvalidInputError(name, f"holds {_shown(content)}", _SHAPES)
    fills: list[Fill] = []
    for slot, page in content.items():
        _check_account(f"{name}: account slot", slot)
        if not isinstance(page, dict) or not isinstance(page.get("fills"), list):
            raise InvalidInputError(f"{name}: {slot}", "has no list of fills", _SHAPES)
        fills += parse_fills(page["fills"], f"{account}/{slot}", f"{name}: {slot}.fills")
    return fills


def parse_fills(rows: list[Any], account: str, field: str) -> list[Fill]:
    """Validate the rows of one page and turn them into fills, in the order given.

    Args:
        rows: decoded JSON rows.
        account: name of the account they belong to.
        field: what messages call the list; a row is `<field>[<index>]`.

    Raises:
        InvalidInputError: a row is no fill; nothing of the page is returned.
    """
    fills = []
    quotes = spot_quotes(row for row in rows if isinstance(row, dict))
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise InvalidInputError(f"{field}[{index}]", f"is {_shown(row)}", "a fill object")
        try:
            fills.append(parse_fill(row, account, partial(_COMPACT.encode, row), quotes=quotes))
        except InvalidInputError as error:
            place = f"{field}[{index}].{error.field}"
            raise InvalidInputError(place, error.problem, error.accepted) from None
    return fills


def spot_quotes(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return what spot markets are quoted in, as far as their names or sales among some rows tell.

    A purchase pays its fee in the coin, a sale in the quote; few names hold the quote.
    """
    bought, quotes = set(), {}
    for row in rows:
        coin, token, side = row.get("coin"), row.get("feeToken"), row.get("side")
        if not (isinstance(coin, str) and coin and isinstance(token, str)) or is_perp(coin):
            continue
        named = SPOT_PAIRS.get(coin, coin).partition("/")[2]
        if named:
            quotes[coin] = named
        elif side == "B":
            bought.add((coin, token))
        else:
            quotes[coin] = token
    return {coin: token for coin, token in quotes.items() if (coin, token) not in bought}


def parse_fill(
    row: _Row,
    account: str,
    raw: Callable[[], str],
    line: int = 0,
    quotes: Mapping[str, str] | None = None,
) -> Fill:
    """Validate one row and turn it into a fill; see `parse_fills`.

    Args:
        raw: writes the row as its file has it.
        line: of the file; 0 where there is none.
        quotes: of spot markets, by symbol; USDC where they do not say it.

    Raises:
        InvalidInputError: it is no fill; the field is a name of the row.
    """
    symbol = _symbol(row, "coin")
    kind: MarketKind = "perp" if is_perp(symbol) else "spot"
    tid = _optional(row, "tid", _integer)
    token = _optional(row, "feeToken", _symbol)
    quote = (quotes or {}).get(symbol, QUOTE)
    fill = Fill(
        venue=_VENUE,
        account=account,
        symbol=symbol,
        kind=kind,
        base=token if kind == "spot" and token != quote else None,  # a purchase pays in its coin
        quote=quote,
        px=_unsigned(row, "px"),
        sz=_positive(row, "sz"),
        side=_side(row),
        time_ms=_integer(row, "time", _LAST_MS),
        start_position=_decimal(row, "startPosition"),
        dir=_text(row, "dir"),
        closed_pnl=_decimal(row, "closedPnl"),
        fee=_decimal(row, "fee"),
        fee_token=token,
        oid=str(_integer(row, "oid")),
        tid=str(tid) if tid else None,  # 0 for dust conversions
        cloid=_optional(row, "cloid", _text),
        liquidation=_optional(row, "liquidation", _liquidation),
        raw=_written(raw),
        line=line,
    )
    # Kept in `raw` only, and checked: a row that breaks one of them is no fill of this venue.
    _text(row, "hash")
    _boolean(row, "crossed")
    _optional(row, "builderFee", _decimal)
    _optional(row, "twapId", _integer)
    return fill


def _bytes_of(path: Path, name: str, max_bytes: int) -> bytes:
    try:
        if path.exists() and not path.is_file():  # a device or a pipe may have no end
            raise InvalidInputError(name, "is not a regular file", "the path of a JSON file")
        with path.open("rb") as file:
            content = file.read(max_bytes + 1)
    except OSError as error:
        raise InvalidInputError(
            name, f"cannot be read ({error.strerror})", "a readable file"
        ) from None
    if len(content) > max_bytes:
        raise InvalidInputError(name, f"is larger than {max_bytes:,} bytes", "a smaller file")
    return content


def _loaded(name: str, content: bytes) -> Any:
    def refuse(constant: str) -> None:
        raise ValueError(f"a number must be finite, got {constant}")

    try:
        return json.loads(content.decode("utf-8"), parse_constant=refuse)
    except RecursionError:
        raise InvalidInputError(name, "is nested too deep", _SHAPES) from None
    except ValueError as error:  # bad UTF-8, bad JSON, an integer of thousands of digits
        raise InvalidInputError(name, f"is not JSON in UTF-8: {error}", _SHAPES) from None


def _check_account(field: str, account: str) -> None:
    if not _ACCOUNT.fullmatch(account):
        accepted = "1-64 of the characters A-Z a-z 0-9 _ . : -"
        raise InvalidInputError(field, f"is {_shown(account)}", accepted)


def _written(raw: Callable[[], str]) -> str:
    try:
        return raw()
    except (ValueError, RecursionError):  # 1e999 becomes an infinity no JSON can hold
        accepted = "finite numbers, nested a few levels"
        raise InvalidInputError("*", "cannot be written back as JSON", accepted) from None


def _optional(row: _Row, name: str, read: Callable[[_Row, str], _Value]) -> _Value | None:
    return None if row.get(name) is None else read(row, name)


def _decimal(row: _Row, name: str) -> Decimal:
    text = row.get(name)
    if not isinstance(text, str) or not _DECIMAL.fullmatch(text):
        raise _refusal(row, name, 'plain decimal text such as "3200.5", 20 + 20 digits at most')
    return Decimal(text)


def _unsigned(row: _Row, name: str) -> Decimal:
    number = _decimal(row, name)
    if number < 0:
        raise _refusal(row, name, "decimal text, 0 or more")
    return number


def _positive(row: _Row, name: str) -> Decimal:
    number = _decimal(row, name)
    if number <= 0:
        raise _refusal(row, name, "decimal text above 0")
    return number


def _integer(row: _Row, name: str, largest: int = _MAX_ID) -> int:
    number = row.get(name)
    if type(number) is not int or not 0 <= number <= largest:  # True is an int to isinstance
        raise _refusal(row, name, f"an integer from 0 to {largest}")
    return number


def _boolean(row: _Row, name: str) -> bool:
    value = row.get(name)
    if not isinstance(value, bool):
        raise _refusal(row, name, "true or false")
    return value


def _side(row: _Row) -> Literal["B", "A"]:
    side = row.get("side")
    if side == "B":
        return "B"
    if side == "A":
        return "A"
    raise _refusal(row, "side", '"B" (buy) or "A" (sell)')


def _text(row: _Row, name: str) -> str:
    text = row.get(name)
    if not isinstance(text, str) or not 0 < len(text) <= 128 or not text.isprintable():
        raise _refusal(row, name, "1-128 printable characters")
    return text


def _symbol(row: _Row, name: str) -> str:
    """Read a name that sentences and prompts repeat; without spaces it cannot add words to them."""
    symbol = row.get(name)
    if not isinstance(symbol, str) or not _SYMBOL.fullmatch(symbol):
        raise _refusal(row, name, "1-64 of the characters A-Z a-z 0-9 @ # : / . _ + -")
    return symbol


def _liquidation(row: _Row, name: str) -> Liquidation:
    liquidation = row[name]
    if not isinstance(liquidation, dict):
        raise _refusal(row, name, "an object with liquidatedUser and method")
    return Liquidation(
        liquidated_user=_optional(liquidation, "liquidatedUser", _text),
        method=_optional(liquidation, "method", _text),
    )


def _refusal(row: _Row, name: str, accepted: str) -> InvalidInputError:
    problem = f"is {_shown(row[name])}" if name in row else "is missing"
    return InvalidInputError(name, problem, accepted)


def _shown(value: object) -> str:
    """Show an unchecked value in one short line."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = shown(value) if isinstance(value, str) else ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
