"""The relevance of a hit says how much of the query it covers, so that nothing fits shows."""

import pytest

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.recall.search.near_words import edits_between
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search

TALK = (
    "Melanie: I painted the lake at sunrise last week.",
    "Caroline: How lovely! Did you frame it?",
    "Melanie: Yes, in oak.",
    "Caroline: My sister moved to Lisbon and opened a bakery.",
    "Melanie: The funding rate on ETH perps was negative again.",
)


@pytest.fixture
def talk(store: Store, writer: Writer) -> Store:
    write_memories(writer, [NewMemory("context", one, session_id="s1") for one in TALK])
    return store


def relevance(store: Store, query: str) -> float:
    return max((hit.relevance for hit in search(store, query)), default=0.0)


def test_a_question_that_a_memory_covers_is_told_from_one_that_none_does(talk: Store):
    covered = relevance(talk, "When did Melanie paint the lake at sunrise?")
    partly = relevance(talk, "When did Melanie adopt a puppy from the shelter?")

    assert covered > 0.6
    assert partly < 0.3
    assert relevance(talk, "zebra crossing regulations") == 0


def test_the_share_is_that_of_the_information_so_a_rare_word_counts_more(talk: Store):
    assert relevance(talk, "Lisbon puppies") > relevance(talk, "Melanie puppies")


def test_a_row_that_has_nothing_of_the_query_itself_is_said_to_come_by_its_neighbours(talk: Store):
    hits = {hit.memory.content: hit for hit in search(talk, "painted lake sunrise")}

    assert not hits[TALK[0]].by_neighbours
    assert hits[TALK[1]].by_neighbours
    assert hits[TALK[1]].relevance < hits[TALK[0]].relevance


def test_only_what_covers_enough_is_returned(talk: Store):
    query = "painted lake sunrise"
    every = search(talk, query)
    some = search(talk, query, options=SearchOptions(min_relevance=0.6))

    assert [hit.memory.id for hit in some] == [
        hit.memory.id for hit in every if hit.relevance >= 0.6
    ]
    assert 0 < len(some) < len(every)
    assert search(talk, query, options=SearchOptions(min_relevance=1)) == []


@pytest.mark.parametrize("least", [-0.1, 1.5, float("nan"), "0.5", True])
def test_a_least_relevance_that_is_no_share_is_refused(talk: Store, least: object):
    with pytest.raises(InvalidInputError, match="min_relevance"):
        search(talk, "lake", options=SearchOptions(min_relevance=least))


@pytest.mark.parametrize("misspelt", ["Lisben", "Libson", "lisboan", "LISBN"])
def test_a_misspelt_name_finds_its_near_words_where_nothing_else_does(talk: Store, misspelt: str):
    (hit, *_) = search(talk, misspelt)

    assert hit.memory.content == TALK[3]
    assert hit.relevance < relevance(talk, "Lisbon")


def test_a_misspelt_word_changes_nothing_where_another_word_is_found(talk: Store):
    found = [hit.memory.id for hit in search(talk, "Lisben lake")]

    assert found == [hit.memory.id for hit in search(talk, "zzzzz lake")]


def test_short_words_and_numbers_have_no_near_words(talk: Store):
    assert search(talk, "oxk") == []
    assert search(talk, "4711") == []


@pytest.mark.parametrize(
    ("one", "other", "edits"),
    [
        ("bakeri", "bakeri", 0),
        ("bakri", "bakeri", 1),
        ("abkeri", "bakeri", 1),
        ("bkar", "bakeri", 3),
    ],
)
def test_edits_are_counted(one: str, other: str, edits: int):
    assert edits_between(one, other, 3) == edits
    assert edits_between(one, other, 0) == min(edits, 1)
