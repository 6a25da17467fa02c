"""The vector side of a search: near rows that stand, whoever changed them, and nothing worse."""

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import sqlite_vec
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading, writing
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.recall.search.model import ArmScores
from afterword.pipeline.recall.search.vector_codes import VectorCodes
from afterword.pipeline.recall.search.vectors import VectorIndex
from afterword.pipeline.testing.clock import ManualClock

DIMENSIONS = 8
FEW, INDEXED = 1_000, 3
"""Rows up to which each one is compared; with 3, every store of these tests has an index."""


@pytest.fixture
def told() -> Iterator[list[tuple[str, dict[str, Any]]]]:
    events: list[tuple[str, dict[str, Any]]] = []
    stop = listen(lambda action, facts: events.append((action, facts)))
    yield events
    stop()


Keep = Callable[..., list[int]]


@pytest.fixture
def keep(store: Store, clock: ManualClock, ids: IdSource, writer: Writer) -> Keep:
    """Write memories and a vector of a model for each; return their ids."""

    def keep(vectors: Sequence[Sequence[float]] | NDArray[Any], model_id: int = 1) -> list[int]:
        clock.advance(seconds=1)
        news = [
            NewMemory("fact", f"memory {number}", type="fact") for number in range(len(vectors))
        ]
        rows = [row.id for row in write_memories(writer, news)]
        for row_id, vector in zip(rows, vectors, strict=True):
            embed(store, row_id, vector, model_id)
        return rows

    return keep


def embed(store: Store, memory_id: int, vector: Any, model_id: int = 1) -> None:
    with writing(store) as conn:
        conn.exec_driver_sql(
            "INSERT OR IGNORE INTO embedding_models VALUES (?, 'fake', ?, ?, 0)",
            (model_id, f"model {model_id}", DIMENSIONS),
        )
        conn.exec_driver_sql(
            "INSERT OR REPLACE INTO memory_vectors (memory_id, model_id, vector) VALUES (?, ?, ?)",
            (memory_id, model_id, np.asarray(vector, "<f4").tobytes()),
        )


def edit(store: Store, *statements: str) -> None:
    with writing(store) as conn:
        for statement in statements:
            conn.exec_driver_sql(statement)


def replace(store: Store, old: int, new: int, clock: ManualClock) -> None:
    with writing(store) as conn:
        supersede(conn, Writer(store, clock, random_uid, "system"), old, new, clock())


def around(count: int, seed: int = 7) -> NDArray[np.float32]:
    """Return vectors like those of a language model: far from the origin, near each other."""
    chance = np.random.default_rng(seed)
    return (chance.normal(size=(count, DIMENSIONS)) + 2).astype(np.float32)


ASKED = around(1, seed=1)[0]


def similar(
    index: VectorIndex, store: Store, as_of: int | None = None, most: int = 5, **more: Any
) -> ArmScores:
    with reading(store) as conn:
        return index.similar(conn, 1, ASKED.astype("<f4").tobytes(), as_of, most, **more)


def found(index: VectorIndex, store: Store, **more: Any) -> list[int]:
    return similar(index, store, **more).ids.tolist()


