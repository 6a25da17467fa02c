"""`afterword learn`: what the trades in some files show, in one page of text, HTML or JSON."""

import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final

import typer
from sqlalchemy import Connection

from afterword.pipeline.core.files.temporary import lend_folder
from afterword.pipeline.core.store import Store, Stores, options_of
from afterword.pipeline.domain.accounts.checks import is_meant_as_address
from afterword.pipeline.domain.decisions.triggers import on_prices
from afterword.pipeline.domain.exports.refusal import UnknownLayoutError
from afterword.pipeline.domain.prices.split_file import read_split_files
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.domain.trips.settle_fills import ShowProgress
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, HtmlPage
from afterword.pipeline.doors.cli.page_file import check_page, write_page
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.commands.export_options import (
    AccountName,
    Columns,
    ContractSizes,
    Day,
    Decimals,
    MappingName,
    PriceFiles,
    Symbol,
    TimeFormat,
    TimeUnitName,
    reading_options,
)
from afterword.pipeline.doors.render.trades_picture import trades_picture
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.venue.build import build_info
from afterword.pipeline.gateway.venue.patient import PatientInfo
from afterword.pipeline.operations.learn.cells import trips_of_cell
from afterword.pipeline.operations.learn.from_venue import ask_venue, missing_lines
from afterword.pipeline.operations.learn.kept_trades import KeptTrades
from afterword.pipeline.operations.learn.learn import learn_from
from afterword.pipeline.operations.learn.look_home import look_home
from afterword.pipeline.operations.learn.place import LearnPlace
from afterword.pipeline.operations.learn.venue_history import VenueHistory
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.views.trades.learn_report import learn_report, next_steps
from afterword.pipeline.views.trades.trades import trade_list

_LOOK: Final = "look"
"""Group of the temporary store of one look."""


def learn(
    ctx: typer.Context,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Exports of trades, files of prices, and addresses at Hyperliquid (0x…), whose "
            "trades it is asked for; without any, the trades that are kept.",
        ),
    ] = None,
    prices: PriceFiles = None,
    account: AccountName = None,
    zone: Annotated[
        str | None,
        typer.Option(
            help="Zone of times that name none, and of the report: UTC+8, Europe/Berlin. "
            "AFTERWORD_TIMEZONE is that of the report, where it is set."
        ),
    ] = None,
    symbol: Symbol = None,
    columns: Columns = None,
    time_unit: TimeUnitName = None,
    time_format: TimeFormat = None,
    day: Day = None,
    decimal: Decimals = None,
    contract_size: ContractSizes = None,
    mapping: MappingName = None,
    splits: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="A table of splits of shares, with lines such as NVDA,2024-06-10,10.",
        ),
    ] = None,
    as_of: AsOf = None,
    html: HtmlPage = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the result as one picture, too: an SVG file."),
    ] = None,
    cell: Annotated[
        str | None,
        typer.Option(
            metavar="ATTRIBUTE=VALUE",
            help="List the trades of one line of the report instead: mistake=added_to_loser.",
        ),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Store the trades in the group, for later reports too.")
    ] = False,
    fetch_prices: Annotated[
        bool, typer.Option("--fetch-prices", help="Fetch missing prices from Hyperliquid.")
    ] = False,
) -> None:
    """Show what your trades came to, and what in them differs by more than chance.

    \b
    Examples:
      afterword learn my-export.csv
      afterword learn 0x…                          what Hyperliquid has of it
      afterword learn my-export.csv SOL_1h.csv     with prices of a market
      afterword learn my-export.csv --html page.html
      afterword learn my-export.csv --keep         store it, for your agent
      afterword learn                              report on what is stored
      afterword learn my.csv --zone UTC+8 \\
        --columns time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    given, price_files = files or [], prices or []
    is_kept = keep or not given
    addresses = [
        str(file) for file in given if is_meant_as_address(str(file)) and not file.exists()
    ]
    given = [file for file in given if str(file) not in addresses]
    written = {"html": html, "picture": picture}
    _check(call, [*given, *map(Path, addresses)], price_files, at, keep, written)
    if mapping is not None and columns is None:
        problem = "names columns to keep, and there are none; kept ones are found by the header"
        raise InvalidInputError("mapping", problem, "--columns time=Date,… --mapping NAME")
    options = reading_options(
        zone=zone,
        symbol=symbol,
        columns=columns,
        time_unit=time_unit,
        time_format=time_format,
        decimal=decimal,
        contract_size=contract_size,
        account=account,
        mapping=mapping,
        day=day,
    )
    options = replace(options, splits=read_split_files(splits or []))
    words = [repr(options), str(at), *addresses]
    with (
        _with_proposal(call),
        _place(call, is_kept, [*given, *price_files], words) as place,
        progress() as told,
        _histories(call, addresses, told) as histories,
    ):
        report = learn_from(
            replace(
                place,
                fetches=fetch_prices or bool(addresses),
                histories={history.file.name: history for history in histories},
            ),
            [*given, *(history.file for history in histories)],
            price_files,
            options,
            account=account if is_kept else None,  # a look holds nothing else
            as_of=at,
            told=told,
        )
        report = replace(report, unread=(*missing_lines(histories), *report.unread))
    if cell is not None:
        outcomes = trips_of_cell(report.trades, report.outcomes, cell)
        call.answer(outcomes, lambda: trade_list(KeptTrades(outcomes, {}, len(outcomes))))
        return
    if picture is not None:
        write_page(picture, trades_picture(report), "picture")
    line = _list_line(call) if is_kept else _line(ctx, files or [])
    after = next_steps(report, line, written)
    call.answer(report, lambda: learn_report(report, line), html=html, after=[after])


def _check(
    call: Call,
    files: Sequence[Path],
    price_files: Sequence[Path],
    as_of: datetime | None,
    keep: bool,
    written: Mapping[str, Path | None],
) -> None:
    """Refuse what would be refused after the work was done."""
    if not files and (price_files or not call.has_group()):
        raise InvalidInputError(
            "file",
            "is missing: no trades are kept yet",
            "an export of your venue: afterword learn my-export.csv",
        )
    if keep and as_of is not None:
        problem = "looks back at trades that are kept; this call would only now keep them"
        raise InvalidInputError("as_of", problem, "--as-of without --keep")
    read = {file.resolve() for file in (*files, *price_files)}
    for option, file in written.items():
        check_page(file, option)
        if file is not None and file.resolve() in read:
            problem = f"{file} is one of the files to read, and would be lost"
            raise InvalidInputError(option, problem, "another file, such as trades.html")


@contextmanager
def _place(
    call: Call, is_kept: bool, files: Sequence[Path], options: Sequence[str]
) -> Iterator[LearnPlace]:
    """Lend the group's store, or one for this look that is deleted after it."""
    clock, ids = call.roots.clock, call.roots.ids
    registry = load_roles(call.settings.home)

    def arrived(conn: Connection, symbols: Sequence[str], now: datetime) -> object:
        return on_prices(conn, registry, symbols, now)

    if is_kept:
        stores = call.stores(create=True)
        store = stores.group(call.settings.group, create=True)
        yield LearnPlace(store, stores, None, call.settings, clock, ids, arrived, True)
        return
    with look_home(files, options) as folder:
        beside = call.store() if call.has_group() else None
        # It is read once, from its beginning to its end: a map of it would only fill the memory.
        quick = replace(options_of(call.settings), synchronous="OFF", mmap_bytes=0)
        with closing(Stores(folder, quick, clock, ids)) as stores:
            store = stores.group(_LOOK, create=True)
            yield LearnPlace(store, stores, beside, call.settings, clock, ids, None, False)


