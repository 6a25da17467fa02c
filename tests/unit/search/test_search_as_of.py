"""A search as of a moment finds what stood then, ranked by what was known then."""

from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, StoreOptions, Stores, writing
from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.recall.search.model import Hit, Scope
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.testing.clock import ManualClock

WORDS = ("slippage", "base", "eth", "long", "stop", "gold", "weekly", "charts?", "止损", "币")
QUERIES = (
    *("slippage on base", "eth long stop", "weekly charts", "止损", "gold OR base", '"eth long"'),
    *("lippag", "gold NOT base", "eth in January 2026", ""),
)

said = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
rows = st.lists(st.tuples(said, st.sampled_from((None, "a", "b", "c"))), min_size=1, max_size=12)


def write(store: Store, given: list[tuple[str, str | None]], clock: ManualClock) -> list[int]:
    ids = []
    for content, session in given:
        clock.advance(seconds=1)
        new = NewMemory("context", content, type="context", session_id=session)
        ids += [row.id for row in write_memories(Writer(store, clock, random_uid), [new])]
    return ids


def told(hits: list[Hit]) -> list[tuple[int, float, float]]:
    return [(hit.memory.id, hit.score, hit.relevance) for hit in hits]


def ask_all(store: Store, at: datetime | None) -> list[list[tuple[int, float, float]]]:
    return [told(search(store, query, as_of=at)) for query in QUERIES]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(before=rows, later=rows, data=st.data())
def test_what_comes_later_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, before, later, data
):
    clock = ManualClock()
    stores = Stores(
        tmp_path_factory.mktemp("home"), StoreOptions(synchronous="NORMAL"), clock, random_uid
    )
    store = stores.group("main", create=True)
    old = write(store, before, clock)
    at = clock()
    expected = ask_all(store, at)
    # Known at once, or only after a process has started anew: the same.
    assert ask_all(store, None) == expected

    new = write(store, later, clock)
    clock.advance(seconds=1)
    for gone in data.draw(st.sets(st.sampled_from(old))):
        kind = data.draw(st.sampled_from(("delete", "supersede", "both")))
        if kind != "supersede":
            delete_memory(Writer(store, clock, random_uid), gone)
        if kind == "both":
            clock.advance(seconds=1)
            restore_memory(Writer(store, clock, random_uid, "owner"), gone)
        if kind != "delete":
            with writing(store) as conn:
                supersede(conn, Writer(store, clock, random_uid, "system"), gone, new[-1], clock())

    assert ask_all(store, at) == expected
    stores.close()
    assert ask_all(stores.group("main"), at) == expected
    stores.close()


def test_a_memory_deleted_for_a_while_is_missing_in_that_while(
    store: Store, clock: ManualClock, owner: Writer, writer: Writer
):
    (row,) = write(store, [("slippage on base", None)], clock)
    moments = [clock()]
    for change in (lambda: delete_memory(writer, row), lambda: restore_memory(owner, row)):
        clock.advance(minutes=1)
        change()
        moments.append(clock())

    found = [len(search(store, "slippage", as_of=at)) for at in moments]

    assert found == [1, 0, 1]
    assert search(store, "slippage", as_of=moments[0] - timedelta(hours=1)) == []


def test_what_was_derived_falls_with_what_it_was_derived_from(
    store: Store, clock: ManualClock, system: Writer, writer: Writer
):
    (parent,) = write_memories(writer, [NewMemory("reference", "sees lines")])
    child = NewMemory("lesson", "so draw lines", parents=(parent.id,))
    write_memories(system, [child])
    before = clock()
    clock.advance(minutes=1)
    (other,) = write_memories(writer, [NewMemory("reference", "sees none")])
    with writing(store) as conn:
        supersede(conn, system, parent.id, other.id, clock())

    assert len(search(store, "lines")) == 0
    assert len(search(store, "lines", as_of=clock())) == 0
    assert len(search(store, "lines", as_of=before)) == 2
    assert len(search(store, "lines", Scope(include_superseded=True))) == 2
    assert len(search(store, "lines", Scope(include_superseded=True), as_of=clock())) == 2


def test_a_moment_that_was_purged_is_refused(store: Store, clock: ManualClock, ids: IdSource):
    horizon = to_micros(clock())
    with writing(store) as conn:
        conn.execute(
            text("INSERT INTO memory_purges (at, deleted, superseded, horizon) VALUES (:h,0,0,:h)"),
            {"h": horizon},
        )

    assert search(store, "slippage", as_of=clock()) == []
    with pytest.raises(InvalidInputError, match="as_of"):
        search(store, "slippage", as_of=clock() - timedelta(seconds=1))
    with pytest.raises(InvalidInputError, match="time zone"):
        search(store, "slippage", as_of=datetime(2026, 1, 1))  # noqa: DTZ001 - the point
