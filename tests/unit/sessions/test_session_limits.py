"""What an agent may write in one session is bounded, whoever writes at once and whatever fails."""

import threading
from dataclasses import replace

import pytest

from afterword.pipeline.core.store import Stores, reading, writing
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.limits import spend
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import (
    begin_session,
    end_session,
    in_session,
    session_of,
)
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError, NotFoundError

LIMITS = Limits(stores=20, supersedes=5, deletes=5)


@pytest.fixture
def agent(writer: Writer) -> Writer:
    """An agent in a session."""
    return in_session(writer, begin_session(writer).handle)


def used(by: Writer) -> tuple[int, int, int]:
    with reading(by.store) as conn:
        found = session_of(conn, by)
    return found.stores, found.supersedes, found.deletes


def take(by: Writer, **counts: int) -> None:
    with writing(by.store) as conn:
        spend(conn, by, LIMITS, **counts)


@pytest.mark.parametrize(("kind", "most"), [("stores", 20), ("supersedes", 5), ("deletes", 5)])
def test_each_kind_has_its_bound_and_one_more_is_refused_and_not_counted(store, agent, kind, most):
    for _ in range(most):
        take(agent, **{kind: 1})
    before = used(agent)
    for _ in range(2):
        with pytest.raises(BudgetExceededError, match=f"{most} of its {most} {kind}") as refused:
            take(agent, **{kind: 1})

    assert used(agent) == before
    assert refused.value.reopens_at is None
    assert "sess-" not in str(refused.value)


def test_the_bounds_are_counted_apart(store, agent):
    for _ in range(5):
        take(agent, stores=1, supersedes=1)
    with pytest.raises(BudgetExceededError, match="5 supersedes"):
        take(agent, stores=1, supersedes=1)
    for _ in range(15):
        take(agent, stores=1)
    take(agent, deletes=1)

    assert used(agent) == (20, 5, 1)


def test_a_bound_that_was_lowered_stops_its_own_kind_only(store, agent):
    take(agent, stores=10)
    with writing(store) as conn:
        spend(conn, agent, Limits(stores=3), deletes=1)
    with pytest.raises(BudgetExceededError, match="10 of its 3 stores"), writing(store) as conn:
        spend(conn, agent, Limits(stores=3), stores=1)


def test_what_is_refused_later_in_the_transaction_counts_nothing(store, agent):
    with pytest.raises(RuntimeError), writing(store) as conn:
        spend(conn, agent, LIMITS, stores=1)
        raise RuntimeError
    assert used(agent) == (0, 0, 0)


def test_an_ended_or_unknown_session_has_nothing_to_spend(store, agent, writer):
    end_session(agent)
    with pytest.raises(InvalidInputError, match="session: has ended"):
        take(agent, stores=1)
    with pytest.raises(NotFoundError):
        take(replace(agent, session="forged"), stores=1)


def test_a_restart_resets_nothing(stores: Stores, store, agent):
    take(agent, stores=20)
    stores.close()
    with pytest.raises(BudgetExceededError):
        take(replace(agent, store=stores.group("main")), stores=1)


def test_of_thirty_threads_that_store_at_once_twenty_succeed(store, agent):
    start, done = threading.Barrier(30), []

    def work() -> None:
        start.wait()
        try:
            take(agent, stores=1)
            done.append(True)
        except BudgetExceededError:
            done.append(False)

    for thread in (threads := [threading.Thread(target=work) for _ in range(30)]):
        thread.start()
    for thread in threads:
        thread.join()

    assert (done.count(True), done.count(False)) == (20, 10)
    assert used(agent) == (20, 0, 0)
