"""`afterword prices`: what markets cost, from files and from the venue."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.decisions.triggers import on_prices
from afterword.pipeline.domain.prices.build import build_hyperliquid
from afterword.pipeline.domain.prices.csv_file import read_factors, read_interval, read_prices
from afterword.pipeline.domain.prices.fetch import fetch_bars
from afterword.pipeline.domain.prices.keep import OnNewPrices, check_source, keep_bars, keep_splits
from afterword.pipeline.domain.prices.model import PriceCounts
from afterword.pipeline.domain.prices.overview import list_series
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.output import print_fields, print_table
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.cli.words import moment
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.decimals import plain

app = section("Import and fetch what markets cost; decisions are judged by it.")


@app.command("import")
def import_(
    ctx: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Bars or prints as CSV, or CSV in gzip."),
    ],
    source: Annotated[str, typer.Option(help="What they are filed under.")] = "file",
    symbol: Annotated[
        str | None, typer.Option(help="The market, where the file's name does not begin with it.")
    ] = None,
    interval: Annotated[
        str | None,
        typer.Option(help="Length of a bar (1h), where the file's name does not end with it."),
    ] = None,
    factors: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Factor file with the splits of a market's raw prices."),
    ] = None,
) -> None:
    """Keep prices of files; again changes nothing, and a bad row keeps all of them out."""
    call = Call(ctx)
    check_source(source)
    now = call.now()
    # All are sound before one is kept.
    read = [
        found
        for file in files
        for found in read_prices(file, source, symbol, interval, known_by=now)
    ]
    splits = [read_factors(file, symbol) for file in factors or []]
    arrived = _arrived(call)
    store, clock, kept = call.store(create=True), call.roots.clock, PriceCounts()
    with progress() as told:
        for number, one in enumerate(read, start=1):
            kept += keep_bars(store, one.series, one.bars, clock, arrived)
            told("series", number, len(read))
    for market, found in splits:
        kept += keep_splits(store, source, market, found, clock)
    _answer(call, kept)


@app.command()
def fetch(
    ctx: typer.Context,
    symbols: Annotated[
        list[str], typer.Argument(metavar="SYMBOL...", help="As Hyperliquid writes them.")
    ],
    interval: Annotated[str, typer.Option(help="Length of a bar.")] = "1h",
    since: Annotated[
        str | None,
        typer.Option(metavar="MOMENT", help="Where to begin; without it, at the last known bar."),
    ] = None,
) -> None:
    """Fetch closed candles from Hyperliquid, on from the last known one."""
    call = Call(ctx)
    length, start, now = read_interval(interval), read_moment(since, "since"), call.now()
    if start is not None and start > now:
        raise InvalidInputError("since", f"{iso(start)} is still to come", f"up to now, {iso(now)}")
    arrived = _arrived(call)
    stores, clock, kept = call.stores(create=True), call.roots.clock, PriceCounts()
    store = stores.group(call.settings.group, create=True)
    with closing(build_hyperliquid(call.settings, stores.instance, clock)) as feed:
        with progress() as told:
            for number, symbol in enumerate(symbols, start=1):
                kept += fetch_bars(store, feed, symbol, length, clock, start, arrived)
                told("markets", number, len(symbols))
    _answer(call, kept)


@app.command("ls")
def list_(
    ctx: typer.Context,
    symbol: Annotated[
        str | None, typer.Argument(help="Only this market, in any written form.")
    ] = None,
) -> None:
    """List the series there are, with their gaps."""
    call = Call(ctx)
    found = list_series(call.store(), symbol)
    columns = ("symbol", "source", "interval", "bars", "from", "to", "close", "gaps", "missing")
    lines = [
        (
            one.symbol,
            one.source,
            one.interval,
            one.bars,
            moment(one.first),
            moment(one.last),
            plain(one.close),
            one.gaps,
            one.missing,
        )
        for one in found
    ]
    empty = "no prices yet" if symbol is None else f"no prices of {symbol}"
    call.answer(found, lambda: print_table(columns, lines, empty))


def _arrived(call: Call) -> OnNewPrices:
    """Return what begins the reflections that wait for prices."""
    registry = load_roles(call.settings.home)
    return lambda conn, symbols, now: on_prices(conn, registry, symbols, now)


def _answer(call: Call, kept: PriceCounts) -> None:
    call.answer(
        kept,
        lambda: print_fields(
            {name.replace("_", " "): getattr(kept, name) for name in PriceCounts.__slots__}
        ),
    )
