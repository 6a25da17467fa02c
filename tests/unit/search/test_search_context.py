"""A memory is found by itself, by what stands beside it, and by its session."""

from dataclasses import replace
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.search.model import ArmScores
from afterword.pipeline.recall.search.neighbours import LONG_CHARS, Neighbours
from afterword.pipeline.recall.search.scoring import (
    ANSWER,
    FAR,
    LESS_BY_MEANING,
    TermPostings,
    by_meaning,
    by_words,
    idf,
)
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.testing.clock import ManualClock


def places(sessions: list[int], asks: list[bool] | None = None) -> Neighbours:
    """Return the places of rows 1, 2, …, each in a session, 0 for none."""
    number = np.array([0, *sessions], np.intp)
    before, after = np.zeros_like(number), np.zeros_like(number)
    last: dict[int, int] = {}
    for row, session in enumerate(sessions, 1):
        if session:
            before[row] = last.get(session, 0)
            after[before[row]] = row if before[row] else 0
            last[session] = row
    exists = number >= 0
    exists[0] = False
    none = np.empty(0, np.int64)
    flags = np.array([False, *(asks or [False] * len(sessions))])
    return Neighbours(int(number.max()), exists, number, before, after, flags, none, none)


def held(*ids: int, weight: float = 1.0) -> TermPostings:
    return TermPostings("term", np.array(ids, np.int64), weight)


stores = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sets(st.integers(0, 10), max_size=4),
        st.booleans(),
        st.booleans(),
    ),
    min_size=1,
    max_size=25,
)


@given(stores, st.lists(st.floats(0.1, 9), min_size=11, max_size=11))
def test_every_part_is_the_sum_of_the_terms_held_there(rows, weights):
    """Row by row and term by term, as the definition says it."""
    session, holds, alive, asks = ([row[part] for row in rows] for part in range(4))
    around = places(session, asks)
    is_alive = np.array([False, *alive])
    terms = [
        held(*(i for i, one in enumerate(holds, 1) if term in one and alive[i - 1]), weight=told)
        for term, told in enumerate(weights)
    ]
    found = by_words(terms, around, is_alive)

    def has(term: int, row: int) -> bool:
        return row > 0 and term in holds[row - 1] and alive[row - 1]

    def near(row: int) -> set[int]:
        return {row, int(around.before[row]), int(around.after[row])} - {0}

    parts = {}
    for row in np.flatnonzero(is_alive).tolist():
        far = set().union(*(near(one) for one in near(row)))
        mates = {one for one, of in enumerate(session, 1) if of and of == session[row - 1]} | {row}
        parts[row] = (
            sum(told for term, told in enumerate(weights) if has(term, row)),
            sum(
                told
                * max(
                    any(has(term, one) for one in near(row)),
                    any(has(term, one) for one in far) * FAR,
                )
                for term, told in enumerate(weights)
            ),
            sum(told for term, told in enumerate(weights) if any(has(term, one) for one in mates)),
        )
    parts = {row: part for row, part in parts.items() if part[1] > 0}
    largest = [max((part[i] for part in parts.values()), default=1) or 1 for i in range(3)]
    alone = {
        row: sum(p / m for p, m in zip(part, largest, strict=True)) for row, part in parts.items()
    }
    expected = np.zeros(len(rows) + 1)
    for row, score in alone.items():
        before = int(around.before[row])
        expected[row] = score + ANSWER * alone.get(before, 0) * around.asks[before]

    assert found.ids.tolist() == list(parts)
    assert found.score == pytest.approx(expected)


def test_a_row_without_a_session_is_its_own_window_and_session():
    found = by_words([held(1)], places([0, 0]), np.array([False, True, True]))

    assert found.ids.tolist() == [1]
    assert found.score.tolist() == [0, 3, 0]


def test_a_term_everybody_holds_tells_little_but_never_less_than_nothing():
    assert idf(100, 100) > 0
    assert idf(100, 1) > idf(100, 50) > idf(100, 99)
    assert idf(100, 10) == pytest.approx(log(1 + 90.5 / 10.5))


