"""Tell exports of trades and files of prices apart, before anything is stored."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from afterword.pipeline.core.files.packed import printable
from afterword.pipeline.domain.documents.document import Document, open_document
from afterword.pipeline.domain.exports.kept import KnownTable, fitted, fitting
from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.exports.read import (
    layout_of,
    read_as,
    read_document,
    refuse_trades,
    refuse_wallet,
)
from afterword.pipeline.domain.exports.refusal import has_bars
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.domain.prices.csv_file import PriceFile, read_prices
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.splits import Split
from afterword.pipeline.rules.masking import mask

FILE_SOURCE: Final = "file"
"""Source of prices that come from files, as `afterword prices import` has it."""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How files are to be read, where they do not say it.

    Args:
        mapping: which columns hold what, of files with an unknown layout.
        mapping_name: the name it is kept under; None makes one.
        zone_text: the zone as it was written, to be kept with the mapping.
        kept: mappings that were kept, and layouts of the owner; one that a file fits is used.
        splits: of shares that were held, by market.
    """

    origin: Origin
    mapping: ColumnMapping | None = None
    mapping_name: str | None = None
    zone_text: str | None = None
    kept: Sequence[KnownTable] = ()
    splits: Mapping[str, tuple[Split, ...]] = field(default_factory=dict)

    def of(self, document: Document) -> Origin:
        """Return where a file comes from."""
        return replace(self.origin, name=document.name)

    def for_file(self, document: Document) -> "ReadingOptions":
        """Return the options of one file, with the kept mapping that it is read with."""
        origin, mapping = fitted(document, self.of(document), self.mapping, self.kept)
        return replace(self, origin=origin, mapping=mapping, kept=())

    def words(self) -> str:
        """Return what they say of how a file is read, as it is typed; secrets masked.

        Equal options give equal words; what is not said is left out.
        """
        origin, mapping = self.origin, self.mapping
        options = [
            ("--zone", self.zone_text or (mapping and mapping.zone)),
            ("--symbol", origin.symbol),
            ("--columns", mapping and mapping.text()),
            ("--time-unit", origin.time_unit or (mapping and mapping.time_unit)),
            ("--time-format", origin.time_format or (mapping and mapping.time_format)),
            ("--decimal", origin.mark or (mapping and mapping.mark)),
            ("--day", origin.day and str(origin.day)),
            *(
                ("--contract-size", f"{symbol}={plain(size)}")
                for symbol, size in sorted(origin.contract_sizes.items())
            ),
        ]
        return mask(shlex.join(word for name, value in options if value for word in (name, value)))


@dataclass(frozen=True, slots=True)
class SortedFiles:
    """Exports of trades, and the series of prices of the other files by name."""

    trades: tuple[Document, ...]
    prices: tuple[tuple[str, tuple[PriceFile, ...]], ...]


def sort_files(
    files: Sequence[Path], price_files: Sequence[Path], options: ReadingOptions, now: datetime
) -> SortedFiles:
    """Return which files hold trades, and what the files of prices hold.

    Args:
        files: of either sort.
        price_files: those that hold prices, as their owner says.
        now: a bar that is not closed by then is refused.

    Raises:
        InvalidInputError: a file is neither, or cannot be read.
        ExceptionGroup: of one InvalidInputError for each bad row of prices.
    """
    trades: list[Document] = []
    for path in price_files:
        refuse_trades(path)
    prices = [
        (printable(path), tuple(read_price_file(path, options.origin.symbol, now)))
        for path in price_files
    ]
    for path in files:
        document = open_document(path)
        refuse_wallet(document)
        document = read_as(document, has_mapping=options.mapping is not None)
        if _holds_trades(document, options):
            trades.append(document)
            continue
        try:
            prices.append(
                (printable(path), tuple(read_price_file(path, options.origin.symbol, now)))
            )
        except InvalidInputError:
            if has_bars(document):
                raise
            # It is no file of prices either: refused with the layouts of trades that are near.
            read_document(document, options.of(document), options.mapping, options.kept)
            trades.append(document)
    return SortedFiles(tuple(trades), tuple(prices))


def _holds_trades(document: Document, options: ReadingOptions) -> bool:
    return layout_of(document) is not None or fitting(document, options.kept) is not None


def read_price_file(path: Path, symbol: str | None, now: datetime) -> list[PriceFile]:
    """Return the series of a file of prices.

    Args:
        symbol: the market of a file that names none; None if nobody said.
        now: a bar that is not closed by then is refused.

    Raises:
        InvalidInputError: it cannot be read.
        ExceptionGroup: of one InvalidInputError for each bad row.
    """
    try:
        return read_prices(path, FILE_SOURCE, known_by=now)
    except InvalidInputError:
        if symbol is None:
            raise
        return read_prices(path, FILE_SOURCE, symbol, known_by=now)
