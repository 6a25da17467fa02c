"""The recording of a trade, and of what it brought; see `write`."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory.checks import is_name
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.recorded_trades.checks import check_trade, realised_micro_usd
from afterword.pipeline.domain.recorded_trades.model import (
    GivenNumber,
    NewTrade,
    TradeIds,
    TradeRecord,
)
from afterword.pipeline.domain.recorded_trades.record import insert_trade, renew_outcome
from afterword.pipeline.domain.recorded_trades.rows import find_trade
from afterword.pipeline.domain.sessions.limits import spend
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import open_session


def record_trade(by: Writer, limits: Limits, new: NewTrade) -> TradeIds:
    """Record a trade; it is counted, unless it was recorded before.

    Raises:
        NotFoundError: the session was erased, there is no such decision, or no such trade to close.
        InvalidInputError: the session has ended, or an argument is wrong.
        BudgetExceededError: the session has no more trades.
    """
    checked = check_trade(new)
    with writing(by.store) as conn:
        open_session(conn, by)
        done = insert_trade(conn, by, checked, by.clock())
        if done.is_new:
            spend(conn, by, limits, trades=1)
        return done


def renew_trade(by: Writer, limits: Limits, uid: str, realised_usd: GivenNumber) -> TradeRecord:
    """Keep what a trade brought; it counts as a trade, unless the trade says so already.

    Raises:
        NotFoundError: the session was erased, or there is no such trade.
        InvalidInputError: the session has ended, or an argument is wrong.
        BudgetExceededError: the session has no more trades.
    """
    amount = realised_micro_usd(realised_usd)
    with writing(by.store) as conn:
        open_session(conn, by)
        before = find_trade(conn, uid) if is_name(uid) else None
        after = renew_outcome(conn, by, uid, amount, by.clock())
        if before is None or before.id != after.id:
            spend(conn, by, limits, trades=1)
        return after
