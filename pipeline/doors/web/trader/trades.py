"""The journal of trades, with filters that every number on the page follows."""

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.trades.journal import (
    JOURNAL_TRADES,
    TRIP_RESULTS,
    TRIP_SIDES,
    journal_choices,
    journal_query,
    trade_journal,
)
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent, PageField
from afterword.pipeline.doors.web.trader.fields import day, select, start_of
from afterword.pipeline.views.trades.journal import journal_view


def trades(
    by: PageCaller,
    account: str | None = None,
    market: str | None = None,
    side: str | None = None,
    tag: str | None = None,
    result: str | None = None,
    since: str | None = None,
    until: str | None = None,
    month: str | None = None,
    after: str | None = None,
) -> PageContent:
    """Return the trades that fit, what they came to by day, and their calendar."""
    query = journal_query(
        account=account,
        market=market,
        side=side,
        tag=tag,
        result=result,
        since=start_of(since, "since"),
        until=start_of(until, "until", days_later=1),
    )
    with reading(by.store()) as conn:
        journal = trade_journal(conn, query, most=JOURNAL_TRADES, after=after)
        choices = journal_choices(conn)
    chosen = {
        "account": account,
        "market": market,
        "side": side,
        "tag": tag,
        "result": result,
        "since": since,
        "until": until,
        "month": month,
    }
    filters = [
        select("market", "Market", choices.markets, query.market),
        select("side", "Side", TRIP_SIDES, side),
        select("tag", "Tag", choices.tags, query.tag),
        select("result", "Result", TRIP_RESULTS, result),
        select("account", "Account", choices.accounts, account),
        day("since", "Closed from", since),
        day("until", "Closed until", until),
        PageField("month", "Month of the calendar", "month", month or ""),
    ]
    named = {name: value for name, value in chosen.items() if value is not None}
    return PageContent([journal_view(journal, month, named)], filters=filters)
