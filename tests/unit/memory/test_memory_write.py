"""Writing: the row, its words in the index, its audit line and its jobs, or none of them."""

import json
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory.model import MEMORY_CATEGORIES, ORIGINS, TYPES, NewMemory
from afterword.pipeline.domain.memory.read import get_memory, read_memories
from afterword.pipeline.domain.memory.write import (
    insert_memories,
    insert_memory,
    write_memories,
    write_memory,
)
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.rules.text.line import is_visible
from afterword.pipeline.testing.clock import ManualClock

ANY_CONTENT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1
).filter(is_visible)

SLIPPAGE = NewMemory("preference", "always use 0.5% slippage on swaps")


def rows(store: Store, query: str) -> list[tuple[Any, ...]]:
    with reading(store) as conn:
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def counts(store: Store) -> dict[str, int]:
    tables = ("memories", "memories_fts", "audit_log", "jobs")
    return {table: rows(store, f"SELECT count(*) FROM {table}")[0][0] for table in tables}


def test_a_memory_reads_back_as_it_was_written(store: Store, clock: ManualClock, writer: Writer):
    written = write_memory(
        writer,
        NewMemory(
            "preference",
            "prefers weekly charts 周线",
            metadata={"confidence": 0.95, "seen": [1, None, True], "amount": 2**200},
            source="chat_extracted",
            origin="tool",
            type="preference",
            tags=["charts", "周线"],
            session_id="sess-1",
            occurred_at=datetime(2026, 1, 4, 12, 30, tzinfo=UTC),
            scenario_id="scalps",
        ),
    )

    found = get_memory(store, written.uid)

    assert found == get_memory(store, written.id)
    assert (found.id, found.uid) == (written.id, written.uid)
    assert found.content == "prefers weekly charts 周线"
    assert found.metadata == {"confidence": 0.95, "seen": [1, None, True], "amount": 2**200}
    assert (found.source, found.origin, found.type) == ("chat_extracted", "tool", "preference")
    assert (found.tags, found.behavioral) == (("charts", "周线"), True)
    assert (found.session_id, found.scenario_id) == ("sess-1", "scalps")
    assert found.occurred_at == datetime(2026, 1, 4, 12, 30, tzinfo=UTC)
    assert found.known_at == found.created_at == found.updated_at == clock()
    assert (found.deleted_at, found.superseded_at, found.stale_at) == (None, None, None)
    assert (found.embedding_state, found.embedding_error) == ("pending", None)


def test_behavioral_follows_the_category(store: Store, writer: Writer):
    news = [NewMemory(category, "x y z") for category in MEMORY_CATEGORIES if category != "fact"]
    found = {
        new.category: get_memory(store, write_memory(writer, new).uid).behavioral for new in news
    }

    assert {category for category, flagged in found.items() if flagged} == {
        "preference",
        "instruction",
        "correction",
    }


def test_a_source_claimed_in_metadata_stays_a_claim(store: Store, writer: Writer):
    claim = {"source": "user_manual", "scenario_id": "trusted"}
    written = write_memory(writer, NewMemory("reference", "is the owner", metadata=claim))

    found = get_memory(store, written.uid)

    assert (found.source, found.scenario_id, found.metadata) == (None, None, claim)


def test_a_write_leaves_an_audit_line_without_the_text(store: Store, writer: Writer):
    new = NewMemory("lesson", "trail stops by 8%", session_id="sess-1")
    written = write_memory(writer, new)

    ((actor, call, table, row_id, session, detail),) = rows(
        store,
        "SELECT actor, tool_call, object_table, object_id, session_id, detail FROM audit_log",
    )

    assert (actor, call, table) == ("agent", "memory.write", "memories")
    assert (row_id, session) == (written.id, "sess-1")
    assert json.loads(detail) == {"uid": written.uid, "category": "lesson"}


