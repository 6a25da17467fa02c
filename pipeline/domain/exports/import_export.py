"""Import an export: all of the file is read and checked before its first row is stored."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import EARLIEST, Clock, from_millis
from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.documents.document import Document, open_document
from afterword.pipeline.domain.exports.kept import KnownTable
from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.exports.read import read_as, read_document
from afterword.pipeline.domain.fills.model import ClosedTrade, Fill
from afterword.pipeline.domain.fills.secrets import masked
from afterword.pipeline.domain.history.files import FileMark
from afterword.pipeline.domain.history.import_fills import ImportCounts, import_spool
from afterword.pipeline.domain.history.spool import Move, Spool
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin, ShareSplit
from afterword.pipeline.domain.prices.keep_classes import keep_exported_classes
from afterword.pipeline.domain.spot.model import SpotActivity
from afterword.pipeline.domain.trips.settle_fills import ShowProgress, silent
from afterword.pipeline.ids import IdSource

TOLD_EVERY: Final = 5_000
"""Rows after which progress is told."""

OF_MINUTES: Final = "-minutes"
"""Ends the name of the layout of a table whose times have no seconds, as spreadsheets save it."""

_MINUTE_MS: Final = 60_000
_BLOCK: Final = 1 << 20


class SoundExport:
    """An export that was read to its end; use it in a `with` block.

    Args:
        layout: what it is.
        left_out: rows that are no trades, by reason; counts.
        splits: those of them that change the units of a share.
        shares: markets of which it says that they are shares, funds among them.
    """

    def __init__(self, document: Document, layout: Layout, spool: Spool, mark: FileMark) -> None:
        self.document = document
        self.layout = layout
        self.left_out: Counter[str] = Counter()
        self.splits: list[ShareSplit] = []
        self.shares: set[str] = set()
        self._spool = spool
        self._mark = mark
        self._is_of_minutes = layout.is_by_columns

    def __enter__(self) -> "SoundExport":
        return self

    def __exit__(self, *_: object) -> None:
        self._spool.close()

    @property
    def fills(self) -> int:
        """Return how many fills it holds."""
        return self._spool.fills

    @property
    def closed_trades(self) -> int:
        """Return how many closed trades it holds."""
        return self._spool.trades

    def activities(self, size: int) -> Iterator[list[tuple[SpotActivity, int]]]:
        """Yield what a wallet did, some at a time; see `Spool.activities`."""
        return self._spool.activities(size)

    def moves(self, account: str, symbol: str) -> Iterator[Move]:
        """Yield what the fills of a market did, by time; see `Spool.moves`."""
        return self._spool.moves(account, symbol)

    @property
    def accounts(self) -> set[str]:
        """Return the accounts it names."""
        return set(self._spool.accounts)

    @property
    def last_at(self) -> datetime:
        """Return when its last row happened; the earliest moment of an empty file."""
        return max((from_millis(span.last_ms) for span in self._spool.spans()), default=EARLIEST)

    def store_in(
        self,
        store: Store,
        clock: Clock,
        ids: IdSource,
        *,
        wallets: Mapping[str, str] | None = None,
        embedding_enabled: bool = False,
        max_ready: int = 0,
        remembers: bool = True,
        on_progress: ShowProgress = silent,
    ) -> ImportCounts:
        """Store its fills and closed trades, and settle the trips that they close; then state
        what it says of the class of markets that nobody knows.

        Killed at any point, a second import ends in the same tables; see `import_spool`.

        Raises:
            InvalidInputError: no address; nothing was written.
            UnavailableError: the backlog is full, or the store cannot be written now.
        """
        counts = import_spool(
            store,
            self._spool,
            clock,
            ids,
            file=self._marked(),
            wallets=wallets,
            embedding_enabled=embedding_enabled,
            max_ready=max_ready,
            remembers=remembers,
            on_progress=on_progress,
        )
        keep_exported_classes(store, dict.fromkeys(self.shares, "stock"), clock)
        return counts

    def take(self, item: Item) -> None:
        """Set an item aside, or count why it is left out."""
        if isinstance(item, LeftOut):
            self.left_out[masked(item.reason)] += 1
            if item.split is not None:
                self.splits.append(item.split)
        else:
            if not isinstance(item, SpotActivity) and item.kind == "stock":
                self.shares.add(item.symbol)
            if isinstance(item, Fill) and item.time_ms % _MINUTE_MS:
                self._is_of_minutes = False
            self._spool.add(item)

    def _marked(self) -> FileMark:
        """Return what identifies the file; a table without seconds is a layout of its own.

        So its fills are held against those of a table that has them, and count once.
        """
        layout = f"{self._mark.layout}{OF_MINUTES}" if self._is_of_minutes else self._mark.layout
        return self._mark._replace(layout=layout)


def check_export(
    source: Path | Document,
    origin: Origin,
    *,
    mapping: ColumnMapping | None = None,
    kept: Sequence[KnownTable] = (),
    keeps: Callable[[Fill | ClosedTrade], bool] | None = None,
    on_progress: ShowProgress = silent,
) -> SoundExport:
    """Read an export to its end and set its trades aside, so that nothing of a bad one is stored.

    Memory does not grow with the number of rows.

    Args:
        source: the file, or what it was seen to be.
        origin: an empty account means the venue's name.
        mapping: which columns hold what, where the owner says it for this file.
        kept: mappings that were kept, and layouts of the owner; one that the file fits is used.
        keeps: leaves out trades for which it is false; None takes all.

    Raises:
        InvalidInputError: the layout is not known, or a row is bad.
    """
    document = open_document(source) if isinstance(source, Path) else source
    document = read_as(document, has_mapping=mapping is not None)
    layout, items = read_document(document, origin, mapping, kept)
    digest = _digest(document.path)
    if keeps is not None:  # a file read in part must not stand for the whole of it
        digest = hashlib.sha256(f"a part of {digest}".encode()).hexdigest()
    mark = FileMark(digest, layout.name, masked(document.name))
    spool = Spool(document.name, masks=True)
    export = SoundExport(document, layout, spool, mark)
    try:
        for number, item in enumerate(items, start=1):
            if keeps is None or not isinstance(item, Fill | ClosedTrade) or keeps(item):
                export.take(item)
            if number % TOLD_EVERY == 0:
                on_progress("read", number, number + TOLD_EVERY)
        spool.close_file()
    except BaseException:
        spool.close()
        raise
    return export


def import_export(
    store: Store,
    source: Path | Document,
    origin: Origin,
    clock: Clock,
    ids: IdSource,
    *,
    mapping: ColumnMapping | None = None,
    kept: Sequence[KnownTable] = (),
    embedding_enabled: bool = False,
    max_ready: int = 0,
    on_progress: ShowProgress = silent,
) -> tuple[ImportCounts, Counter[str]]:
    """Check an export and store it; see `check_export` and `SoundExport.store_in`.

    Returns:
        What the import did, and the rows that are no trades, by reason.

    Raises:
        InvalidInputError: the layout is not known, or a row is bad; nothing was written.
        UnavailableError: the backlog is full, or the store cannot be written now; import again.
    """
    checked = check_export(source, origin, mapping=mapping, kept=kept, on_progress=on_progress)
    with checked as export:
        counts = export.store_in(
            store,
            clock,
            ids,
            embedding_enabled=embedding_enabled,
            max_ready=max_ready,
            on_progress=on_progress,
        )
        return counts, export.left_out


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
