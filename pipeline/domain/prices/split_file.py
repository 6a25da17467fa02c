"""A table of splits that its owner writes: symbol, date and factor."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Final

from afterword.pipeline.core.files.packed import printable
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.splits import Split
from afterword.pipeline.rules.masking import shown
from afterword.pipeline.rules.tabular.numbers import read_number

_EXAMPLE: Final = "NVDA,2024-06-10,10 (or 10:1; 1:8 of a reverse split)"
_LARGEST: Final = 100_000
"""Units that one unit can become, or the other way."""

_MOST_BYTES: Final = 1 << 20


def read_split_files(paths: Sequence[Path]) -> dict[str, tuple[Split, ...]]:
    """Return the splits of tables by market and time, so that what was held across one is right.

    A line holds symbol, date and factor: `NVDA,2024-06-10,10`. The factor is new units for one old
    one, as a number or as `10:1`. From the beginning of the date (UTC) on, units are new ones. The
    first line may be a heading.

    Raises:
        InvalidInputError: a file cannot be read, or a line has another form.
    """
    markets: dict[str, dict[datetime, Fraction]] = defaultdict(dict)
    for path in paths:
        for place, symbol, split in _splits(path):
            if markets[symbol].setdefault(split.effective_at, split.ratio) != split.ratio:
                raise InvalidInputError(place, "states a second factor of that day", "one factor")
    return {
        symbol: tuple(Split(day, ratio) for day, ratio in sorted(days.items()))
        for symbol, days in markets.items()
    }


def _splits(path: Path) -> Iterator[tuple[str, str, Split]]:
    name = printable(path)
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        lines = content.decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(name, f"cannot be read: {error}", "a text file") from None
    if len(content) > _MOST_BYTES:
        raise InvalidInputError(name, "is too long", f"up to {_MOST_BYTES:,} bytes")
    for number, line in enumerate(lines, start=1):
        cells = [cell.strip() for cell in line.split(",")]
        is_heading = number == 1 and cells[0].lower() == "symbol"
        if any(cells) and not is_heading:
            place = f"{name}: line {number}"
            yield place, *_read_line(cells, place)


def _read_line(cells: list[str], place: str) -> tuple[str, Split]:
    if len(cells) != 3 or not cells[0]:
        raise InvalidInputError(place, f"is {shown(','.join(cells))}", _EXAMPLE)
    symbol, date, factor = cells
    try:
        day = datetime.strptime(date, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise InvalidInputError(f"{place}: date", f"is {shown(date)}", _EXAMPLE) from None
    ratio = ratio_of(factor)
    if ratio is None:
        raise InvalidInputError(f"{place}: factor", f"is {shown(factor)}", _EXAMPLE)
    return symbol, Split(day, ratio)


def ratio_of(factor: str) -> Fraction | None:
    """Return new units for one old one: of `10`, `10:1`, `1/8` or `0.125`; None of other words."""
    new, _, old = factor.replace("/", ":").partition(":")
    parts = [read_number(part.strip()) for part in (new, old or "1")]
    if any(part is None or not Decimal(0) < part <= _LARGEST for part in parts):
        return None
    ratio = Fraction(parts[0] or 0) / Fraction(parts[1] or 1)
    is_plain = max(ratio.numerator, ratio.denominator) <= _LARGEST and ratio != 1
    return ratio if is_plain else None
