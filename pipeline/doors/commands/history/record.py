"""`afterword history record` and `outcome`: trades written by hand, as an agent records them."""

from dataclasses import asdict
from typing import Annotated, cast

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.recorded_trades.checks import check_trade, realised_micro_usd
from afterword.pipeline.domain.recorded_trades.model import NewTrade, Order
from afterword.pipeline.domain.recorded_trades.record import record_trade, update_trade_outcome
from afterword.pipeline.domain.recorded_trades.rows import find_trade
from afterword.pipeline.doors.agent.trade_model import traded
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import HappenedAt, RecordKey
from afterword.pipeline.views.trades.trades import trade_brought, trade_recorded


def record(
    ctx: typer.Context,
    venue: Annotated[str, typer.Argument(help="Where, such as hyperliquid.")],
    account: Annotated[str, typer.Argument(help="The account, as its fills are imported.")],
    side: Annotated[str, typer.Argument(help="buy or sell.")],
    size: Annotated[str, typer.Argument(help="Units.")],
    asset: Annotated[str, typer.Argument(help="What was traded, such as SOL.")],
    price: Annotated[str, typer.Argument(help="Price of one unit.")],
    fee: Annotated[str | None, typer.Option(help="What it cost; negative is a rebate.")] = None,
    fee_token: Annotated[str | None, typer.Option(help="What the fee was paid in.")] = None,
    oid: Annotated[str | None, typer.Option(help="The venue's id of the order.")] = None,
    tid: Annotated[str | None, typer.Option(help="The venue's id of the execution.")] = None,
    cloid: Annotated[str | None, typer.Option(help="The client's id of the order.")] = None,
    decision: Annotated[
        str | None, typer.Option(metavar="UID", help="The decision that it carries out.")
    ] = None,
    closes: Annotated[
        str | None, typer.Option(metavar="UID", help="The recorded trade that it closes.")
    ] = None,
    realised: Annotated[
        str | None, typer.Option(metavar="USD", help="What it brought after fees.")
    ] = None,
    at: HappenedAt = None,
    key: RecordKey = None,
) -> None:
    """Record a trade; where its fills are imported too, it counts once.

    Example: afterword history record hyperliquid hl-main buy 0.8 SOL 145.20
    """
    call = Call(ctx)
    new = NewTrade(
        venue=venue,
        account=account,
        asset=asset,
        side=cast(Order, side),
        size=size,
        price=price,
        fee=fee,
        fee_token=fee_token,
        oid=oid,
        tid=tid,
        cloid=cloid,
        decision_uid=decision,
        closes_uid=closes,
        realised_usd=realised,
        occurred_at=read_moment(at, "at"),
        key=key,
    )
    check_trade(new)  # before the store is opened: a refused trade makes none
    by = call.owner(create=True)
    done = record_trade(by, new)
    call.answer(asdict(done), lambda: trade_recorded(done.uid, is_new=done.is_new))


def outcome(
    ctx: typer.Context,
    trade: Annotated[str, typer.Argument(metavar="UID", help="The recorded trade.")],
    realised: Annotated[str, typer.Argument(metavar="USD", help="What it brought after fees.")],
) -> None:
    """Keep what a recorded trade brought; the latest amount counts.

    Example: afterword history outcome 0123456789ab 12.40
    """
    call = Call(ctx)
    realised_micro_usd(realised)
    by = call.owner()
    update_trade_outcome(by, trade, realised)
    with reading(by.store) as conn:
        after = find_trade(conn, trade)
    assert after is not None  # it was just updated
    shown = traded(after, by.store.name, is_new=False)
    call.answer(shown, lambda: trade_brought(shown.id, shown.realised_usd))