def cosines(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(ASKED)
    return (vectors @ ASKED / lengths).astype(np.float64)


def nearest(ids: Sequence[int], vectors: NDArray[np.float32]) -> list[int]:
    return [ids[place] for place in np.argsort(-cosines(vectors))]


def test_where_rows_are_few_each_comes_with_its_exact_similarity_best_first(store, keep):
    vectors = around(20)
    rows = keep(vectors)

    answer = similar(VectorIndex(few=FEW), store, most=5)

    assert answer.ids.tolist() == nearest(rows, vectors)
    assert np.allclose(answer.scores, np.sort(cosines(vectors))[::-1], atol=1e-6)


def test_an_index_gives_the_nearest_with_their_exact_similarity(store, keep):
    vectors = around(500)
    rows = keep(vectors)
    index = VectorIndex(few=INDEXED)

    answer = similar(index, store, most=20)

    assert answer.ids.tolist() == nearest(rows, vectors)[:20]
    assert np.allclose(answer.scores, np.sort(cosines(vectors))[:-21:-1], atol=1e-6)
    assert 0 < index.nbytes < 500 * 100


def test_rows_asked_for_by_name_come_too(store, keep):
    vectors = around(100)
    rows = keep(vectors)
    order = nearest(rows, vectors)

    answer = found(VectorIndex(few=INDEXED), store, most=3, also=[order[50], order[1], 999])

    assert answer == [*order[:3], order[50]]


@pytest.mark.parametrize("few", [FEW, INDEXED])
def test_what_changes_after_the_first_search_shows_in_the_next(
    store, keep, clock, few, owner, writer
):
    rows = keep(around(30)) + keep([-ASKED])
    index = VectorIndex(few=few)
    best, second, third, *_ = found(index, store)

    delete_memory(writer, best)
    replace(store, second, rows[-1], clock)
    edit(store, f"UPDATE memories SET stale_at = 1 WHERE id = {third}")
    assert not {best, second, third} & set(found(index, store, most=30))

    restore_memory(owner, best)
    assert found(index, store)[0] == best

    (exact,) = keep([ASKED])
    assert found(index, store)[0] == exact

    embed(store, exact, -ASKED)
    embed(store, rows[-1], ASKED)
    assert found(index, store)[0] == rows[-1]
    assert found(index, store, most=30)[-1] == exact


def test_many_dead_rows_in_front_do_not_hide_the_living(store, keep):
    rows = keep(np.concatenate((np.tile(ASKED, (90, 1)), around(10))))
    index = VectorIndex(few=INDEXED)
    found(index, store)

    edit(store, f"DELETE FROM memories WHERE id <= {rows[89]}")

    assert set(found(index, store, most=10)) == set(rows[90:])


def test_a_row_kept_by_another_process_is_found(store, keep, stores, clock, ids):
    keep(around(10))
    index = VectorIndex(few=INDEXED)
    other = Stores(stores.home, StoreOptions(synchronous="NORMAL"), clock, ids)
    with reading(store) as before:
        index.similar(before, 1, ASKED.astype("<f4").tobytes(), None, 5)
        (written,) = write_memories(
            Writer(other.group("main"), clock, ids), [NewMemory("reference", "elsewhere")]
        )
        embed(other.group("main"), written.id, ASKED)
        assert found(index, store)[0] == written.id
        # A transaction that began before does not see it, whatever the index knows.
        old = index.similar(before, 1, ASKED.astype("<f4").tobytes(), None, 5)
        assert written.id not in old.ids
    other.close()


@pytest.mark.parametrize("few", [FEW, INDEXED])
def test_vectors_of_another_model_are_never_compared(store, keep, few):
    vectors = around(10)
    ours = keep(vectors)
    keep([ASKED] * 10, model_id=2)

    assert found(VectorIndex(few=few), store, most=100) == nearest(ours, vectors)


@pytest.mark.parametrize("few", [FEW, INDEXED])
def test_a_read_of_the_past_stays_as_it_was(store, keep, clock, few, writer):
    rows = keep(around(30)) + keep([-ASKED])
    moment = to_micros(clock())
    before = similar(VectorIndex(few=few), store, as_of=moment)
    clock.advance(seconds=1)

    keep(np.concatenate(([ASKED] * 20, around(200, seed=9) - 4)))
    delete_memory(writer, before.ids[0].item())
    replace(store, before.ids[1].item(), rows[-1], clock)

    after = similar(VectorIndex(few=few), store, as_of=moment)
    assert after.ids.tolist() == before.ids.tolist()
    assert after.scores.tolist() == before.scores.tolist()
    assert set(before.ids.tolist()) <= set(rows)


def test_as_few_as_were_known_then_all_come_however_many_there_are_now(store, keep, clock):
    early = keep(around(4))
    moment = to_micros(clock())
    keep(around(50, seed=3))

    assert sorted(found(VectorIndex(few=5), store, as_of=moment, most=2)) == early


@pytest.mark.parametrize("few", [1, 5, FEW])
def test_what_was_gone_by_then_is_not_found_in_the_past(store, keep, clock, few, owner, writer):
    first, second, third, fourth = keep(around(4))
    delete_memory(writer, second)
    replace(store, third, fourth, clock)
    clock.advance(seconds=1)
    moment = to_micros(clock())
    clock.advance(seconds=1)
    restore_memory(owner, second)
    keep(around(50, seed=3))

    assert sorted(found(VectorIndex(few=few), store, as_of=moment)) == [first, fourth]


@given(st.data())
def test_proposals_for_the_past_do_not_depend_on_later_rows(data):
    numbers = st.integers(-3, 3).map(float)  # few values: ties are the rule
    vector = st.lists(numbers, min_size=3, max_size=3)
    early = data.draw(st.lists(vector, min_size=1, max_size=20))
    late = data.draw(st.lists(vector, max_size=20))
    asked = np.asarray(data.draw(vector.filter(any)), np.float32)
    most = data.draw(st.integers(1, 5))
    alone, together = VectorCodes(3), VectorCodes(3)
    for codes, rows in ((alone, early), (together, early + late)):
        count = len(rows)
        known_at = np.asarray([0] * len(early) + [9] * (count - len(early)), np.int64)
        codes.add(np.arange(count), known_at, np.asarray(rows, np.float32))

    expected = alone.nearest_at(asked, most, moment=5)
    assert together.nearest_at(asked, most, moment=5).tolist() == expected.tolist()


def test_the_bits_let_the_nearest_through():
    chance = np.random.default_rng(3)
    clusters = chance.normal(size=(200, 128)) + 1.5
    rows = clusters[chance.integers(0, 200, 20_000)] + chance.normal(size=(20_000, 128))
    vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    codes = VectorCodes(128)
    for start in range(0, 20_000, 4_096):  # as they are read
        part = vectors[start : start + 4_096]
        codes.add(np.arange(start, start + len(part)), np.zeros(len(part), np.int64), part)

    kept = []
    for asked in vectors[:50] + chance.normal(size=(50, 128)).astype(np.float32) * 0.02:
        exact = np.argsort(-(vectors @ asked))[:20]
        kept.append(np.isin(exact, codes.nearest(asked, most=40, among=1_600)).mean())

    assert np.mean(kept) >= 0.98


def test_threads_share_an_index_while_rows_come(store, keep):
    keep(around(200))
    index = VectorIndex(few=INDEXED)
    failures: list[BaseException] = []

    def search() -> None:
        try:
            for _ in range(30):
                assert len(similar(index, store, most=10).ids) == 10
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    added = [keep(around(1, seed=seed))[0] for seed in range(20)]
    for thread in threads:
        thread.join()

    assert failures == []
    assert set(added) <= set(found(index, store, most=220))


@pytest.mark.parametrize("few", [FEW, INDEXED])
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE memory_vectors SET vector = x'00000000'",
        "UPDATE memory_vectors SET vector = x'0000c0'",
        f"UPDATE memory_vectors SET vector = zeroblob({4 * DIMENSIONS})",
        "UPDATE memory_vectors SET vector = CAST(replace(hex(zeroblob(8)), '00', x'0000c07f') "
        "AS BLOB)",  # not a number, eight times
        "DELETE FROM memory_vectors",
        "DROP TABLE memory_vectors",
        "UPDATE memory_vectors SET vector = x'00'; DROP TABLE memory_absences",
    ],
)
def test_damaged_vectors_are_as_good_as_none(store, keep, damage, few):
    keep(around(10))
    edit(store, *damage.split("; "))

    answer = similar(VectorIndex(few=few), store)

    assert (answer.ids.tolist(), answer.scores.tolist()) == ([], [])


