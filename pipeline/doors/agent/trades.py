"""The tools of trades: record one that was made, what it brought, and read those of the user."""

from datetime import datetime
from typing import Annotated, Final

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.checks import MAX_NAME, check_limit, check_text
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.recorded_trades.checks import MAX_TRADE_ASSET, MAX_TRADE_ID
from afterword.pipeline.domain.recorded_trades.model import NewTrade, Order
from afterword.pipeline.domain.recorded_trades.rows import find_trade
from afterword.pipeline.domain.trades.window import MOST_PROFILE_DAYS, PROFILE_DAYS
from afterword.pipeline.doors.agent import trade_model, trade_write
from afterword.pipeline.doors.agent.arguments import described
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.trade_model import AgentTrade, UserFill, UserTradingProfile

_MAX_USER_TRADES: Final = 100

Amount = str | int | float
"""A number; as text it is kept to the last digit."""


def trade_record(
    door: Door,
    venue: Annotated[str, described("Where, such as hyperliquid.", maxLength=MAX_NAME)],
    account: Annotated[
        str, described("The account, as its fills are imported under it.", maxLength=MAX_NAME)
    ],
    asset: Annotated[str, described("What was traded, such as SOL.", maxLength=MAX_TRADE_ASSET)],
    side: Annotated[Order, described("Whether it bought or sold.")],
    size: Annotated[Amount, described("Units; as text, exactly.")],
    price: Annotated[Amount, described("Price of one unit; as text, exactly.")],
    fee: Annotated[Amount | None, described("What it cost; negative is a rebate.")] = None,
    fee_token: Annotated[
        str | None, described("What the fee was paid in; USD if missing.", maxLength=MAX_TRADE_ID)
    ] = None,
    oid: Annotated[
        str | None, described("The venue's id of the order.", maxLength=MAX_TRADE_ID)
    ] = None,
    tid: Annotated[
        str | None, described("The venue's id of the execution.", maxLength=MAX_TRADE_ID)
    ] = None,
    cloid: Annotated[
        str | None, described("The id you gave the order.", maxLength=MAX_TRADE_ID)
    ] = None,
    decision: Annotated[
        str | None, described("Id of the decision that it carries out.", maxLength=MAX_NAME)
    ] = None,
    closes: Annotated[
        str | None, described("Id of the recorded trade that it closes.", maxLength=MAX_NAME)
    ] = None,
    realised_usd: Annotated[
        Amount | None, described("What it brought after fees, in USD, if known.")
    ] = None,
    key: Annotated[
        str | None,
        described("Names this recording: sent again, it is recorded once.", maxLength=MAX_NAME),
    ] = None,
) -> AgentTrade:
    """Record a trade when it is made; what it brought may follow later.

    Its time and session are the present ones. Where its fills are imported too, before or later,
    it counts once: an id of the venue links the two.

    Args:
        account: the name under which `afterword history import --account` keeps its fills.
        closes: an own open trade of the same venue, account and asset, of the other side.
        realised_usd: of the trade that closes, where there is one.
        key: a second recording under the same key, or of the same `tid`, returns the first one,
            and counts no second time.

    Raises:
        NotFoundError: there is no such decision, or no such trade to close.
        InvalidInputError: an argument is wrong, the key or `tid` names another trade, or the
            session has ended.
        BudgetExceededError: the session has no more trades.
    """
    new = NewTrade(
        venue=venue,
        account=account,
        asset=asset,
        side=side,
        size=size,
        price=price,
        fee=fee,
        fee_token=fee_token,
        oid=oid,
        tid=tid,
        cloid=cloid,
        decision_uid=decision,
        closes_uid=closes,
        realised_usd=realised_usd,
        key=key,
    )
    done = trade_write.record_trade(door.writer, door.limits, new)
    with reading(door.store) as conn:
        trade = find_trade(conn, done.uid)
    assert trade is not None  # a trade is never taken back
    return trade_model.traded(trade, door.store.name, is_new=done.is_new)


def trade_outcome(
    door: Door,
    trade: Annotated[str, described("Id of the trade, from `trade_record`.")],
    realised_usd: Annotated[Amount, described("What it brought after fees, in USD.")],
) -> AgentTrade:
    """Keep what a recorded trade brought; said again with another amount, the latest counts.

    Args:
        trade: of a position that other recorded trades closed, name those.

    Raises:
        NotFoundError: there is no such trade.
        InvalidInputError: an argument is wrong, another trade has the outcome, or the session has
            ended.
        BudgetExceededError: the session has no more trades.
    """
    after = trade_write.renew_trade(door.writer, door.limits, trade, realised_usd)
    return trade_model.traded(after, door.store.name, is_new=False)


def search_user_trades(
    door: Door,
    asset: Annotated[str, described("What was traded, such as SOL.", maxLength=MAX_TRADE_ASSET)],
    limit: Annotated[int, described("How many at most.", minimum=1, maximum=_MAX_USER_TRADES)] = 20,
    after: Annotated[
        str | None, described("Id of the last trade of the page before.", maxLength=MAX_NAME)
    ] = None,
    *,
    as_of: datetime | None = None,
) -> list[UserFill]:
    """Return the user's latest trades of one asset, on any account and venue, the newest first.

    Args:
        asset: in any written form, or a name; `SOL` finds `SOLUSDT`.
        after: only older trades than that of this id.
        as_of: as they were known at this moment.

    Raises:
        InvalidInputError: no asset, a limit out of 1..100, or no such id.
    """
    # Imported here: it loads the rules of trades, for which an agent's start does not wait.
    from afterword.pipeline.domain.trades.search import search_user_trades as search

    check_text(asset, MAX_TRADE_ASSET, "asset")
    check_limit(limit, _MAX_USER_TRADES)
    with reading(door.store) as conn:
        read_moment(conn, as_of)  # refuses a moment that was purged
        trades = search(conn, asset, limit=limit, after=after, as_of=as_of)
    return [trade_model.filled(trade) for trade in trades]


def trading_profile(
    door: Door,
    days: Annotated[
        int, described("How many days back.", minimum=1, maximum=MOST_PROFILE_DAYS)
    ] = PROFILE_DAYS,
    *,
    as_of: datetime | None = None,
) -> UserTradingProfile:
    """Return what the user traded in the last days, and what it brought, on all accounts.

    Args:
        as_of: the days before this moment, as they were known then.

    Raises:
        InvalidInputError: days out of 1..3660.
    """
    from afterword.pipeline.domain.trades.profile import TradingProfileReader

    with reading(door.store) as conn:
        read_moment(conn, as_of)
        profile = TradingProfileReader(conn, as_of=as_of).read(as_of or door.clock(), days)
    return trade_model.profiled(profile)
