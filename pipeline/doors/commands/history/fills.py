"""`afterword history ls` and `show`: what is stored of an account's trades."""

from typing import Annotated

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.fills import read as fill_reads
from afterword.pipeline.domain.fills.describe import fill_values
from afterword.pipeline.domain.trips import read as trip_reads
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import OnlyAccount, most_shown
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.views.trades.history import fill_details, fill_list, trip_details


def list_(
    ctx: typer.Context,
    account: OnlyAccount = None,
    symbol: Annotated[str | None, typer.Option(help="Only this market.")] = None,
    since: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="Only fills from this moment on.")
    ] = None,
    limit: Annotated[int, most_shown("fills", 100_000, is_checked=False)] = 50,
) -> None:
    """List the fills that executed last, the newest first.

    Example: afterword history ls --limit 20
    """
    call, at = Call(ctx), read_moment(since, "since")
    with reading(call.store()) as conn:
        fills = fill_reads.latest(conn, account, symbol, at, limit)
    call.answer([fill_values(fill) for fill in fills], lambda: fill_list(fills))


def show(
    ctx: typer.Context,
    uid: Annotated[str, typer.Argument(metavar="UID", help="Of a fill or of a trip.")],
) -> None:
    """Show one fill with its row of the file, or a trip with its fills.

    Example: afterword history show 0123456789ab
    """
    call = Call(ctx)
    with reading(call.store()) as conn:
        trip = trip_reads.trip(conn, uid)
        fills = trip_reads.of_trip(conn, uid) if trip else fill_reads.by_uid(conn, uid)
    if trip is not None:
        value = {"trip": trip, "fills": [fill_values(fill) for fill in fills]}
        call.answer(value, lambda: trip_details(trip, fills))
        return
    if not fills:
        raise NotFoundError(f"no fill and no trip {uid!a:.70}; see `afterword history ls`")
    values = [fill_values(fill) | {"raw": fill.raw} for fill in fills]
    call.answer(values[0] if len(values) == 1 else values, lambda: fill_details(values))