@pytest.mark.parametrize("few", [FEW, INDEXED])
def test_one_bad_vector_costs_only_itself(store, keep, few):
    rows = keep(around(10))
    edit(store, f"UPDATE memory_vectors SET vector = x'00ff' WHERE memory_id = {rows[3]}")

    assert sorted(found(VectorIndex(few=few), store, most=10)) == [*rows[:3], *rows[4:]]


@pytest.mark.parametrize("few", [FEW, INDEXED])
def test_vectors_without_a_memory_are_not_found(store, keep, few):
    rows = keep(around(10))
    raw = store.writer().connection.driver_connection
    with writing(store):
        pass
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute("DELETE FROM memories WHERE id > ?", (rows[4],))
    raw.execute("PRAGMA foreign_keys = ON")

    assert sorted(found(VectorIndex(few=few), store, most=10)) == rows[:5]


def test_without_sqlite_vec_nothing_is_found_and_it_is_said_once(store, keep, told, monkeypatch):
    keep(around(10))
    monkeypatch.setattr(sqlite_vec, "loadable_path", lambda: "/nowhere/vec0")
    index = VectorIndex()

    assert [found(index, store), found(index, store)] == [[], []]
    (reason,) = [facts["reason"] for action, facts in told if action == "vectors.failed"]
    assert "pip install sqlite-vec" in reason


def test_an_index_never_holds_more_than_it_may(store, keep, told):
    keep(around(100))
    index = VectorIndex(most_bytes=1_000, few=INDEXED)

    assert [found(index, store), found(index, store)] == [[], []]
    assert index.nbytes == 0
    (reason,) = [facts["reason"] for action, facts in told if action == "vectors.failed"]
    assert "AFTERWORD_RECALL_INDEX_MB" in reason


@pytest.mark.parametrize("few", [FEW, INDEXED])
@pytest.mark.parametrize("asked", [[1.0] * 3, [0.0] * DIMENSIONS, [float("nan")] * DIMENSIONS])
def test_a_question_that_cannot_be_compared_finds_nothing(store, keep, asked, few):
    keep(around(10))

    with reading(store) as conn:
        answer = VectorIndex(few=few).similar(conn, 1, np.asarray(asked, "<f4").tobytes(), None, 5)

    assert answer.ids.tolist() == []
