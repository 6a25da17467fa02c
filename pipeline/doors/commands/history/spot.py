"""`afterword history spot`: what wallets swapped and moved on chains."""

from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.spot import rows
from afterword.pipeline.domain.spot.checks import check_chain
from afterword.pipeline.domain.spot.model import StoredActivity
from afterword.pipeline.domain.spot.totals import spot_totals
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, OnlyAccount, most_shown
from afterword.pipeline.views.trades.spot import spot_list, spot_values, total_values


def spot(
    ctx: typer.Context,
    account: OnlyAccount = None,
    chain: Annotated[str | None, typer.Option(help="Only this chain, such as ethereum.")] = None,
    token: Annotated[
        str | None, typer.Option(help="Only what gave or brought this token, as it is spelled.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="Only what happened from then on.")
    ] = None,
    as_of: AsOf = None,
    limit: Annotated[int, most_shown("activities", 100_000, is_checked=False)] = 50,
) -> None:
    """List what wallets did on chains, the newest first, and what all of it comes to.

    Example: afterword history spot --token CRV --limit 20
    """
    call = Call(ctx)
    named = None if chain is None else check_chain(chain, "chain")
    start, at = read_moment(since, "since"), read_moment(as_of, "as_of")
    shown: list[StoredActivity] = []
    with reading(call.store()) as conn:
        found = rows.activities(conn, account=account, chain=named, token=token, since=start, at=at)
        totals = spot_totals(_keeping(found, shown, limit))
        is_narrowed = not shown and next(iter(rows.activities(conn)), None) is not None
    value = {"activities": list(map(spot_values, shown)), "totals": total_values(totals)}
    call.answer(value, lambda: spot_list(shown, totals, is_narrowed=is_narrowed))


def _keeping(
    found: Iterable[StoredActivity], shown: list[StoredActivity], limit: int
) -> Iterator[StoredActivity]:
    """Yield all activities, and keep the first ones to be shown."""
    for stored in found:
        if len(shown) < limit:
            shown.append(stored)
        yield stored
