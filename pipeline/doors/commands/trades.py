"""`afterword trades`: list, show, tag and sum up the trades that are kept."""

from typing import Annotated, Final

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.checks import check_limit, check_text
from afterword.pipeline.domain.memory.visibility import read_moment as checked_read
from afterword.pipeline.domain.prices.feed import asset_of
from afterword.pipeline.domain.recorded_trades.checks import MAX_TRADE_ASSET
from afterword.pipeline.domain.trades.journal import (
    JOURNAL_TRADES,
    MOST_OF_JOURNAL,
    journal_query,
    trade_journal,
)
from afterword.pipeline.domain.trades.note import remove_note, write_note
from afterword.pipeline.domain.trades.profile import TradingProfileReader
from afterword.pipeline.domain.trades.search import MOST_FILLS, search_user_trades
from afterword.pipeline.domain.trades.tag import (
    checked_tag,
    tag_trip,
    untag_trip,
)
from afterword.pipeline.domain.trades.totals import trade_totals
from afterword.pipeline.domain.trades.window import PROFILE_DAYS
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, OnlyAccount, OnlyAsset
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.learn.kept_trades import (
    MOST_LISTED,
    TradesQuery,
    kept_trade,
    kept_trades,
)
from afterword.pipeline.operations.learn.overview import NEWS_TIME, read_overview
from afterword.pipeline.operations.learn.place import reader_zone
from afterword.pipeline.views.trades.journal import journal_view
from afterword.pipeline.views.trades.overview import overview_view
from afterword.pipeline.views.trades.profile import (
    trade_totals_view,
    trading_profile_view,
    user_trade_list,
)
from afterword.pipeline.views.trades.trades import trade_details, trade_done, trade_list

app = section("List, show, tag and sum up trades.")

_USUAL: Final = 50
"""Trades of a list where nobody says how many."""

_TripName = Annotated[
    str, typer.Argument(metavar="TRADE", help="Its name, or the first six characters or more.")
]


