"""What was derived from a memory goes stale with it, however far down, in the same transaction."""

from collections.abc import Callable, Sequence

import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory, retire
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.parents import mark_stale
from afterword.pipeline.domain.memory.read import get_memory, read_memories
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import insert_memories, write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError, NotFoundError

Derive = Callable[..., int]


@pytest.fixture
def derive(store: Store, clock, system: Writer) -> Derive:
    """Write a memory the system derived from others, and return its id."""

    def write(*parents: int) -> int:
        new = NewMemory("lesson", "derived", origin="system", parents=parents)
        with writing(store) as conn:
            return insert_memories(conn, system, [new], clock())[0].id

    return write


def stale(store: Store, ids: Sequence[int]) -> list[int]:
    return [row_id for row_id in ids if get_memory(store, row_id).stale_at is not None]


def test_a_chain_goes_stale_to_its_end(store, clock, derive: Derive, system: Writer):
    parent = derive()
    child = derive(parent)
    grandchild = derive(child)
    other = derive()

    with writing(store) as conn:
        retire(conn, system, parent, clock(), {})

    assert stale(store, [child, grandchild, other]) == [child, grandchild]


def test_a_diamond_goes_stale_once_and_a_circle_ends(store, clock, derive: Derive, system: Writer):
    top = derive()
    left, right = derive(top), derive(top)
    bottom = derive(left, right)
    with writing(store) as conn:
        conn.exec_driver_sql("INSERT INTO memory_parents VALUES (?, ?)", (top, bottom))
        retire(conn, system, left, clock(), {})

    assert stale(store, [right, bottom, top]) == [right, bottom, top]


def test_a_successor_stands_though_it_names_what_it_replaces(
    store, clock, derive: Derive, system: Writer
):
    old = derive()
    child = derive(old)
    new = derive(old)
    of_new = derive(new)

    with writing(store) as conn:
        supersede(conn, system, old, new, clock())

    assert stale(store, [child, new, of_new]) == [child]


def test_what_is_derived_from_a_fallen_row_is_stale_from_the_start(
    store, clock, derive: Derive, system: Writer
):
    parent = derive()
    with writing(store) as conn:
        retire(conn, system, parent, clock(), {})

    assert stale(store, [derive(parent)])


def test_what_is_derived_from_what_stands_stands_whatever_else_fell(
    store, clock, derive: Derive, system: Writer
):
    fallen, standing = derive(), derive()
    derive(fallen)
    with writing(store) as conn:
        retire(conn, system, fallen, clock(), {})

    assert stale(store, [derive(standing), derive()]) == []


def test_one_fallen_parent_of_several_is_enough(store, clock, derive: Derive, system: Writer):
    first, second = derive(), derive()
    with writing(store) as conn:
        retire(conn, system, second, clock(), {})

    assert stale(store, [derive(first, second), derive(second, first), derive(first)]) == [3, 4]


def test_of_many_rows_written_at_once_each_has_its_own_parents(
    store, clock, derive: Derive, system: Writer
):
    standing, fallen = derive(), derive()
    with writing(store) as conn:
        retire(conn, system, fallen, clock(), {})
    news = [
        NewMemory("lesson", "derived", origin="system", parents=[parent])
        for parent in (standing, fallen, 99)
    ]
    with writing(store) as conn:
        written = insert_memories(conn, system, news[:2], clock())

    assert stale(store, [row.id for row in written]) == [written[1].id]
    with pytest.raises(NotFoundError, match="memory 99 is gone"), writing(store) as conn:
        insert_memories(conn, system, [news[0], news[2]], clock())


def test_many_fall_at_once_each_with_its_own(store, clock, derive: Derive):
    parents = [derive() for _ in range(3)]
    children = [derive(parent) for parent in parents]
    with writing(store) as conn:
        fell = mark_stale(conn, parents[:2], to_micros(clock()))

    assert (fell, stale(store, children)) == (children[:2], children[:2])


def test_a_stale_row_keeps_the_moment_it_went_stale(store, clock, derive: Derive, system: Writer):
    first, second = derive(), derive()
    child = derive(first, second)
    went = clock()
    for parent in (first, second):
        with writing(store) as conn:
            retire(conn, system, parent, clock(), {})
        clock.advance(hours=1)
    derive(first)  # stale from its start; the others stay as they are

    assert get_memory(store, child).stale_at == went


def test_a_row_is_stale_from_the_moment_its_parent_falls_or_it_is_written(
    store, clock, derive, system
):
    parent = derive()
    child = derive(parent)
    clock.advance(hours=1)
    fell = clock()
    with writing(store) as conn:
        retire(conn, system, parent, clock(), {})
    clock.advance(hours=1)
    late, written = derive(parent), clock()

    assert [get_memory(store, row).stale_at for row in (child, late)] == [fell, written]


def test_a_deleted_or_superseded_row_goes_stale_too(store, clock, derive: Derive, system: Writer):
    """Put back, it still stands on what fell."""
    parent, other = derive(), derive()
    deleted, replaced = derive(parent), derive(parent)
    with writing(store) as conn:
        retire(conn, system, deleted, clock(), {})
        supersede(conn, system, replaced, other, clock())
        fell = mark_stale(conn, [parent], to_micros(clock()))

    assert fell == [deleted, replaced]


def test_a_parent_named_twice_is_one(store, clock, system, writer):
    parent = write_memory(writer, NewMemory("lesson", "first")).id
    new = NewMemory("lesson", "derived", origin="system", parents=[parent, parent])
    with writing(store) as conn:
        insert_memories(conn, system, [new, new], clock())
        named = conn.exec_driver_sql("SELECT child_id, parent_id FROM memory_parents").all()

    assert named == [(2, parent), (3, parent)]


def test_what_fell_and_is_put_back_stands_though_its_children_stay_stale(
    store, derive, owner, writer
):
    parent = write_memory(writer, NewMemory("fact", "ETH is held", type="fact")).id
    child = derive(parent)
    delete_memory(writer, parent)
    restore_memory(owner, parent)

    assert [row.id for row in read_memories(store)] == [parent]
    assert stale(store, [parent, child]) == [child]


def test_no_reader_sees_a_stale_row(store, derive: Derive, writer: Writer):
    parent = write_memory(writer, NewMemory("fact", "ETH is held", type="fact"))
    child = derive(parent.id)
    assert [row.id for row in read_memories(store)] == [child, parent.id]

    delete_memory(writer, parent.id)

    assert read_memories(store) == []


def test_nothing_is_derived_from_a_row_that_is_gone(store, derive: Derive):
    with pytest.raises(NotFoundError, match="memory 99 is gone"):
        derive(99)

    assert read_memories(store) == []


@pytest.mark.parametrize("actor", ["agent", "owner"])
def test_only_the_system_names_parents(store, clock, ids, actor):
    with pytest.raises(InvalidInputError, match="parents"):
        write_memory(Writer(store, clock, ids, actor), NewMemory("lesson", "mine", parents=[1]))
