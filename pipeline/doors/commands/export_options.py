"""Options that say how exports of trades and files of prices are read, for all who read them."""

from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.exports.kept import KnownTable, kept_mappings
from afterword.pipeline.domain.exports.layout_files import own_layouts
from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.domain.spot.checks import check_chain
from afterword.pipeline.domain.spot.model import ETHEREUM
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.learn.files import ReadingOptions
from afterword.pipeline.rules.tabular.numbers import read_number
from afterword.pipeline.rules.tabular.stated import (
    stated_day,
    stated_mark,
    stated_time_format,
    stated_unit,
    stated_zone,
)

Zone = Annotated[
    str | None, typer.Option(help="Zone of times that name none: UTC+8, Europe/Berlin.")
]
Symbol = Annotated[str | None, typer.Option(help="The market of a file that names none: BTCUSDT.")]
Columns = Annotated[
    str | None,
    typer.Option(
        metavar="KEY=COLUMN,...",
        help="What the columns of an unknown file hold: time=Date, symbol=Pair, side=Type, "
        "qty=Amount, price=Price, fee=Fee, without the blanks.",
    ),
]
AccountName = Annotated[
    str | None,
    typer.Option(
        "--account", help="Name of the account, else the venue's; slots of a file go below it."
    ),
]
MappingName = Annotated[
    str | None, typer.Option("--mapping", metavar="NAME", help="Keep --columns under this name.")
]
PriceFiles = Annotated[
    list[Path] | None,
    typer.Option("--prices", metavar="FILE", help="A file of prices; may be given several times."),
]
FactorFiles = Annotated[
    list[Path] | None,
    typer.Option("--factors", metavar="FILE", help="Factor file with the splits of a market."),
]
TimeUnitName = Annotated[
    str | None, typer.Option(help="Unit of times that are numbers: s, ms or us.")
]
TimeFormat = Annotated[
    str | None, typer.Option(help="Order of a date: dmy, mdy, ymd, or a pattern: %d/%m/%Y.")
]
Day = Annotated[str | None, typer.Option(help="Day of times without a date: 2026-03-31.")]
Decimals = Annotated[str | None, typer.Option(help="Decimal mark of numbers: . or ,")]
ChainName = Annotated[
    str, typer.Option("--chain", help="Chain of a wallet's file that names none.")
]
ContractSizes = Annotated[
    list[str] | None,
    typer.Option(metavar="SYMBOL=SIZE", help="Units of one contract: ETH-USDT-SWAP=0.1."),
]


def reading_options(
    *,
    zone: str | None,
    symbol: str | None,
    columns: str | None,
    time_unit: str | None,
    time_format: str | None,
    decimal: str | None,
    contract_size: list[str] | None,
    account: str | None = None,
    mapping: str | None = None,
    chain: str = ETHEREUM,
    day: str | None = None,
) -> ReadingOptions:
    """Check the options as they were typed, and return what they say.

    Args:
        account: name of the account in the store.
        mapping: name under which `columns` are to be kept.
        chain: of the transactions of a wallet.
        day: of times without a date.

    Raises:
        InvalidInputError: one of them cannot be read.
    """
    if symbol == "MARKET":
        accepted = "the market itself: --symbol BTCUSDT"
        raise InvalidInputError("symbol", "is MARKET, which a proposal writes for it", accepted)
    origin = Origin(
        *("", account or "", stated_zone(zone), symbol),
        time_unit=stated_unit(time_unit),
        time_format=stated_time_format(time_format),
        mark=stated_mark(decimal),
        contract_sizes=dict(map(_contract_size, contract_size or [])),
        chain=check_chain(chain, "chain"),
        day=stated_day(day),
    )
    if columns is None:
        return ReadingOptions(origin, None, mapping, zone)
    named = ColumnMapping.parse(
        columns, zone=zone, time_unit=time_unit, decimal=decimal, time_format=time_format
    )
    return ReadingOptions(origin, named, mapping, zone)


def kept_by(call: Call) -> tuple[KnownTable, ...]:
    """Return the mappings that the group keeps, if there is one, and the layouts of the home."""
    own = own_layouts(call.settings.home)
    if not call.has_group():
        return own
    with reading(call.store()) as conn:
        return (*kept_mappings(conn), *own)


def _contract_size(written: str) -> tuple[str, Decimal]:
    """Return a market and the units of one of its contracts.

    Raises:
        InvalidInputError: not written so.
    """
    symbol, _, size = written.rpartition("=")
    units = read_number(size)
    if not symbol or units is None or units <= 0:
        accepted = "a market and the units of one contract: ETH-USDT-SWAP=0.1"
        raise InvalidInputError("contract-size", f"is {written!a:.60}", accepted)
    return symbol, units
