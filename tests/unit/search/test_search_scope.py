"""A search finds only what its scope lets through, and what stands outside still tells."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.recall.search.model import Scope
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.ranking import LIKELY
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.recall.search.why import why
from afterword.pipeline.testing.clock import ManualClock

MARCH = datetime(2025, 3, 5, 12, tzinfo=UTC)
ROWS = (
    NewMemory("preference", "gold one", type="preference", tags=("metals", "swing")),
    NewMemory("preference", "gold two", tags=("metals",), session_id="a"),
    NewMemory("fact", "gold three", type="fact", session_id="a", occurred_at=MARCH),
    NewMemory("lesson", "gold four", tags=("Metals",), session_id="b"),
    NewMemory("reference", "silver five", session_id="b"),
)

Find = Callable[..., list[str]]


@pytest.fixture
def find(store: Store, clock: ManualClock, writer: Writer) -> Find:
    """Search a few memories, written an hour apart, and return their last words, sorted."""
    for row in ROWS:
        write_memories(writer, [row])
        clock.advance(hours=1)
    return lambda query, *how: sorted(
        hit.memory.content.split()[1] for hit in search(store, query, *how)
    )


@pytest.mark.parametrize(
    ("scope", "found"),
    [
        ({}, ["four", "one", "three", "two"]),
        ({"category": "preference"}, ["one", "two"]),
        ({"type": "preference"}, ["one"]),
        ({"tags": ["metals"]}, ["one", "two"]),
        ({"tags": ["metals", "swing"]}, ["one"]),
        ({"tags": ["metals", "nothing"]}, []),
        ({"session_id": "a"}, ["three", "two"]),
        ({"session_id": "a", "type": "fact"}, ["three"]),
        ({"before": MARCH}, []),
        ({"before": MARCH + timedelta(seconds=1)}, ["three"]),
        ({"after": MARCH, "category": "fact"}, ["three"]),
        ({"after": MARCH + timedelta(seconds=1)}, ["four", "one", "two"]),
    ],
)
def test_each_part_of_a_scope_holds(find: Find, scope: dict[str, Any], found: list[str]):
    for query in ("gold", "gold OR zzz", "gol"):  # by its terms, in the language, by its pieces
        assert [one for one in find(query, Scope(**scope)) if one != "five"] == found
    assert [one for one in find("", Scope(**scope)) if one != "five"] == found


def test_a_scope_changes_who_is_found_and_not_how_well_they_fit(find: Find, store: Store):
    find("")
    every = {hit.memory.id: hit.score for hit in search(store, "gold two")}

    for hit in search(store, "gold two", Scope(session_id="a")):
        assert hit.score == every[hit.memory.id]


def test_a_rare_kind_is_found_behind_any_number_of_others(store: Store, writer: Writer):
    news = [NewMemory("alert", "gold")] + [NewMemory("lesson", "gold")] * LIKELY
    write_memories(writer, news)

    assert [hit.memory.id for hit in search(store, "gold", Scope(category="alert"))] == [1]


def test_a_date_in_a_question_is_when_it_happened_or_became_known(find: Find, clock: ManualClock):
    assert find("what about silver or gold on March 5, 2025?", Scope(), SearchOptions(1)) == [
        "three"
    ]
    today = clock().strftime("%d %B %Y")
    assert {"five", "four", "one", "two"} <= set(find(f"what was learned on {today}?"))


@pytest.mark.parametrize(
    ("memory", "scope", "reason"),
    [
        (1, Scope(category="fact"), "not in the scope"),
        (5, Scope(), "neither it nor what stands beside it holds a term"),
    ],
)
def test_why_a_memory_did_not_come(
    find: Find, store: Store, memory: int, scope: Scope, reason: str
):
    find("")
    told = why(store, memory, "three", scope)

    assert told.rank is None
    assert reason in "; ".join(told.reasons)
