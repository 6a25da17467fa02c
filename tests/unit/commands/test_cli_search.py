"""The owner's door to searching, and to why something came or did not."""

from collections.abc import Callable

import pytest

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import CommandResult

Ask = Callable[..., CommandResult]


@pytest.fixture
def filled(store: Store, clock: ManualClock, writer: Writer) -> Store:
    """Two memories about gold, of different kinds, a minute apart."""
    for new in (
        NewMemory("lesson", "gold falls on Mondays", tags=("metals",), session_id="s"),
        NewMemory("fact", "holds gold in a vault", type="fact"),
    ):
        write_memories(writer, [new])
        clock.advance(minutes=1)
    return store


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ((), [2, 1]),
        (("--category", "lesson"), [1]),
        (("--type", "fact"), [2]),
        (("--tag", "metals"), [1]),
        (("--session-id", "s"), [1]),
        (("--after", "2026-01-05T00:01:00Z"), [2]),
        (("--before", "2026-01-05T00:01:00Z"), [1]),
        (("--as-of", "2026-01-05T00:00:30Z"), [1]),
        (("--limit", "1"), [2]),
    ],
)
def test_a_scope_is_given_by_options(filled: Store, command: Ask, options: tuple[str, ...], found):
    for query in ("gold", ""):
        hits = command("memory", "search", query, *options, "--json").json
        assert [hit["memory"]["id"] for hit in hits] == found


def test_a_hit_is_explained(filled: Store, command: Ask):
    (first, _) = command("memory", "search", "gold Mondays", "--explain", "--json").json

    assert first["explanation"]["arms"][0]["arm"] == "words"
    assert [term["term"] for term in first["explanation"]["terms"]] == ["gold", "mondays"]
    assert "mondays" in command("memory", "search", "gold Mondays", "--explain").out


def test_an_explanation_says_what_each_of_its_columns_means(filled: Store, command: Ask):
    for line in (("search", "gold Mondays", "--explain"), ("why", "1", "--query", "gold")):
        shown = command("memory", *line).out.splitlines()
        (columns, *_) = [one.split()[1:] for one in shown if one.startswith("arm ")]

        assert columns == ["own", "window", "session", "answer", "all"]
        for name in columns:
            assert len([one for one in shown if one.startswith(f"  {name} ")]) == 1, name


def test_why_a_memory_came_or_did_not(filled: Store, command: Ask):
    told = command("memory", "why", "1", "--query", "gold Mondays")
    assert told.out.startswith("memory 1 is number 1 of 2\n")

    told = command("memory", "why", "1", "--query", "gold", "--type", "fact")
    assert told.out.startswith("memory 1 was not found: it is not in the scope")
    assert command("memory", "why", "1", "--query", "gold", "--json").json["rank"] == 2
    assert command("memory", "why", "9", "--query", "gold").code == 1


@pytest.mark.parametrize(
    "options",
    [("--category", "diary"), ("--type", "lesson"), ("--after", "yesterday"), ("--as-of", "2026")],
)
def test_a_scope_that_is_none_is_refused(filled: Store, command: Ask, options: tuple[str, ...]):
    assert command("memory", "search", "gold", *options).code == 2


def test_what_covers_too_little_of_the_query_is_left_out(filled: Store, command: Ask):
    asked = ("memory", "search", "gold falls on Mondays", "--json")

    assert [hit["memory"]["id"] for hit in command(*asked).json] == [1, 2]
    assert [hit["memory"]["id"] for hit in command(*asked, "--min-relevance", "0.5").json] == [1]
    assert "min_relevance" in command(*asked, "--min-relevance", "7").err


def test_a_memory_that_its_neighbours_brought_says_so(command: Ask, writer: Writer):
    for one in ("How large is the hedge on copper?", "Forty lots."):
        write_memories(writer, [NewMemory("context", one, session_id="s")])

    assert "(by what stands beside it) Forty lots." in command("memory", "search", "copper").out
