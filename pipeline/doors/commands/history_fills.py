"""`afterword history ls` and `show`: what is stored of an account's trades."""

from typing import Annotated, Any

import typer

from afterword.pipeline.clock import from_millis, iso
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.history import fill_reads
from afterword.pipeline.domain.history.fill import Fill
from afterword.pipeline.domain.history.trip import Trip
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.output import print_fields, print_line, print_table
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.rules.market.decimals import plain

_COLUMNS = ("time", "account", "venue", "symbol", "side", "size", "price", "fee", "uid")


def list_(
    ctx: typer.Context,
    account: Annotated[str | None, typer.Option(help="Only this account.")] = None,
    symbol: Annotated[str | None, typer.Option(help="Only this market.")] = None,
    since: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="Only fills from this moment on.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="Most fills listed.")] = 50,
) -> None:
    """List the fills that executed last, the newest first.

    Example: afterword history ls --limit 20
    """
    call, at = Call(ctx), read_moment(since, "since")
    with reading(call.store()) as conn:
        found = fill_reads.latest(conn, account, symbol, at, limit)
    rows = [
        [
            iso(from_millis(fill.time_ms)),
            fill.account,
            fill.venue,
            fill.symbol,
            "buy" if fill.side == "B" else "sell",
            plain(fill.sz),
            f"{plain(fill.px)} {fill.quote}",
            f"{plain(fill.fee)} {fill.fee_token or fill.quote}",
            fill.fill_uid,
        ]
        for fill in found
    ]
    call.answer(
        [fill_values(fill) for fill in found],
        lambda: print_table(_COLUMNS, rows, "no fills yet; see `afterword history import --help`"),
    )


def show(
    ctx: typer.Context,
    uid: Annotated[str, typer.Argument(metavar="UID", help="Of a fill or of a trip.")],
) -> None:
    """Show one fill with its row of the file, or a trip with its fills.

    Example: afterword history show 0123456789ab
    """
    call = Call(ctx)
    with reading(call.store()) as conn:
        trip = fill_reads.trip(conn, uid)
        fills = fill_reads.of_trip(conn, uid) if trip else fill_reads.by_uid(conn, uid)
    if trip is not None:
        call.answer(
            {"trip": trip, "fills": [fill_values(fill) for fill in fills]},
            lambda: _print_trip(trip, fills),
        )
        return
    if not fills:
        raise NotFoundError(f"no fill and no trip {uid!a:.70}; see `afterword history ls`")
    values = [fill_values(fill) | {"raw": fill.raw} for fill in fills]
    call.answer(values[0] if len(values) == 1 else values, lambda: _print_values(values))


def fill_values(fill: Fill) -> dict[str, Any]:
    """Return a fill as names and texts, what it does not say left out."""
    values = {
        "uid": fill.fill_uid,
        "time": iso(from_millis(fill.time_ms)),
        "account": fill.account,
        "venue": fill.venue,
        "symbol": fill.symbol,
        "kind": fill.kind,
        "side": "buy" if fill.side == "B" else "sell",
        "size": plain(fill.sz),
        "price": plain(fill.px),
        "quote": fill.quote,
        "base": fill.base,
        "multiplier": plain(fill.multiplier),
        "fee": plain(fill.fee),
        "fee_token": fill.fee_token or fill.quote,
        "order": fill.oid,
        "execution": fill.tid,
        "effect": fill.effect,
        "position_side": fill.position_side or None,
        "position_before": None if fill.start_position is None else plain(fill.start_position),
        "closed_pnl": None if fill.closed_pnl is None else plain(fill.closed_pnl),
        "word": fill.dir or None,
    }
    return {name: value for name, value in values.items() if value is not None}


def _print_values(fills: list[dict[str, Any]]) -> None:
    for values in fills:
        print_fields(values)


def _print_trip(trip: Trip, fills: list[Fill]) -> None:
    print_fields(
        {
            "trip": trip.trip_uid,
            "account": trip.account,
            "market": f"{trip.direction} {trip.symbol} ({trip.venue}, {trip.kind})",
            "opened": "unknown" if trip.opened_at is None else iso(trip.opened_at),
            "closed": iso(trip.closed_at),
            "entry": "unknown" if trip.entry_px is None else f"{plain(trip.entry_px)} {trip.quote}",
            "exit": "unknown" if trip.exit_px is None else f"{plain(trip.exit_px)} {trip.quote}",
            "size": plain(trip.size),
            "gross": "unknown" if trip.gross is None else f"{plain(trip.gross)} {trip.quote}",
            "fees": "unknown" if trip.fees is None else f"{plain(trip.fees)} {trip.quote}",
            "net": f"{plain(trip.net)} {trip.quote}",
            "notes": ", ".join(flag.replace("_", " ") for flag in trip.flags) or "none",
        }
    )
    for fill in fills:
        side = "bought" if fill.side == "B" else "sold"
        print_line(
            f"{iso(from_millis(fill.time_ms))} {side} {plain(fill.sz)} at {plain(fill.px)}"
            f" ({fill.fill_uid})"
        )
