"""Every hit can say why it came, and every memory why it did not."""

from datetime import timedelta

import pytest

from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.search.model import Scope
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.scoring import FAR
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.recall.search.why import why
from afterword.pipeline.testing.clock import ManualClock

TALK = ("What is the stop on gold?", "Below the low of the week.", "And silver?", "None.")


@pytest.fixture
def talk(store: Store, clock: ManualClock, writer: Writer) -> Store:
    """A conversation of four rows, a memory elsewhere, and one that is deleted."""
    news = [NewMemory("context", line, type="context", session_id="s") for line in TALK]
    news.append(NewMemory("lesson", "gold never sleeps"))
    news.append(NewMemory("context", "gold is gone", type="context"))
    write_memories(writer, news)
    clock.advance(minutes=1)
    delete_memory(writer, 6)
    return store


def test_an_explanation_adds_up_to_the_score(talk: Store):
    hits = search(talk, "stop gold", options=SearchOptions(explain=True))

    assert search(talk, "stop gold")[0].explanation is None
    for hit in hits:
        told = hit.explanation
        assert told is not None
        (words,) = told.arms
        parts = (words.own, words.window, words.session, words.answer)
        assert words.score == pytest.approx(sum(parts)) == pytest.approx(told.fused)
        assert hit.score == pytest.approx(told.fused * told.boost)
        assert sum(term.own for term in told.terms) <= sum(term.window for term in told.terms)


def test_an_explanation_names_what_each_term_gave(talk: Store):
    hits = {
        hit.memory.id: hit.explanation
        for hit in search(talk, "stop gold", options=SearchOptions(explain=True))
    }
    question, answer, two_away = hits[1], hits[2], hits[3]
    assert question and answer and two_away

    stop = question.terms[0]
    assert (stop.term, stop.own, stop.window, stop.session) == ("stop", *[stop.own] * 3)
    assert (answer.terms[0].own, answer.terms[0].window) == (0, stop.own)
    assert (two_away.terms[0].window, two_away.terms[0].session) == (FAR * stop.own, stop.own)
    assert answer.arms[0].answer > 0 == two_away.arms[0].answer
    assert [hits[row].arms[0].rank for row in (1, 2)] == [1, 2]  # type: ignore[union-attr]


def test_why_a_memory_came_is_what_the_search_says(talk: Store):
    hits = search(talk, "stop gold", options=SearchOptions(explain=True))
    for place, hit in enumerate(hits, 1):
        told = why(talk, hit.memory.uid, "stop gold")

        assert (told.rank, told.found, told.reasons) == (place, len(hits), ())
        assert told.explanation == hit.explanation


def test_why_a_memory_did_not_come(talk: Store, clock: ManualClock):
    before = clock()
    clock.advance(minutes=1)
    with writing(talk) as conn:
        supersede(conn, Writer(talk, clock, random_uid, "system"), 5, 2, clock())

    def reasons(memory: int, query: str = "gold", **options: object) -> str:
        told = why(talk, memory, query, **options)  # type: ignore[arg-type]
        assert (told.rank is None) == bool(told.reasons)
        return "; ".join(told.reasons)

    assert "deleted since 2026-01-05" in reasons(6)
    assert "memory 2 took its place" in reasons(5)
    assert reasons(5, as_of=before) == ""
    assert reasons(5, scope=Scope(include_superseded=True)) == ""
    assert "deleted since" in reasons(6, as_of=before)
    with pytest.raises(NotFoundError):
        why(talk, 1, "gold", as_of=before - timedelta(days=1))
    assert "not in the scope" in reasons(1, scope=Scope(session_id="other"))
    assert "conditions" in reasons(1, "gold NOT stop")
    assert "neither it nor" in reasons(4, "sleeps")
    with pytest.raises(NotFoundError):
        why(talk, "no-such", "gold")
    with pytest.raises(InvalidInputError, match="query"):
        why(talk, 1, " ")


def test_why_knows_of_pieces_too(talk: Store):
    told = why(talk, 1, "old?")

    assert (told.rank, told.found, told.reasons) == (2, 2, ())
    assert "neither it" in why(talk, 2, "old?").reasons[0]
