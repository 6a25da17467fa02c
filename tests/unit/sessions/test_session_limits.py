"""What an agent may write in one session is bounded, whoever writes at once and whatever fails."""

import threading

import pytest

from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.domain.sessions.limits import spend
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import begin_session, end_session, find_session
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError, NotFoundError

LIMITS = Limits(stores=20, supersedes=5, deletes=5)


@pytest.fixture
def handle(store, clock, ids) -> str:
    return begin_session(store, clock, ids).handle


def used(store: Store, handle: str) -> tuple[int, int, int]:
    with reading(store) as conn:
        found = find_session(conn, handle)
    return found.stores, found.supersedes, found.deletes


def take(store: Store, handle: str, **counts: int) -> str:
    with writing(store) as conn:
        return spend(conn, handle, LIMITS, **counts)


@pytest.mark.parametrize(("kind", "most"), [("stores", 20), ("supersedes", 5), ("deletes", 5)])
def test_each_kind_has_its_bound_and_one_more_is_refused_and_not_counted(store, handle, kind, most):
    for _ in range(most):
        take(store, handle, **{kind: 1})
    before = used(store, handle)
    for _ in range(2):
        with pytest.raises(BudgetExceededError, match=f"{most} of its {most} {kind}") as refused:
            take(store, handle, **{kind: 1})

    assert used(store, handle) == before
    assert refused.value.reopens_at is None
    assert handle not in str(refused.value)


def test_the_bounds_are_counted_apart(store, handle):
    for _ in range(5):
        take(store, handle, stores=1, supersedes=1)
    with pytest.raises(BudgetExceededError, match="5 supersedes"):
        take(store, handle, stores=1, supersedes=1)
    for _ in range(15):
        take(store, handle, stores=1)
    take(store, handle, deletes=1)

    assert used(store, handle) == (20, 5, 1)


def test_a_bound_that_was_lowered_stops_its_own_kind_only(store, handle):
    take(store, handle, stores=10)
    with writing(store) as conn:
        spend(conn, handle, Limits(stores=3), deletes=1)
    with pytest.raises(BudgetExceededError, match="10 of its 3 stores"), writing(store) as conn:
        spend(conn, handle, Limits(stores=3), stores=1)


def test_what_is_refused_later_in_the_transaction_counts_nothing(store, handle):
    with pytest.raises(RuntimeError), writing(store) as conn:
        spend(conn, handle, LIMITS, stores=1)
        raise RuntimeError
    assert used(store, handle) == (0, 0, 0)


def test_an_ended_or_unknown_session_has_nothing_to_spend(store, clock, handle):
    end_session(store, handle, clock)
    with pytest.raises(InvalidInputError, match="session: has ended"):
        take(store, handle, stores=1)
    with pytest.raises(NotFoundError):
        take(store, "sess-forged", stores=1)


def test_a_restart_resets_nothing(stores: Stores, store, handle):
    take(store, handle, stores=20)
    stores.close()
    with pytest.raises(BudgetExceededError):
        take(stores.group("main"), handle, stores=1)


def test_of_thirty_threads_that_store_at_once_twenty_succeed(store, handle):
    start, done = threading.Barrier(30), []

    def work() -> None:
        start.wait()
        try:
            take(store, handle, stores=1)
            done.append(True)
        except BudgetExceededError:
            done.append(False)

    for thread in (threads := [threading.Thread(target=work) for _ in range(30)]):
        thread.start()
    for thread in threads:
        thread.join()

    assert (done.count(True), done.count(False)) == (20, 10)
    assert used(store, handle) == (20, 0, 0)