def test_meaning_spreads_to_neighbours_and_session():
    similar = ArmScores(np.array([2, 5], np.int64), np.array([0.9, 0.5]))
    found = by_meaning(similar, 2, places([1, 1, 1, 0, 0]), np.array([False, *[True] * 5]))

    own = dict(zip(found.ids.tolist(), found.own.tolist(), strict=True))
    window = dict(zip(found.ids.tolist(), found.window.tolist(), strict=True))
    row, beside, session = LESS_BY_MEANING
    assert own == {1: 0, 2: row, 3: 0, 5: 0}  # the last of the nearest is where nearness begins
    assert window == {1: beside, 2: 0, 3: beside, 5: 0}
    assert found.session.tolist() == [session, session, session, 0]
    assert found.relevance == pytest.approx([0, (0.9 - 0.5) / (1 - 0.5), 0, 0])


def test_by_meaning_too_a_document_comes_before_what_stands_beside_it():
    similar = ArmScores(np.array([2, 4], np.int64), np.array([0.9, 0.5]))
    around = replace(places([1, 1, 0, 0]), long=np.array([2]), lengths=np.array([54_000]))
    found = by_meaning(similar, 2, around, np.array([False, *[True] * 4]))

    assert found.ids.tolist() == [1, 2, 4]
    assert found.score[2] > found.score[1] > 0
    assert found.relevance[1] == pytest.approx((0.9 - 0.5) / (1 - 0.5))


def test_a_neighbour_that_is_gone_takes_nothing_from_the_mean():
    similar = ArmScores(np.array([1, 2, 3], np.int64), np.array([0.9, 0.7, 0.5]))
    around = places([1, 1, 1])
    all_three = by_meaning(similar, 3, around, np.array([False, True, True, True]))
    without_3 = by_meaning(similar, 3, around, np.array([False, True, True, False]))

    _, beside, _ = LESS_BY_MEANING
    assert all_three.window / beside == pytest.approx([1, 1, 1])  # each has a mean of a half
    assert without_3.window / beside == pytest.approx([0.5, 1])  # row 2 has row 1 alone beside it


def test_what_answers_a_question_is_found_by_the_question(store: Store, writer: Writer):
    talk = (
        "Ann: My week was full of meetings.",
        "Bob: How large is your hedge on copper futures now?",
        "Ann: Forty lots, rolled to March.",
        "Bob: Good.",
    )
    news = [NewMemory("context", line, session_id="s") for line in talk]
    write_memories(writer, news)

    found = [hit.memory.content for hit in search(store, "size of the hedge on copper")]

    assert found[:2] == [talk[1], talk[2]]


def test_a_document_does_not_win_by_its_length(store: Store, writer: Writer):
    page = "copper futures hedge " + "and much else " * LONG_CHARS
    write_memories(writer, [NewMemory("reference", page)])
    write_memories(writer, [NewMemory("lesson", "never hedge copper with futures")])
    write_memories(writer, [NewMemory("reference", f"{page} again")])

    assert search(store, "copper futures hedge")[0].memory.category == "lesson"


def test_rows_written_by_others_take_their_places(store: Store, clock: ManualClock):
    """What this process holds of the sessions is extended row by row, and across processes too."""

    def say(text: str, session: str) -> None:
        write_memories(
            Writer(store, clock, random_uid), [NewMemory("context", text, session_id=session)]
        )

    say("alpha", "one")
    assert [hit.memory.content for hit in search(store, "alpha")] == ["alpha"]
    say("other", "two")
    say("beta", "one")
    say("gamma?", "one")
    say("delta", "one")

    assert [hit.memory.content for hit in search(store, "alpha")] == ["alpha", "beta", "gamma?"]
    assert [hit.memory.content for hit in search(store, "other")] == ["other"]
    assert {hit.memory.content for hit in search(store, "delta")} == {"beta", "gamma?", "delta"}
