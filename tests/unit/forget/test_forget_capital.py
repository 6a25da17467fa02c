"""Forgetting an account erases what it held; forgetting a strategy erases its runs."""

from collections.abc import Iterator

import pytest

from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.capital import rows
from afterword.pipeline.domain.capital.parts import known_parts
from afterword.pipeline.domain.capital.rows import StoredPart
from afterword.pipeline.domain.capital.tiers import sum_of_parts
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.strategies.model import NewStrategyRun
from afterword.pipeline.domain.strategies.runs import start_strategy
from afterword.pipeline.operations.forget.forget import forget
from afterword.pipeline.operations.forget.model import ForgetRequest
from afterword.pipeline.testing.clock import ManualClock


@pytest.fixture
def held(store: Store, clock: ManualClock) -> Iterator[Store]:
    """A group whose account `zebrafund` holds something, a token without a price among it."""
    now = clock()
    with writing(store) as conn:
        account = Account("zebrafund", "hyperliquid", "0xab", "own", "user", None, now)
        row_id = account_rows.insert(conn, account)
        spot = StoredPart(row_id, "spot", 5, now, ("ZEBRAFUND",), now, None)
        rows.keep(conn, [spot, StoredPart(row_id, "perp", 7, now, (), now, None)])
        rows.insert(conn, sum_of_parts(known_parts(rows.book(conn)), now))
    yield store


def left(store: Store, table: str) -> int:
    with reading(store) as conn:
        return int(conn.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())


def test_what_an_account_held_is_forgotten_with_its_trades(
    stores: Stores, held: Store, clock: ManualClock
) -> None:
    done = forget(stores, "main", ForgetRequest(subject="zebrafund", trades=True), clock)
    assert [left(held, table) for table in ("accounts", "capital_parts", "capital_metrics")] == [
        *(0, 0, 0)
    ]
    assert done.proof is not None
    assert done.proof.found == 0


@pytest.mark.parametrize("subject", ["zebrafund", "grid of zebras", "ZEB-PERP"])
def test_a_run_is_forgotten_by_its_account_its_name_and_its_market(
    stores: Stores, held: Store, writer: Writer, clock: ManualClock, subject: str
) -> None:
    for name, symbol, account in (
        ("grid of zebras", "ZEB-PERP", "zebrafund"),
        ("carry", "SOL", None),
    ):
        new = NewStrategyRun(
            strategy=name, symbols=(symbol,), allocated_capital_usd=5, account=account
        )
        start_strategy(writer, new)
    done = forget(stores, "main", ForgetRequest(subject=subject), clock)
    assert left(held, "strategy_runs") == 1
    assert done.proof is not None
    assert done.proof.found == 0
