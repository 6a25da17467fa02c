"""`afterword history reconcile`: whether rows explain how the value of accounts changed."""

from typing import Annotated

import typer

from afterword.pipeline.domain.reconciliation.reconcile import reconcile as reconcile_accounts
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, HtmlPage
from afterword.pipeline.doors.cli.page_file import check_page
from afterword.pipeline.views.trades.reconciliation import reconciliation


def reconcile(
    ctx: typer.Context,
    account: Annotated[
        str | None, typer.Argument(metavar="ACCOUNT", help="Of one account; else of all.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option("--from", metavar="MOMENT", help="Only values from this moment on."),
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="MOMENT", help="Only values up to this moment.")
    ] = None,
    html: HtmlPage = None,
    as_of: AsOf = None,
) -> None:
    """Explain how the value of your accounts changed, and name what is left.

    Example: afterword history reconcile main --from 2026-01-05T00:00:00Z
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    ends = {"since": read_moment(since, "from"), "until": read_moment(until, "to")}
    check_page(html)
    statements = reconcile_accounts(call.store(), account, **ends, as_of=at)
    is_past = ends["until"] is not None and ends["until"] <= call.now()
    call.answer(statements, lambda: reconciliation(statements, is_past=is_past), html=html)
