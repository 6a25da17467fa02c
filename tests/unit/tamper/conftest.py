"""A group that lived, a program that edits its file, and what a check names."""

from collections.abc import Callable
from contextlib import closing

import pytest

from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.core.store.chain.verify import check_chain
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer


@pytest.fixture
def found(stores: Stores, clock) -> Callable[[], set[tuple[str, str]]]:
    """Return the edits that a check of `main` names, as table and kind."""

    def check() -> set[tuple[str, str]]:
        checked = check_chain(stores.instance, stores.group("main"), clock())
        return {(edit.table, edit.what) for edit in checked.edits}

    return check


@pytest.fixture
def remember(owner: Writer) -> Callable[[str], int]:
    """Write a lesson, and return its id."""
    return lambda text: write_memory(owner, NewMemory("lesson", text)).id


@pytest.fixture
def lived(store: Store, owner: Writer, command, remember) -> Store:
    """A group with rows in many covered tables, written by the verbs of several doors."""
    for place in range(6):
        remember(f"lesson {place}: cut losers early")
    write_memory(owner, NewMemory("preference", "Prefers weekly charts", type="preference"))
    lines = (
        ("profile", "set", "risk", "low"),
        ("profile", "tags", "set", "risk", "conservative"),
        (
            *("methodology", "add", "Buy BTC when the RSI is below 30"),
            *("--class", "major_crypto", "--direction", "bullish", "--timeframe", "short"),
        ),
        (
            *("role", "record", "market.spot.momentum", "buy the breakout"),
            *("--asset", "SOL", "--direction", "long"),
        ),
    )
    for line in lines:
        assert command(*line).code == 0, line
    store.close()
    return store


@pytest.fixture
def edit(store: Store) -> Callable[..., int]:
    """Edit the file of `main` by a bare connection, as another program does."""

    def run(*statements: str) -> int:
        store.close()
        with closing(dbapi.connect(str(store.path))) as conn, conn:
            return sum(conn.execute(statement).rowcount for statement in statements)

    return run
