"""Options that say how an export of trades is to be read, for every command that reads one."""

from datetime import tzinfo
from decimal import Decimal
from typing import Annotated

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.exports.kept import KeptMapping, kept_mappings
from afterword.pipeline.domain.exports.mapping import ColumnMapping, check_format
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.learn.files import ReadingOptions
from afterword.pipeline.rules.tabular.moments import read_zone
from afterword.pipeline.rules.tabular.numbers import read_number

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
TimeUnitName = Annotated[
    str | None, typer.Option(help="Unit of times that are numbers: s, ms or us.")
]
TimeFormat = Annotated[
    str | None, typer.Option(help="Order of a date: dmy, mdy, ymd, or a pattern: %d/%m/%Y.")
]
Decimals = Annotated[str | None, typer.Option(help="Decimal mark of numbers: . or ,")]
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
) -> ReadingOptions:
    """Check the options as they were typed, and return what they say.

    Args:
        account: name of the account in the store.
        mapping: name under which `columns` are to be kept.

    Raises:
        InvalidInputError: one of them cannot be read.
    """
    check_format(time_unit, decimal, time_format)
    origin = Origin(
        *("", account or "", _zone(zone), symbol),
        date_order="dmy" if time_format == "dmy" else "mdy" if time_format == "mdy" else None,
        contract_sizes=dict(map(_contract_size, contract_size or [])),
    )
    if columns is None:
        return ReadingOptions(origin, None, mapping, zone)
    named = ColumnMapping.parse(
        columns, zone=zone, time_unit=time_unit, decimal=decimal, time_format=time_format
    )
    return ReadingOptions(origin, named, mapping, zone)


def kept_by(call: Call) -> tuple[KeptMapping, ...]:
    """Return the mappings that the group keeps; none without a group."""
    if not call.has_group():
        return ()
    with reading(call.store()) as conn:
        return kept_mappings(conn)


def _zone(zone: str | None) -> tzinfo | None:
    found = None if zone is None else read_zone(zone)
    if zone is not None and found is None:
        problem = f"{zone!a:.40} is not a known time zone"
        raise InvalidInputError("zone", problem, "UTC, UTC+8 or America/New_York")
    return found


def _contract_size(written: str) -> tuple[str, Decimal]:
    """Return a market and the units of one of its contracts.

    Raises:
        InvalidInputError: not written so.
    """
    symbol, _, size = written.rpartition("=")
    found = read_number(size)
    if not symbol or found is None or found <= 0:
        accepted = "a market and the units of one contract: ETH-USDT-SWAP=0.1"
        raise InvalidInputError("contract-size", f"is {written!a:.60}", accepted)
    return symbol, found
