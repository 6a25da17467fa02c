"""Forgetting a subject erases the trades that an agent recorded of it, in all their versions."""

from dataclasses import replace

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.recorded_trades.model import NewTrade
from afterword.pipeline.domain.recorded_trades.record import record_trade, update_trade_outcome
from afterword.pipeline.operations.forget.forget import forget
from afterword.pipeline.operations.forget.model import ForgetRequest

NEW = NewTrade(
    venue="hyperliquid", account="zebrafund", asset="SOL", side="buy", size=1, price=2, cloid="q-1"
)


def test_recorded_trades_of_an_account_are_forgotten_with_their_past(stores, store, writer, clock):
    update_trade_outcome(writer, record_trade(writer, NEW).uid, 5)
    kept = record_trade(writer, replace(NEW, account="other")).uid

    done = forget(stores, "main", ForgetRequest(subject="zebrafund"), clock)

    with reading(store) as conn:
        left = conn.exec_driver_sql("SELECT uid FROM trade_history").scalars().all()
    assert left == [kept]
    assert done.proof is not None and done.proof.found == 0
