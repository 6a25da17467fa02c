"""What was derived from a memory goes stale with it, however far down, in the same transaction."""

from collections.abc import Callable, Sequence

import pytest

from pipeline.errors import InvalidInputError, NotFoundError
from pipeline.memory.delete import delete_memory, retire
from pipeline.memory.model import NewMemory
from pipeline.memory.read import get_memory, read_memories
from pipeline.memory.supersede import supersede
from pipeline.memory.write import insert_memories, write_memory
from pipeline.store import Store, writing

Derive = Callable[..., int]


@pytest.fixture
def derive(store: Store, clock, ids) -> Derive:
    """Write a memory the system derived from others, and return its id."""

    def write(*parents: int) -> int:
        new = NewMemory("lesson", "derived", origin="system", parents=parents)
        with writing(store) as conn:
            return insert_memories(conn, [new], clock(), ids)[0].id

    return write


def stale(store: Store, ids: Sequence[int]) -> list[int]:
    return [row_id for row_id in ids if get_memory(store, row_id).stale_at is not None]


def test_a_chain_goes_stale_to_its_end(store, clock, derive: Derive):
    parent = derive()
    child = derive(parent)
    grandchild = derive(child)
    other = derive()

    with writing(store) as conn:
        retire(conn, parent, clock(), {})

    assert stale(store, [child, grandchild, other]) == [child, grandchild]


def test_a_diamond_goes_stale_once_and_a_circle_ends(store, clock, derive: Derive):
    top = derive()
    left, right = derive(top), derive(top)
    bottom = derive(left, right)
    with writing(store) as conn:
        conn.exec_driver_sql("INSERT INTO memory_parents VALUES (?, ?)", (top, bottom))
        retire(conn, left, clock(), {})

    assert stale(store, [right, bottom, top]) == [right, bottom, top]


def test_a_successor_stands_though_it_names_what_it_replaces(store, clock, derive: Derive):
    old = derive()
    child = derive(old)
    new = derive(old)
    of_new = derive(new)

    with writing(store) as conn:
        supersede(conn, old, new, clock())

    assert stale(store, [child, new, of_new]) == [child]


def test_what_is_derived_from_a_fallen_row_is_stale_from_the_start(store, clock, derive: Derive):
    parent = derive()
    with writing(store) as conn:
        retire(conn, parent, clock(), {})

    assert stale(store, [derive(parent)])


def test_no_reader_sees_a_stale_row(store, clock, ids, derive: Derive):
    parent = write_memory(store, NewMemory("fact", "ETH is held", type="fact"), clock, ids)
    child = derive(parent.id)
    assert [row.id for row in read_memories(store)] == [child, parent.id]

    delete_memory(store, parent.id, clock)

    assert read_memories(store) == []


def test_nothing_is_derived_from_a_row_that_is_gone(store, derive: Derive):
    with pytest.raises(NotFoundError, match="memory 99 is gone"):
        derive(99)

    assert read_memories(store) == []


@pytest.mark.parametrize("actor", ["agent", "owner"])
def test_only_the_system_names_parents(store, clock, ids, actor):
    with pytest.raises(InvalidInputError, match="parents"):
        write_memory(store, NewMemory("lesson", "mine", parents=[1]), clock, ids, actor=actor)
