"""What is no longer so is replaced, not overwritten; readers see what is."""

from typing import Any

import pytest

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import get_memory, read_memories
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.clock import ManualClock

CHARTS = [
    NewMemory("fact", f"prefers {period} charts", type="fact")
    for period in ("weekly", "daily", "hourly")
]


@pytest.fixture
def rows(clock: ManualClock, writer: Writer) -> list[int]:
    written = [row.id for row in write_memories(writer, CHARTS)]
    clock.advance(hours=1)
    return written


def replace(store: Store, old: int, new: int, clock: ManualClock) -> None:
    with writing(store) as conn:
        supersede(conn, Writer(store, clock, random_uid, "system"), old, new, clock())


def audited(store: Store) -> list[Any]:
    query = "SELECT object_id, detail FROM audit_log WHERE tool_call = 'memory.supersede'"
    with reading(store) as conn:
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def test_a_superseded_row_stays_with_its_successor_and_its_moment(
    store: Store, clock: ManualClock, rows: list[int]
):
    weekly, daily, hourly = rows
    replace(store, weekly, daily, clock)

    old = get_memory(store, weekly)
    assert (old.superseded_by, old.superseded_at) == (daily, clock())
    assert old.content == "prefers weekly charts"
    assert [row.id for row in read_memories(store)] == [hourly, daily]
    assert audited(store) == [(weekly, '{"superseded_by": 2}')]


def test_a_repeated_replacement_changes_nothing(store: Store, clock: ManualClock, rows: list[int]):
    replace(store, rows[0], rows[1], clock)
    first = get_memory(store, rows[0])
    clock.advance(hours=1)
    replace(store, rows[0], rows[1], clock)

    assert get_memory(store, rows[0]) == first
    assert len(audited(store)) == 1


def test_the_second_of_two_replacements_is_told_so(
    store: Store, clock: ManualClock, rows: list[int]
):
    replace(store, rows[0], rows[1], clock)

    with pytest.raises(ConflictError):
        replace(store, rows[0], rows[2], clock)
    assert get_memory(store, rows[0]).superseded_by == rows[1]


def test_replacements_never_run_in_a_circle(store: Store, clock: ManualClock, rows: list[int]):
    replace(store, rows[0], rows[1], clock)
    replace(store, rows[1], rows[2], clock)

    for old, new in ((rows[2], rows[0]), (rows[2], rows[2])):
        with pytest.raises(ConflictError):
            replace(store, old, new, clock)


def test_what_is_gone_neither_supersedes_nor_is_superseded(
    store: Store, clock: ManualClock, rows: list[int], writer: Writer
):
    delete_memory(writer, rows[0])

    for old, new in ((rows[0], rows[1]), (rows[1], rows[0]), (rows[1], 99), (99, rows[1])):
        with pytest.raises(NotFoundError):
            replace(store, old, new, clock)


def test_memories_are_read_last_updated_first_and_by_category(
    store: Store, rows: list[int], writer: Writer
):
    (lesson,) = write_memories(writer, [NewMemory("lesson", "trail stops")])

    assert [row.id for row in read_memories(store)] == [lesson.id, *reversed(rows)]
    assert [row.id for row in read_memories(store, "fact", limit=2)] == [rows[2], rows[1]]
    assert read_memories(store, "alert") == []


@pytest.mark.parametrize("limit", [0, -1, 1_001, 2**70, True, "20", None])
def test_a_limit_out_of_range_is_refused(store: Store, limit: Any):
    with pytest.raises(InvalidInputError) as caught:
        read_memories(store, limit=limit)
    assert caught.value.field == "limit"


def test_an_unknown_category_is_refused_with_the_known_ones(store: Store):
    with pytest.raises(InvalidInputError, match="trade_outcome"):
        read_memories(store, "diary")
