"""Read the files of a replay, each once; several at a time on the other cores."""

import hashlib
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from afterword.pipeline.core.files.packed import printable
from afterword.pipeline.domain.documents.document import open_document
from afterword.pipeline.domain.exports.read import refuse_trades
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.domain.prices.csv_file import PriceFile, read_factors, refuse_unpriced
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.learn.files import FILE_SOURCE, ReadingOptions, read_price_file
from afterword.pipeline.operations.loop.progress import OnProgress
from afterword.pipeline.operations.replay.model import InputKind, ReplayInput
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.rules.market.splits import Split


@dataclass(frozen=True, slots=True)
class ReplayInputs:
    """The files of a replay, read and checked.

    Args:
        prices: the series of each file, in their order.
        factors: markets with the splits of their factor files.
        files: what was read.
    """

    prices: tuple[PriceFile, ...]
    factors: tuple[tuple[str, tuple[Split, ...]], ...]
    files: tuple[ReplayInput, ...]


def read_inputs(
    plan: ReplayPlan, now: datetime, told: OnProgress, executor: Executor | None = None
) -> ReplayInputs:
    """Read the files of prices.

    Args:
        now: a bar that is not closed by then is refused.
        executor: reads several files at a time; None reads one after the other.

    Raises:
        InvalidInputError: a file cannot be read.
        ExceptionGroup: of one InvalidInputError for each bad row.
    """
    symbol = plan.reading.origin.symbol
    files = [_prices_input(path, symbol) for path in plan.prices]
    files += [input_of("factors", path) for path in plan.factors]
    files += [_trades_input(path, plan.reading) for path in plan.trades]
    asked = plan.prices, [now] * len(plan.prices), [symbol] * len(plan.prices)
    read: Iterator[list[PriceFile]] = map(_read, *asked)
    if executor is not None and len(plan.prices) > 1:
        read = executor.map(_read, *asked)
    prices = [*plan.series]
    for price_files in _told(read, len(plan.prices), told):
        prices += price_files
    factors = tuple(read_factors(path) for path in plan.factors)
    priced = {file.series.symbol for file in prices if file.series.source == FILE_SOURCE}
    for market, _ in factors:
        refuse_unpriced(market, priced)
    return ReplayInputs(tuple(prices), factors, tuple(files))


def input_of(kind: InputKind, path: Path) -> ReplayInput:
    """Return what the settings keep of a file.

    Raises:
        InvalidInputError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return ReplayInput(kind, path.name, hashlib.file_digest(file, "sha256").hexdigest())
    except OSError as error:
        problem = f"{printable(path)} cannot be read: {error.strerror}"
        raise InvalidInputError(kind, problem, "a file of this machine") from None


def _prices_input(path: Path, symbol: str | None) -> ReplayInput:
    reading = "" if symbol is None else ReadingOptions(Origin("", "", symbol=symbol)).words()
    return replace(input_of("prices", path), reading=reading)


def _trades_input(path: Path, options: ReadingOptions) -> ReplayInput:
    trades = input_of("trades", path)
    return replace(trades, reading=options.for_file(open_document(path)).words())


def _read(path: Path, now: datetime, symbol: str | None) -> list[PriceFile]:
    refuse_trades(path, "--trades FILE")
    return read_price_file(path, symbol, now)


def _told(
    read: Iterator[list[PriceFile]], total: int, told: OnProgress
) -> Iterator[list[PriceFile]]:
    for number, files in enumerate(read, start=1):
        told("read", number, total)
        yield files
