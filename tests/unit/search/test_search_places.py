"""What a process holds of the sessions is what the file says, however it came to know it."""

from dataclasses import astuple, replace

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.operations.forget.forget import forget
from afterword.pipeline.operations.forget.model import ForgetRequest
from afterword.pipeline.recall.search.neighbours import LONG_CHARS, Neighbours, neighbours_of
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.testing.clock import ManualClock

TEXTS = ("x", "x?", "什么？", "x" * (LONG_CHARS + 1))
rows = st.lists(
    st.tuples(st.sampled_from((None, "b", "a")), st.sampled_from(TEXTS)), min_size=1, max_size=6
)


def write(store: Store, clock: ManualClock, *given: tuple[str | None, str]) -> None:
    news = [NewMemory("lesson", content, session_id=session) for session, content in given]
    if news:
        write_memories(Writer(store, clock, random_uid), news)


def now(store: Store) -> Neighbours:
    with reading(store) as conn:
        return neighbours_of(store, conn)


def same(one: Neighbours, other: Neighbours) -> bool:
    """Compare all but the numbers of the sessions, which are given as they come."""
    return all(
        np.array_equal(mine, yours)
        for mine, yours in zip(_renumbered(one), _renumbered(other), strict=True)
    )


def _renumbered(found: Neighbours) -> tuple[object, ...]:
    _, firsts, numbers = np.unique(found.session, return_index=True, return_inverse=True)
    return astuple(replace(found, session=firsts[numbers]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(batches=st.lists(rows, max_size=4))
def test_what_was_extended_is_what_would_be_read_anew(
    stores: Stores, clock: ManualClock, ids: IdSource, batches
):
    store = stores.group("main", create=True)
    now(store)
    for batch in batches:
        write(store, clock, *batch)
        now(store)

    assert same(now(store), now(Store(store.path, store.options)))


def test_an_older_transaction_sees_the_places_of_its_own_moment(store: Store, clock: ManualClock):
    write(store, clock, ("a", "one?"), ("a", "x" * (LONG_CHARS + 1)))
    with reading(store) as conn:
        then = neighbours_of(store, conn)
        write(store, clock, ("a", "two?"), ("a", "x" * (LONG_CHARS + 2)))
        assert now(store).top == 4
        again = neighbours_of(store, conn)

    assert same(then, again)
    assert again.after.tolist() == [0, 2, 0]
    assert again.long.tolist() == [2]


def test_rows_removed_for_good_are_forgotten(store: Store, clock: ManualClock):
    write(store, clock, ("a", "one"), ("a", "two"), ("a", "three"))
    assert now(store).after.tolist() == [0, 2, 3, 0]
    with writing(store) as conn:
        conn.execute(text("DELETE FROM memories WHERE id = 2"))
        conn.execute(
            text("INSERT INTO memory_purges (at, deleted, superseded, horizon) VALUES (0,1,0,0)")
        )

    assert now(store).after.tolist() == [0, 3, 0, 0]
    assert now(store).exists.tolist() == [False, True, False, True]


def test_after_something_is_forgotten_its_neighbours_are_found_in_every_process(
    stores: Stores, store: Store, clock: ManualClock
):
    write(store, clock, ("a", "one alpha"), ("a", "two beta"), ("a", "three gamma"))
    elsewhere = Store(store.path, store.options)  # as another process opened it
    for each in (store, elsewhere):
        search(each, "alpha")
    forget(stores, "main", ForgetRequest((2,)), clock)

    for each in (store, elsewhere):
        assert [hit.memory.id for hit in search(each, "gamma")] == [3, 1]
        assert search(each, "beta") == []
        assert now(each).after.tolist() == [0, 3, 0, 0]
    elsewhere.close()


def test_a_transaction_that_began_before_rows_were_removed_sees_them(store, clock):
    write(store, clock, ("a", "one"), ("a", "two"), ("a", "three"))
    with reading(store) as conn:
        before = neighbours_of(store, conn)
        with writing(store) as other:
            other.execute(text("DELETE FROM memories WHERE id = 2"))
            other.execute(text("INSERT INTO erasures (at, sealed) VALUES (0, x'00')"))
        assert now(store).exists.tolist() == [False, True, False, True]
        assert same(neighbours_of(store, conn), before)

    assert now(store).after.tolist() == [0, 3, 0, 0]


def test_a_row_that_went_without_a_trace_is_left_out(store, clock):
    write(store, clock, ("a", "one alpha"), ("a", "two beta"), ("a", "three gamma"))
    search(store, "alpha")
    with writing(store) as conn:
        conn.execute(text("DELETE FROM memories WHERE id = 2"))

    assert [
        hit.memory.id for hit in search(store, "gamma", options=SearchOptions(explain=True))
    ] == [3, 1]


def test_a_question_asked_meanwhile_lends_to_its_answer(store: Store, clock: ManualClock):
    write(store, clock, ("a", "gold"))
    search(store, "gold")
    write(store, clock, ("b", "silver and what?"), ("b", "yes"), ("b", "no"))

    told = {
        hit.memory.content: hit.explanation
        for hit in search(store, "silver", options=SearchOptions(explain=True))
    }

    assert told["yes"] and told["yes"].arms[0].answer > 0
    assert told["no"] and told["no"].arms[0].answer == 0
