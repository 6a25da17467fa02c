"""A document loses by its length, and what stands beside it loses as much of what it lends."""

import pytest

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.testing.command import Command

ASKED = "Kestrel custody agreement Rotterdam"
SENTENCE = " The Kestrel custody agreement was signed in Rotterdam. "
UNRELATED = "The desk met, spoke of the week and went home. "


def document(chars: int, sentence: str = SENTENCE) -> str:
    half = (UNRELATED * (chars // len(UNRELATED) + 1))[: (chars - len(sentence)) // 2]
    return half + sentence + half


@pytest.mark.parametrize("chars", [1_000, 3_000, 20_000, 54_000, 99_000])
def test_a_long_memory_comes_before_neighbours_that_fit_by_it_alone(
    writer: Writer, command: Command, chars: int
):
    agent = Agent(Door(writer, begin_session(writer).handle))
    for number in range(3):
        agent.memory_write("observation", f"Before it, note {number}.")
    stored = agent.memory_write("reference", document(chars))
    for number in range(3):
        agent.memory_write("observation", f"After it, note {number}.")

    first, *others = agent.memory_search(ASKED)
    assert (first.id, first.by_neighbours) == (stored.id, False)
    assert len(others) == 4
    assert all(hit.by_neighbours for hit in others)
    assert command("memory", "search", ASKED, "--json").json[0]["memory"]["uid"] == stored.id


def test_beside_a_document_a_row_with_a_word_of_its_own_does_not_outrank_it(
    store: Store, writer: Writer
):
    lines = [document(54_000), "Rotterdam was cold.", UNRELATED, UNRELATED, "Rotterdam again."]
    write_memories(writer, [NewMemory("context", line, session_id="s") for line in lines])

    found = [hit.memory.content for hit in search(store, ASKED)]

    assert found.index(lines[0]) == 0
    assert found.index(lines[1]) < found.index(lines[2])


def test_the_longer_of_two_documents_with_the_same_words_comes_later(store: Store, writer: Writer):
    texts = [document(chars) for chars in (1_000, 4_000, 16_000, 64_000)]
    write_memories(writer, [NewMemory("reference", text) for text in texts])

    assert [len(hit.memory.content) for hit in search(store, ASKED)] == list(map(len, texts))


def test_a_short_row_with_most_of_the_words_comes_before_a_document_with_all(
    store: Store, writer: Writer
):
    write_memories(writer, [NewMemory("lesson", "The Kestrel custody agreement is dear.")])
    write_memories(writer, [NewMemory("reference", document(54_000))])

    assert [hit.memory.category for hit in search(store, ASKED)] == ["lesson", "reference"]


def test_how_much_of_a_query_a_memory_covers_does_not_depend_on_its_length(
    store: Store, writer: Writer
):
    write_memories(writer, [NewMemory("reference", document(n)) for n in (1_000, 54_000)])

    short, long = search(store, ASKED)

    assert short.score > long.score
    assert short.relevance == long.relevance > 0.8
