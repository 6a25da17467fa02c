"""What the schema itself guarantees, whoever writes."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory
from afterword.pipeline.domain.memory.model import (
    MEMORY_CATEGORIES,
    ORIGINS,
    SOURCES,
    TYPES,
    NewMemory,
)
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import ConflictError, NotFoundError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.clock import ManualClock


def execute(store: Store, sql: str, *values: Any) -> None:
    with writing(store) as conn:
        conn.exec_driver_sql(sql, values)


def check_index(conn: Connection) -> None:
    """Compare every word of the index with the rows; rank 0 would miss drift."""
    conn.exec_driver_sql(
        "INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)"
    )


def indexed(store: Store, word: str) -> int:
    query = "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH ?"
    with reading(store) as conn:
        found: int = conn.exec_driver_sql(query, (word,)).scalar_one()
        return found


@pytest.fixture
def written(writer: Writer) -> int:
    return write_memory(writer, NewMemory("reference", "owns a ledger")).id


@pytest.mark.parametrize(
    "change",
    [
        "category = 'diary'",
        "type = 'diary'",
        "type = 'preference'",  # while the category is fact
        "source = 'user_turn'",
        "origin = 'nowhere'",
        "behavioral = 1",  # while a fact is not
        "content = ''",
        "metadata = '{'",
        "tags = 'btc'",
        "embedding_state = 'lost'",
        "embedding_state = 'failed'",  # without a reason
        "superseded_by = id",
        "superseded_at = NULL, superseded_by = 1",
        "uid = NULL",
        "known_at = 'yesterday'",
    ],
)
def test_a_row_that_means_nothing_cannot_be_stored(store: Store, written: int, change: str):
    with pytest.raises(IntegrityError):
        execute(store, f"UPDATE memories SET {change} WHERE id = ?", written)


@pytest.mark.parametrize(
    ("column", "words"),
    [("category", MEMORY_CATEGORIES), ("origin", ORIGINS), ("source", SOURCES), ("type", TYPES)],
)
def test_the_schema_knows_the_same_words_as_the_model(
    store: Store, column: str, words: tuple[str, ...]
):
    with reading(store) as conn:
        sql = conn.exec_driver_sql("SELECT sql FROM sqlite_schema WHERE name = 'memories'").scalar()
    listed = str(sql).split(f"CHECK ({column} IN")[1].split("))")[0]

    assert {word.strip(" '\n(),") for word in listed.split(",")} == set(words)


@pytest.mark.parametrize("sql", ["UPDATE audit_log SET actor = 'owner'", "DELETE FROM audit_log"])
def test_the_audit_log_only_grows(store: Store, written: int, sql: str):
    with pytest.raises(IntegrityError, match="only grows"):
        execute(store, sql)


def test_a_changed_text_changes_the_index_and_a_changed_state_does_not_touch_it(
    store: Store, written: int
):
    with reading(store) as conn:
        before = conn.exec_driver_sql("SELECT id, block FROM memories_fts_data").all()
    execute(store, "UPDATE memories SET embedding_state = 'embedded', updated_at = 0")
    with reading(store) as conn:
        assert conn.exec_driver_sql("SELECT id, block FROM memories_fts_data").all() == before

    execute(store, "UPDATE memories SET content = 'owns a notebook'")

    assert (indexed(store, "ledger"), indexed(store, "notebook")) == (0, 1)


def test_a_purged_row_takes_its_words_edges_vectors_and_absences_along(store: Store, written: int):
    for sql in (
        "INSERT INTO memory_edges (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type, "
        "known_at, created_at) VALUES ('memories', ?, 'ticker', 'BTC', 'mentions', 0, 0)",
        "INSERT INTO embedding_models VALUES (1, 'fake', 'model', 1, ?)",
        "INSERT INTO memory_vectors (memory_id, model_id, vector) VALUES (?, 1, x'00000000')",
        "INSERT INTO memory_absences (memory_id, gone_at) VALUES (?, 0)",
        "DELETE FROM memories WHERE id = ?",
    ):
        execute(store, sql, written)

    with writing(store) as conn:
        for table in ("memories_fts", "memory_edges", "memory_vectors", "memory_absences"):
            assert conn.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0
        check_index(conn)


def test_a_purged_successor_leaves_the_old_row_superseded(
    store: Store, written: int, writer: Writer
):
    successor = write_memory(writer, NewMemory("reference", "owns two ledgers")).id
    execute(
        store,
        "UPDATE memories SET superseded_by = ?, superseded_at = 1 WHERE id = ?",
        successor,
        written,
    )
    execute(store, "DELETE FROM memories WHERE id = ?", successor)

    with reading(store) as conn:
        row = conn.exec_driver_sql("SELECT superseded_by, superseded_at FROM memories").one()
    assert tuple(row) == (None, 1)


STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "delete", "restore", "purge", "edit"]), st.integers(0, 9)),
    max_size=25,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(STEPS)
def test_the_index_holds_the_words_of_the_rows_after_any_life(
    store: Store, clock: ManualClock, steps: list[tuple[str, int]]
):
    for action, number in steps:
        _act(store, clock, action, number)
    with writing(store) as conn:
        check_index(conn)


def _act(store: Store, clock: ManualClock, action: str, number: int) -> None:
    new = NewMemory("fact", f"fact number {number} 事实", type="fact", tags=[f"tag{number}"])
    acts: dict[str, Callable[[], object]] = {
        "write": lambda: write_memory(Writer(store, clock, random_uid), new),
        "delete": lambda: delete_memory(Writer(store, clock, random_uid), number),
        "restore": lambda: restore_memory(Writer(store, clock, random_uid, "owner"), number),
        "purge": lambda: execute(store, "DELETE FROM memories WHERE id = ?", number),
        "edit": lambda: execute(
            store, "UPDATE memories SET content = content || ' more' WHERE id = ?", number
        ),
    }
    with suppress(NotFoundError, ConflictError):  # there may be nothing to delete or to restore
        acts[action]()
