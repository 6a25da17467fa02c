"""A recorded trade, and the session and the decision that it comes from."""

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.lineage.model import Cause, LineageStep
from afterword.pipeline.domain.recorded_trades import rows
from afterword.pipeline.rules.market.decimals import plain


def trade_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a recorded trade; see `ReadLineageStep`."""
    del at
    trade = rows.find_trade(conn, str(key))
    if trade is None:
        return None
    causes = []
    if trade.decision_uid is not None:
        causes.append(Cause("carries out", "decision", trade.decision_uid))
    if trade.closes_uid is not None:
        causes.append(Cause("closes", "trade", trade.closes_uid))
    if trade.session_id is not None:
        moment = to_micros(trade.known_at)
        causes.append(Cause("recorded in", "session", trade.session_id, moment))
    says = f"{trade.side} {plain(trade.size)} {trade.asset} at {plain(trade.price)}"
    return LineageStep(
        f"trade {trade.uid}",
        f"{says} on {trade.venue}, account {trade.account}",
        trade.occurred_at,
        causes,
    )
