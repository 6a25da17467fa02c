"""`afterword trades`: list, show, tag and sum up the trades that are kept."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Final

import typer
from sqlalchemy import Connection

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.history.fill_reads import of_trip
from afterword.pipeline.domain.history.read import trips as read_trips
from afterword.pipeline.domain.history.trip import Trip
from afterword.pipeline.domain.memory.visibility import read_moment as checked_read
from afterword.pipeline.domain.prices.feed import asset_of
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.trades.measure import measure_trips
from afterword.pipeline.domain.trades.model import TripOutcome
from afterword.pipeline.domain.trades.profile import trading_profile
from afterword.pipeline.domain.trades.tag import (
    checked_tag,
    find_trip,
    list_tags,
    tag_trip,
    untag_trip,
)
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.learn.cells import trips_of_cell
from afterword.pipeline.operations.learn.kept import kept_report
from afterword.pipeline.operations.learn.place import reader_zone
from afterword.pipeline.views.trades import trade_details, trade_done, trade_list
from afterword.pipeline.views.trading_profile import trading_profile_view

app = section("List, show, tag and sum up trades.")

MOST: Final = 10_000
"""Trades of one list."""

USUAL: Final = 50
"""Trades of a list where nobody says how many."""

Account = Annotated[str | None, typer.Option(help="Only this account.")]
AsOf = Annotated[
    str | None, typer.Option(metavar="MOMENT", help="As it was stored at this moment.")
]
TripName = Annotated[
    str, typer.Argument(metavar="TRADE", help="Its name, or the first six characters or more.")
]


@app.command("ls")
def list_(
    ctx: typer.Context,
    account: Account = None,
    asset: Annotated[
        str | None, typer.Option(help="Only this asset, in any written form: SOL.")
    ] = None,
    cell: Annotated[
        str | None,
        typer.Option(metavar="ATTRIBUTE=VALUE", help="Only the trades of this line of a report."),
    ] = None,
    tag: Annotated[str | None, typer.Option(help="Only trades with this tag.")] = None,
    since: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="Only those that closed from then on.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(help="Most of them, the newest: 50, of a line of a report all.")
    ] = None,
    as_of: AsOf = None,
) -> None:
    """List trades with what they came to, the newest first.

    Example: afterword trades ls --cell asset=SOL
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    start, word = read_moment(since, "since"), None if tag is None else checked_tag(tag)
    limit = limit if limit is not None else USUAL if cell is None else MOST
    if not 1 <= limit <= MOST:
        raise InvalidInputError("limit", f"is {limit}", f"1 to {MOST:,}")
    wanted = None if asset is None else asset_of(asset)
    with reading(call.store()) as conn:
        checked_read(conn, at)
        tags = _tags(conn, at, account)
        if cell is not None:
            report, kept = kept_report(conn, at or call.now(), account, is_past=at is not None)
            of_cell = [one.trip for one in trips_of_cell(report, kept, cell)]
            every = sorted(of_cell, key=lambda one: (one.closed_at, one.trip_uid))
        else:
            every = read_trips(conn, at, account)
        found = [
            one
            for one in every
            if (start is None or one.closed_at >= start)
            and (wanted is None or asset_of(one.symbol) == wanted)
            and (word is None or word in tags.get(one.trip_uid, ()))
        ]
        outcomes = _measured(conn, found[-limit:], at, call.now())
    outcomes.reverse()
    is_narrowed = any(one is not None for one in (account, asset, cell, tag, since))
    call.answer(
        outcomes,
        lambda: trade_list(
            outcomes,
            tags,
            is_narrowed=is_narrowed,
            older=len(found) - len(outcomes),
            limit=min(len(found), MOST),
        ),
    )


@app.command()
def show(ctx: typer.Context, trade: TripName, as_of: AsOf = None) -> None:
    """Show one trade with its fills, its outcome and its tags.

    Example: afterword trades show 0123456789ab
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        checked_read(conn, at)
        every = read_trips(conn, at)
        found = find_trip(every, trade)
        # The move before it is told over the usual holding time of earlier trades.
        before = [one for one in every if one.account == found.account]
        (one,) = (
            outcome
            for outcome in _measured(conn, before, at, call.now())
            if outcome.trip.trip_uid == found.trip_uid
        )
        tags = _tags(conn, at, found.account).get(found.trip_uid, ())
        fills = of_trip(conn, found.trip_uid)
    value = {"outcome": one, "tags": tags, "fills": fills}
    call.answer(value, lambda: trade_details(one, tags, fills))


@app.command()
def tag(
    ctx: typer.Context,
    trade: TripName,
    word: Annotated[str, typer.Argument(metavar="TAG", help="A word of yours: breakout.")],
) -> None:
    """Give a trade a tag.

    One that is given after the entry is described, never tested.

    Example: afterword trades tag 0123456789ab breakout
    """
    call = Call(ctx)
    found = tag_trip(call.store(), trade, word, call.roots.clock)
    _answer_tag(call, found, f"tagged {checked_tag(word)}")


@app.command()
def untag(
    ctx: typer.Context,
    trade: TripName,
    word: Annotated[str, typer.Argument(metavar="TAG", help="A tag that it has.")],
) -> None:
    """Take a tag from a trade; reports of earlier moments keep it.

    Example: afterword trades untag 0123456789ab breakout
    """
    call = Call(ctx)
    found = untag_trip(call.store(), trade, word, call.roots.clock)
    _answer_tag(call, found, f"no longer tagged {checked_tag(word)}")


@app.command()
def stats(ctx: typer.Context, account: Account = None, as_of: AsOf = None) -> None:
    """Show what all trades came to, and the trading profile of the last 30 days.

    Example: afterword trades stats
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        checked_read(conn, at)
        found = trading_profile(conn, at or call.now(), account=account, as_of=at)
    call.answer(found, lambda: trading_profile_view(found, reader_zone(call.settings)))


def _measured(
    conn: Connection, trips: Sequence[Trip], at: datetime | None, now: datetime
) -> list[TripOutcome]:
    """Return what became of trips, by the moment they closed."""
    found = measure_trips(StoredPrices(conn, at), trips, at or now)
    return sorted(found, key=lambda one: (one.trip.closed_at, one.trip.trip_uid))


def _tags(conn: Connection, at: datetime | None, account: str | None) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for one in list_tags(conn, at, account):
        found[one.trip_uid].append(one.tag)
    return found


def _answer_tag(call: Call, trip: Trip, done: str) -> None:
    value = {"trip_uid": trip.trip_uid, "symbol": trip.symbol}
    call.answer(value, lambda: trade_done(trip, done))