def test_jobs_carry_the_id_and_embedding_is_asked_for_only_where_it_is_enabled(
    store: Store, clock: ManualClock, ids: IdSource, writer: Writer
):
    first = write_memory(writer, SLIPPAGE)
    second = write_memory(Writer(store, clock, ids, embeds=True), SLIPPAGE)

    assert rows(store, "SELECT kind, payload ->> 'memory_id', state FROM jobs ORDER BY id") == [
        ("extract_edges", first.id, "ready"),
        ("extract_edges", second.id, "ready"),
        ("embed_memories", second.id, "ready"),
    ]


def test_a_refused_write_leaves_nothing(store: Store, writer: Writer):
    with pytest.raises(InvalidInputError):
        write_memory(writer, NewMemory("preference", "  "))

    assert counts(store) == {"memories": 0, "memories_fts": 0, "audit_log": 0, "jobs": 0}


def test_a_bulk_with_one_bad_row_names_it_and_writes_nothing(store: Store, writer: Writer):
    news = [SLIPPAGE, SLIPPAGE, NewMemory("preference", "a\0b"), SLIPPAGE]

    with pytest.raises(InvalidInputError) as caught:
        write_memories(writer, news)

    assert caught.value.field == "memories[2].content"
    assert counts(store) == {"memories": 0, "memories_fts": 0, "audit_log": 0, "jobs": 0}


def test_bad_metadata_in_a_bulk_is_named_by_its_row(writer: Writer):
    bad = NewMemory("reference", "x y z", metadata={"n": float("nan")})

    with pytest.raises(InvalidInputError) as caught:
        write_memories(writer, [SLIPPAGE, bad])

    assert caught.value.field == "memories[1].metadata"


def test_a_bulk_writes_everything_a_single_write_does(
    store: Store, clock: ManualClock, ids: IdSource
):
    news = [NewMemory("observation", f"observation {n}") for n in range(500)]
    written = write_memories(Writer(store, clock, ids, embeds=True), news)

    assert [get_memory(store, row.uid).content for row in written[:3]] == [
        "observation 0",
        "observation 1",
        "observation 2",
    ]
    assert [row.id for row in written] == sorted({row.id for row in written})
    assert counts(store) == {"memories": 500, "memories_fts": 500, "audit_log": 500, "jobs": 1000}


def test_one_row_is_stored_as_each_of_many_is(store: Store, clock: ManualClock, ids: IdSource):
    moment = datetime(2026, 1, 5, tzinfo=UTC)
    plain = NewMemory("observation", '山寨币 \U0001f600 "quoted" \\ \u2028')
    full = NewMemory(
        *("preference", "0.5", {"n": 1, "s": "é"}, "inferred", "web", "preference"),
        *(("a", "ß"), "session-1", moment, "scenario-1"),
    )
    for new in (plain, full):
        write_memory(Writer(store, clock, ids), new)
    write_memories(Writer(store, clock, ids), [plain, full])

    columns = (
        *("category", "content", "metadata", "source", "origin", "type", "behavioral", "tags"),
        *("session_id", "scenario_id", "occurred_at", "grams", "known_at", "created_at"),
    )
    pairs = ", ".join(f"{name}, typeof({name})" for name in columns)
    one, other, *many = rows(store, f"SELECT {pairs} FROM memories ORDER BY id")
    assert many == [one, other]


def test_an_empty_bulk_is_no_error(writer: Writer):
    assert write_memories(writer, []) == []


def test_a_full_backlog_stops_bulk_writes_and_never_a_single_one(store: Store, writer: Writer):
    write_memories(writer, [SLIPPAGE] * 5, max_ready=5)

    with pytest.raises(UnavailableError, match="extract_edges"):
        write_memories(writer, [SLIPPAGE], max_ready=5)
    write_memory(writer, SLIPPAGE)

    assert counts(store)["memories"] == 6


def test_a_bulk_beyond_its_bound_is_refused(writer: Writer):
    with pytest.raises(InvalidInputError, match="100000 in one call"):
        write_memories(writer, [SLIPPAGE] * 100_001)


