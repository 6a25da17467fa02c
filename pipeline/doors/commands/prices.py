"""`afterword prices`: import prices from files, fetch them from the venue, list the series."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions.triggers import on_prices
from afterword.pipeline.domain.exports.read import refuse_trades
from afterword.pipeline.domain.prices.build import build_hyperliquid
from afterword.pipeline.domain.prices.csv_file import read_factors, read_prices, refuse_unpriced
from afterword.pipeline.domain.prices.fetch import fetch_bars
from afterword.pipeline.domain.prices.intervals import read_interval
from afterword.pipeline.domain.prices.keep import (
    OnNewPrices,
    add_splits,
    check_source,
    keep_bars,
    keep_splits,
)
from afterword.pipeline.domain.prices.keep_classes import keep_class
from afterword.pipeline.domain.prices.model import PriceCounts
from afterword.pipeline.domain.prices.overview import all_series, list_series
from afterword.pipeline.domain.prices.read_table import table_options
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.commands.export_options import (
    Decimals,
    FactorFiles,
    TimeFormat,
    Zone,
)
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.classes import read_class
from afterword.pipeline.views.trades.prices import class_words, prices_changed, series_list

app = section("Import and fetch prices, by which decisions are judged.")


@app.command("import")
def import_(
    ctx: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Bars or single prices: CSV or JSON, also packed."),
    ],
    source: Annotated[str, typer.Option(help="Name of the source.")] = "file",
    symbol: Annotated[
        str | None, typer.Option(help="The market, unless the file's name begins with it.")
    ] = None,
    interval: Annotated[
        str | None,
        typer.Option(help="Length of a bar (1h), unless the file or its name says it."),
    ] = None,
    zone: Zone = None,
    columns: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Of an unknown table: time=Date,open=Open,high=..."),
    ] = None,
    decimal: Decimals = None,
    time_format: TimeFormat = None,
    allow_jumps: Annotated[
        bool, typer.Option("--allow-jumps", help="Take prices that jump by a factor of 50.")
    ] = False,
    factors: FactorFiles = None,
    asset_class: Annotated[
        str | None,
        typer.Option("--class", metavar="CLASS", help="Class of these markets, such as stock."),
    ] = None,
) -> None:
    """Store prices of files; one bad row stops the import.

    A second import changes nothing.

    Example: afterword prices import SOL_1h.csv
    """
    call = Call(ctx)
    check_source(source)
    new_class = None if asset_class is None else read_class(asset_class)
    options = table_options(columns, zone, time_format, decimal, allow_jumps)
    now = call.now()
    for file in files:
        refuse_trades(file)
    # Every file is checked before the first bar is stored.
    read = [
        series
        for file in files
        for series in read_prices(file, source, symbol, interval, known_by=now, options=options)
    ]
    splits = [read_factors(file, symbol) for file in factors or []]
    if splits:
        priced = _priced(call, source) | {bars.series.symbol for bars in read}
        for market, _ in splits:
            refuse_unpriced(market, priced)
    on_new = _on_new_prices(call)
    store, clock, counts = call.store(create=True), call.roots.clock, PriceCounts()
    if new_class is not None:  # before the prices: what is measured by them has the class
        markets = [bars.series.symbol for bars in read]
        for change in keep_class(store, markets, new_class, clock):
            typer.echo(f"afterword: {class_words(change)}", err=True)
    with progress() as report:
        for number, priced_series in enumerate(read, start=1):
            series, market = priced_series.series, priced_series.series.symbol
            counts += keep_bars(store, series, priced_series.bars, clock, on_new)
            counts += add_splits(store, source, market, priced_series.splits, clock)
            report("series", number, len(read))
    for market, of_market in splits:
        counts += keep_splits(store, source, market, of_market, clock)
    call.answer(counts, lambda: prices_changed(counts))


@app.command()
def fetch(
    ctx: typer.Context,
    symbols: Annotated[
        list[str], typer.Argument(metavar="SYMBOL...", help="Names of markets at Hyperliquid.")
    ],
    interval: Annotated[str, typer.Option(help="Length of a bar.")] = "1h",
    since: Annotated[
        str | None,
        typer.Option(metavar="MOMENT", help="Start; default: the last known bar."),
    ] = None,
) -> None:
    """Fetch closed candles from Hyperliquid, after the last known one.

    Example: afterword prices fetch SOL --since 2026-11-01T00:00:00Z
    """
    call = Call(ctx)
    length, start, now = read_interval(interval), read_moment(since, "since"), call.now()
    if start is not None and start > now:
        problem = f"{iso(start)} is in the future"
        raise InvalidInputError("since", problem, f"a moment up to now, {iso(now)}")
    on_new = _on_new_prices(call)
    stores, clock, counts = call.stores(create=True), call.roots.clock, PriceCounts()
    store = stores.group(call.settings.group, create=True)
    with closing(build_hyperliquid(call.settings, stores.instance, clock)) as feed:
        with progress() as report:
            for number, symbol in enumerate(symbols, start=1):
                counts += fetch_bars(store, feed, symbol, length, clock, start, on_new)
                report("markets", number, len(symbols))
    call.answer(counts, lambda: prices_changed(counts))


@app.command("ls")
def list_(
    ctx: typer.Context,
    symbol: Annotated[
        str | None, typer.Argument(help="Only this market, in any written form.")
    ] = None,
) -> None:
    """List the stored series with their gaps.

    Example: afterword prices ls SOL
    """
    call = Call(ctx)
    series = list_series(call.store(), symbol)
    call.answer(series, lambda: series_list(series, symbol))


def _priced(call: Call, source: str) -> set[str]:
    """Return the markets of a source that have prices."""
    if not call.has_group():
        return set()
    with reading(call.store()) as conn:
        return {series.symbol for series in all_series(conn) if series.source == source}


def _on_new_prices(call: Call) -> OnNewPrices:
    """Return the function that starts the reflections that wait for prices."""
    registry = load_roles(call.settings.home)
    return lambda conn, symbols, now: on_prices(conn, registry, symbols, now)
