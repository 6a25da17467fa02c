"""What an agent may write in one session is bounded, whoever writes at once and whatever fails."""

import threading
from dataclasses import asdict, replace
from datetime import UTC, datetime

import pytest

from afterword.pipeline.core.store import Stores, reading, writing
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.limits import spend
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import (
    begin_daily,
    begin_session,
    end_session,
    in_session,
    session_of,
)
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError, NotFoundError
from afterword.pipeline.settings import Settings

LIMITS = Limits(stores=20, supersedes=5, deletes=5, decisions=7, trades=6, methodologies=4)
MOST = asdict(LIMITS)


@pytest.fixture
def agent(writer: Writer) -> Writer:
    """An agent in a session."""
    return in_session(writer, begin_session(writer).handle)


def used(by: Writer) -> dict[str, int]:
    """Return what the session counts, without what it has none of."""
    with reading(by.store) as conn:
        session = session_of(conn, by)
    return {kind: getattr(session, kind) for kind in MOST if getattr(session, kind)}


def take(by: Writer, **counts: int) -> None:
    with writing(by.store) as conn:
        spend(conn, by, LIMITS, **counts)


@pytest.mark.parametrize(("kind", "most"), MOST.items())
def test_each_kind_has_its_bound_and_one_more_is_refused_and_not_counted(store, agent, kind, most):
    for _ in range(most):
        take(agent, **{kind: 1})
    before = used(agent)
    for _ in range(2):
        with pytest.raises(BudgetExceededError, match=f"{most} of its {most} {kind}") as refused:
            take(agent, **{kind: 1})

    assert used(agent) == before == {kind: most}
    assert refused.value.reopens_at is None
    assert "sess-" not in str(refused.value)
    assert "; begin another session, or ask the owner to raise " in str(refused.value)
    assert f" AFTERWORD_SESSION_MAX_{kind.upper()}; " in str(refused.value)
    assert f"session_max_{kind}" in Settings.model_fields


def test_a_refusal_in_a_daily_session_says_when_the_next_one_begins(store, clock, writer):
    clock.advance(hours=23, minutes=59)
    agent, _handle = begin_daily(writer)
    with pytest.raises(BudgetExceededError) as refused, writing(store) as conn:
        spend(conn, agent, Limits(stores=0), stores=1)

    assert "; the next session begins at 2026-01-06T00:00Z, or ask the own" in str(refused.value)
    assert refused.value.reopens_at == datetime(2026, 1, 6, tzinfo=UTC)


def test_the_bounds_are_counted_apart(store, agent):
    for _ in range(5):
        take(agent, stores=1, supersedes=1)
    with pytest.raises(BudgetExceededError, match="5 supersedes"):
        take(agent, stores=1, supersedes=1)
    for _ in range(15):
        take(agent, stores=1)
    take(agent, deletes=1)

    assert used(agent) == {"stores": 20, "supersedes": 5, "deletes": 1}


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
    assert used(agent) == {}


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
    assert used(agent) == {"stores": 20}
