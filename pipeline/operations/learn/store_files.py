"""Store what files hold: every file is read to its end before the first row is stored."""

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.accounts.model import VENUE
from afterword.pipeline.domain.accounts.one_name import check_one_name
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.exports.import_export import SoundExport, check_export
from afterword.pipeline.domain.exports.kept import keep_mapping
from afterword.pipeline.domain.fills.model import ClosedTrade, Fill
from afterword.pipeline.domain.history.keep_funding import keep_funding
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.prices.csv_file import PriceFile
from afterword.pipeline.domain.prices.intervals import write_interval
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.model import PriceCounts
from afterword.pipeline.domain.trips.settle_fills import STRETCH, ShowProgress, settle_fills
from afterword.pipeline.domain.trips.share_splits import held_splits, keep_held_splits
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.learn.files import ReadingOptions, SortedFiles
from afterword.pipeline.operations.learn.place import LearnPlace
from afterword.pipeline.operations.learn.report import FileLine
from afterword.pipeline.operations.learn.splits import SplitsByMarket, stated_splits


def store_files(
    place: LearnPlace,
    files: SortedFiles,
    options: ReadingOptions,
    until: datetime | None,
    told: ShowProgress,
) -> tuple[FileLine, ...]:
    """Store prices and trades; a second time changes nothing.

    Args:
        until: leaves out trades after this moment; None takes all.

    Raises:
        InvalidInputError: a row is bad; nothing was stored.
    """
    lines = []
    with ExitStack() as open_:
        exports = [
            open_.enter_context(_check(document, options, until, told)) for document in files.trades
        ]
        _check_names(place, exports)
        for export in exports:
            _check_alternatives(export)
        for number, (name, series) in enumerate(files.prices, start=1):
            lines.append(_keep_prices(place, name, series))
            told("prices", number, len(files.prices))
        _keep_splits(place, exports, options, told)
        for export in exports:
            lines.append(_keep_trades(place, export, until is None, told))
            if export.layout.name == "columns":
                _keep_mapping(place, export.document, options)
    return tuple(lines)


def _check(
    document: Document, options: ReadingOptions, until: datetime | None, told: ShowProgress
) -> SoundExport:
    return check_export(
        document,
        options.of(document),
        mapping=options.mapping,
        kept=options.kept,
        keeps=None if until is None else lambda item: _is_by(item, until),
        on_progress=told,
    )


def _keep_splits(
    place: LearnPlace,
    exports: Sequence[SoundExport],
    options: ReadingOptions,
    told: ShowProgress,
) -> None:
    """Keep the splits that files state, before the trades that were held across them."""
    sources: list[SplitsByMarket] = [options.splits, *map(stated_splits, exports)]
    if place.beside is not None:
        with reading(place.beside) as conn:
            sources.append(held_splits(conn, to_micros(place.clock())))
    new = sum(keep_held_splits(place.store, splits, place.clock) for splits in sources)
    if new and place.is_kept:  # what was kept before: no file may follow that settles it
        max_ready = place.settings.jobs_max_ready
        embeds = place.settings.embedding_provider != "disabled"
        by = Writer(place.store, place.clock, place.ids, "system", embeds=embeds)
        settle_fills(place.store, by, place.clock, max_ready, STRETCH, True, told)


def _check_names(place: LearnPlace, exports: Sequence[SoundExport]) -> None:
    with reading(place.store) as conn:
        for export in exports:
            history = place.histories.get(export.document.name)
            if history is not None:
                for account in sorted(export.accounts):
                    check_one_name(conn, account, history.address)


def _check_alternatives(export: SoundExport) -> None:
    """Refuse strategies that were tried on the same money: their sum is nobody's result."""
    accounts = sorted(export.accounts)
    if export.layout.has_alternatives and len(accounts) > 1:
        name = export.document.name
        problem = f"holds {len(accounts)} strategies, whose results are never added up"
        raise InvalidInputError(name, problem, f"--account {' or --account '.join(accounts)}")


def _keep_prices(place: LearnPlace, name: str, files: Sequence[PriceFile]) -> FileLine:
    counts = PriceCounts()
    for file in files:
        counts += keep_bars(place.store, file.series, file.bars, place.clock, place.arrived)
    series = [file.series for file in files]
    markets = sorted({(one.symbol, write_interval(one.interval)) for one in series})
    shown = ", ".join(f"{symbol}, {interval}" for symbol, interval in markets[:3])
    more = f" and {len(markets) - 3} more" if len(markets) > 3 else ""
    bars = sum(len(file.bars) for file in files)
    return FileLine(
        name,
        "prices",
        f"prices of {shown}{more}",
        bars=bars,
        known=counts.bars_known if place.is_kept else 0,
    )


def _keep_trades(
    place: LearnPlace, export: SoundExport, is_whole: bool, told: ShowProgress
) -> FileLine:
    wallets = {}
    history = place.histories.get(export.document.name)
    if history is not None:
        for account in export.accounts:  # none, if no trade is early enough
            wallets[account] = history.address
            payments, wallet = history.funding, history.address
            keep_funding(place.store, account, VENUE, payments, place.clock, wallet)
    done = export.store_in(
        place.store,
        place.clock,
        place.ids,
        wallets=wallets,
        embedding_enabled=place.is_kept and place.settings.embedding_provider != "disabled",
        max_ready=place.settings.jobs_max_ready if place.is_kept else 0,
        remembers=place.is_kept,  # nobody asks the store of one look
        on_progress=told,
    )
    return FileLine(
        export.document.name,
        "trades",
        export.layout.title,
        fills=export.fills,
        closed_trades=export.closed_trades,
        accounts=tuple(sorted(export.accounts)),
        known=done.fills_known + done.closed_trades_known if place.is_kept else 0,
        left_out=dict(export.left_out.most_common()) if is_whole else None,
        splits=tuple(export.splits),
    )


def _keep_mapping(place: LearnPlace, document: Document, options: ReadingOptions) -> None:
    """Keep named columns for the next file with this header, if its owner keeps anything."""
    store = place.store if place.is_kept else place.beside
    if options.mapping is None or store is None or not (place.is_kept or options.mapping_name):
        return
    with writing(store) as conn:
        keep_mapping(
            conn,
            document,
            options.mapping,
            place.clock(),
            name=options.mapping_name,
            zone=options.zone_text,
            symbol=options.origin.symbol,
        )


def _is_by(item: Fill | ClosedTrade, until: datetime) -> bool:
    if isinstance(item, Fill):
        return 1000 * item.time_ms <= to_micros(until)
    return item.closed_at <= until