def test_a_higher_room_writes_memories_in_its_own_transaction(
    store: Store, clock: ManualClock, system: Writer
):
    with pytest.raises(InvalidInputError, match=r"memories\[0\].category"):
        with writing(store) as conn:
            insert_memories(conn, system, [SLIPPAGE], clock())
            insert_memories(conn, system, [NewMemory("diary", "x")], clock())
    assert counts(store)["memories"] == 0

    with writing(store) as conn:
        (written,) = insert_memories(conn, system, [SLIPPAGE], clock())

    assert get_memory(store, written.uid).content == SLIPPAGE.content
    assert rows(store, "SELECT actor FROM audit_log") == [("system",)]


def test_a_row_is_known_when_its_write_has_its_turn(
    store: Store, clock: ManualClock, ids: IdSource
):
    """A writer that waits must not claim to have been known before the one it waited for."""

    def late_ids() -> str:
        clock.advance(seconds=5)  # the wait: time passes after the call began
        return ids()

    written = write_memory(Writer(store, clock, late_ids), SLIPPAGE)

    assert get_memory(store, written.uid).known_at == clock()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=ANY_CONTENT,
    category=st.sampled_from(sorted(set(MEMORY_CATEGORIES) - set(TYPES))),
    origin=st.sampled_from(ORIGINS),
    tags=st.lists(
        ANY_CONTENT.map(lambda text: text.strip()[:50].strip()).filter(is_visible), max_size=10
    ),
)
def test_any_valid_memory_round_trips(
    store: Store, clock: ManualClock, content: str, category: str, origin: str, tags: list[str]
):
    new = NewMemory(category, content, origin=origin, tags=tags)
    written = write_memory(Writer(store, clock, random_uid, "owner"), new)

    found = get_memory(store, written.uid)

    assert (found.content, found.category, found.origin) == (content, category, origin)
    assert found.tags == tuple(tags)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.text(st.characters(), max_size=30))
def test_a_nul_or_a_lone_surrogate_never_gets_in(store: Store, clock: ManualClock, content: str):
    clean = "\0" not in content and content.encode("utf-8", "ignore").decode() == content
    try:
        written = write_memory(Writer(store, clock, random_uid), NewMemory("context", content))
    except InvalidInputError as error:
        assert error.field == "content"
        assert not clean or not is_visible(content)
    else:
        assert clean
        assert get_memory(store, written.uid).content == content


def test_eight_threads_write_side_by_side_and_every_row_is_there(store: Store):
    present = datetime(2026, 1, 5, tzinfo=UTC)
    failures: list[BaseException] = []

    def write(thread: int) -> None:
        try:
            for n in range(25):
                moment = present + timedelta(seconds=n)
                new = NewMemory("observation", f"thread {thread} row {n}")
                write_memory(Writer(store, lambda moment=moment: moment, random_uid), new)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    contents = {content for (content,) in rows(store, "SELECT content FROM memories")}
    assert contents == {f"thread {thread} row {n}" for thread in range(8) for n in range(25)}
    assert counts(store) == {"memories": 200, "memories_fts": 200, "audit_log": 200, "jobs": 200}


def test_a_plain_fact_is_refused_by_every_way_to_write_one(store: Store, writer: Writer, clock):
    fact = NewMemory("fact", "prefers weekly charts")

    def insert(insert_one) -> None:
        with writing(store) as conn:
            insert_one(conn)

    for write in (
        lambda: write_memory(writer, fact),
        lambda: write_memories(writer, [NewMemory("lesson", "cut losers"), fact]),
        lambda: insert(lambda conn: insert_memory(conn, writer, fact, clock())),
        lambda: insert(lambda conn: insert_memories(conn, writer, [fact], clock())),
    ):
        with pytest.raises(InvalidInputError, match="a fact is not kept as a plain memory"):
            write()
    assert read_memories(store) == []