@contextmanager
def _with_proposal(call: Call) -> Iterator[None]:
    """Name the command that asks a model, in the refusal of a table, where its switch is on."""
    try:
        yield
    except UnknownLayoutError as error:
        if not call.settings.layout_model:
            raise
        accepted = f"{error.accepted}; or a model's proposal: afterword layout propose FILE"
        raise UnknownLayoutError(error.field, error.problem, accepted) from None


@contextmanager
def _histories(
    call: Call, addresses: Sequence[str], told: ShowProgress
) -> Iterator[list[VenueHistory]]:
    """Lend what Hyperliquid has of addresses, in files that are deleted afterwards."""
    if not addresses:
        yield []
        return
    clock = call.roots.clock
    with lend_folder("venue") as folder, _instance(call, folder) as instance:
        with closing(build_info(call.settings, instance, clock, "accounts")) as info:
            patient = PatientInfo(info, clock, time.sleep)
            histories = ask_venue(patient, addresses, folder, clock(), told)
        yield histories


@contextmanager
def _instance(call: Call, folder: Path) -> Iterator[Store]:
    """Lend the file that meters what the venue is asked: that of the home, if there is one."""
    if call.has_group():
        yield call.stores().instance
        return
    options = options_of(call.settings)
    with closing(Stores(folder / "home", options, call.roots.clock, call.roots.ids)) as stores:
        yield stores.instance


def _line(ctx: typer.Context, files: Sequence[Path]) -> str:
    """Return the command line of this look, without what it writes."""
    skipped = {"files", "html", "picture", "cell", "keep", "fetch_prices"}
    words = ["afterword", "learn", *map(str, files)]
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        if param.name in skipped or value in (None, [], (), False):
            continue
        for word in value if isinstance(value, list | tuple) else [value]:
            words += [max(param.opts, key=len), str(word)]
    return shlex.join(map(mask, words))


def _list_line(call: Call) -> str:
    """Return the command line that lists the trades that are kept."""
    group = f" --group {shlex.quote(call.named_group)}" if call.named_group else ""
    return f"afterword trades ls{group}"