@app.command("ls")
def list_(
    ctx: typer.Context,
    account: OnlyAccount = None,
    asset: OnlyAsset = None,
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
    limit = limit if limit is not None else _USUAL if cell is None else MOST_LISTED
    if not 1 <= limit <= MOST_LISTED:
        raise InvalidInputError("limit", f"is {limit}", f"1 to {MOST_LISTED:,}")
    query = TradesQuery(
        account=account,
        asset=None if asset is None else asset_of(asset),
        cell=cell,
        tag=word,
        since=start,
        as_of=at,
    )
    with reading(call.store()) as conn:
        listed = kept_trades(conn, query, limit, call.now())
    call.answer(listed.outcomes, lambda: trade_list(listed, is_narrowed=query.is_narrowed))


@app.command()
def show(ctx: typer.Context, trade: _TripName, as_of: AsOf = None) -> None:
    """Show one trade with its fills, its outcome and its tags.

    Example: afterword trades show 0123456789ab
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        details = kept_trade(conn, trade, at, call.now())
    answer = {
        "outcome": details.outcome,
        "tags": details.tags,
        "note": None if details.note is None else details.note._asdict(),
        "fills": [fill._asdict() for fill in details.fills],  # JSON has no names in a tuple
        "path": details.path,
        "decisions": [decision.uid for decision in details.decisions],
        "memory": details.memory_id,
    }
    call.answer(answer, lambda: trade_details(details))


@app.command()
def tag(
    ctx: typer.Context,
    trade: _TripName,
    word: Annotated[str, typer.Argument(metavar="TAG", help="A word of yours: breakout.")],
) -> None:
    """Give a trade a tag.

    One that is given after the entry is described, never tested.

    Example: afterword trades tag 0123456789ab breakout
    """
    call = Call(ctx)
    trip = tag_trip(call.store(), trade, word, call.roots.clock)
    _answer_tag(call, trip, f"tagged {checked_tag(word)}")


@app.command()
def untag(
    ctx: typer.Context,
    trade: _TripName,
    word: Annotated[str, typer.Argument(metavar="TAG", help="A tag that it has.")],
) -> None:
    """Take a tag from a trade; reports of earlier moments keep it.

    Example: afterword trades untag 0123456789ab breakout
    """
    call = Call(ctx)
    trip = untag_trip(call.store(), trade, word, call.roots.clock)
    _answer_tag(call, trip, f"no longer tagged {checked_tag(word)}")


@app.command()
def note(
    ctx: typer.Context,
    trade: _TripName,
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="What you say of it.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take the note away.")] = False,
    replaces: Annotated[
        int | None,
        typer.Option(metavar="ID", help="Only if this note still stands; 0: only if none does."),
    ] = None,
) -> None:
    """Write what you think of a trade; no prompt shows it.

    Example: afterword trades note 0123456789ab "entered before the close"
    """
    if remove == (text is not None):
        raise InvalidInputError("text", "is missing, or given with --remove", "a text, or --remove")
    call = Call(ctx)
    by = call.owner()
    if text is None:
        _answer_tag(call, remove_note(by, trade, replaces), "has no note any more")
    else:
        _answer_tag(call, write_note(by, trade, text, replaces), "has this note")


@app.command()
def journal(
    ctx: typer.Context,
    account: OnlyAccount = None,
    market: Annotated[
        str | None, typer.Option(metavar="ASSET", help="Only this market, such as SOL.")
    ] = None,
    side: Annotated[str | None, typer.Option(help="Only long ones, or short ones.")] = None,
    tag: Annotated[str | None, typer.Option(help="Only trades with this tag.")] = None,
    result: Annotated[str | None, typer.Option(help="Only won, lost or even ones.")] = None,
    since: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="Only those that closed from then on.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="Only those that closed before.")
    ] = None,
    month: Annotated[
        str | None,
        typer.Option(metavar="YYYY-MM", help="Of the calendar; the last one if missing."),
    ] = None,
    limit: Annotated[int, typer.Option(help="Trades to list at most.")] = JOURNAL_TRADES,
    after: Annotated[
        str | None, typer.Option(metavar="NEXT", help="The page after the one that told this.")
    ] = None,
) -> None:
    """Show the trades that fit as a journal: sums, curve, calendar, list; days are UTC.

    Example: afterword trades journal --market SOL --side long --result lost
    """
    call = Call(ctx)
    query = journal_query(
        account=account,
        market=market,
        side=side,
        tag=tag,
        result=result,
        since=read_moment(since, "since"),
        until=read_moment(until, "until"),
    )
    check_limit(limit, MOST_OF_JOURNAL)
    with reading(call.store()) as conn:
        trades = trade_journal(conn, query, most=limit, after=after)
    call.answer(trades, lambda: journal_view(trades, month))


@app.command()
def overview(
    ctx: typer.Context,
    since: Annotated[
        str | None,
        typer.Option(metavar="MOMENT", help="News since then; of 7 days if missing."),
    ] = None,
) -> None:
    """Show what trades came to, what is named, what is open, and what is new.

    Example: afterword trades overview
    """
    call, start = Call(ctx), read_moment(since, "since")
    now = call.now()
    shown = read_overview(call.store(), now, start or now - NEWS_TIME)
    answer = {
        "sums": shown.journal.sums,
        "habits": shown.habits,
        "patterns": [pattern.text for pattern in shown.patterns],
        "methods": [method.uid for method in shown.methods],
        "positions": shown.positions,
        "proposed": [known.preference.uid for known in shown.proposed],
        "flagged": shown.flagged,
        "is_onboarded": shown.is_onboarded,
        "since": shown.since,
        "news": shown.news,
    }
    call.answer(answer, lambda: overview_view(shown))


@app.command()
def stats(ctx: typer.Context, account: OnlyAccount = None, as_of: AsOf = None) -> None:
    """Show what all trades came to.

    Example: afterword trades stats
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        checked_read(conn, at)
        totals = trade_totals(conn, at or call.now(), account=account, as_of=at)
    call.answer(totals, lambda: trade_totals_view(totals, reader_zone(call.settings)))


@app.command()
def profile(
    ctx: typer.Context,
    days: Annotated[int, typer.Option(help="How many days back.")] = PROFILE_DAYS,
    account: OnlyAccount = None,
    as_of: AsOf = None,
) -> None:
    """Show the trading profile of the last days: how much, of what, and what it brought.

    Example: afterword trades profile --days 7
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        checked_read(conn, at)
        reader = TradingProfileReader(conn, account=account, as_of=at)
        found = reader.read(at or call.now(), days)
    call.answer(found, lambda: trading_profile_view(found))


@app.command()
def search(
    ctx: typer.Context,
    asset: Annotated[str, typer.Argument(metavar="ASSET", help="Such as SOL, kPEPE or bitcoin.")],
    limit: Annotated[int, typer.Option(help="How many at most.")] = 20,
    after: Annotated[
        str | None, typer.Option(metavar="ID", help="Only older ones than the trade of this id.")
    ] = None,
    as_of: AsOf = None,
) -> None:
    """List the latest trades of one asset, as they were executed, the newest first.

    Example: afterword trades search SOL
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    check_text(asset, MAX_TRADE_ASSET, "asset")
    if not 1 <= limit <= MOST_FILLS:
        raise InvalidInputError("limit", f"is {limit}", f"1 to {MOST_FILLS}")
    with reading(call.store()) as conn:
        checked_read(conn, at)
        found = search_user_trades(conn, asset, limit=limit, after=after, as_of=at)
    call.answer(found, lambda: user_trade_list(found, limit))


def _answer_tag(call: Call, trip: Trip, done: str) -> None:
    value = {"trip_uid": trip.trip_uid, "symbol": trip.symbol}
    call.answer(value, lambda: trade_done(trip, done))
