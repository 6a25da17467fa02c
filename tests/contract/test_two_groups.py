"""Two groups of one installation: whatever one holds, a reader of the other cannot tell."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest

from afterword.pipeline.areas import AREAS
from afterword.pipeline.core.jobs.inspect import counts, listing, show
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.domain.decisions.read import list_decisions, show_decision
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import extract_edges
from afterword.pipeline.domain.edges.read import edges_of_memory, neighbourhood, top_entities
from afterword.pipeline.domain.facts.read import list_events, list_facts, show_fact, standing_facts
from afterword.pipeline.domain.facts.record import record_fact
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import get_memory, read_memories
from afterword.pipeline.domain.memory.user_profile import read_profile, set_profile_value
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.read import read_sessions, show_session
from afterword.pipeline.domain.sessions.sessions import begin_session, find_session
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.recall.page.compile import Pages
from afterword.pipeline.recall.page.sections import sections_of
from afterword.pipeline.recall.prompts.brief import BriefLimits, read_brief
from afterword.pipeline.recall.prompts.snapshot import read_snapshot
from afterword.pipeline.recall.search.model import Scope
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.recall.search.vectors import VectorIndex
from afterword.pipeline.recall.search.why import why
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.embedding import HashedEmbedder

EMBEDDER: Final = HashedEmbedder(16)
INDEX: Final = VectorIndex()

READS: Final[dict[str, Callable[[Store, ManualClock], Any]]] = {
    "memories": lambda store, _: read_memories(store, limit=1_000),
    "memories, then": lambda store, now: read_memories(store, limit=1_000, as_of=now()),
    "words": lambda store, _: search(store, "BTC slippage", options=SearchOptions(explain=True)),
    "words and meaning": lambda store, _: search(
        store, "BTC slippage", options=SearchOptions(explain=True, embedder=EMBEDDER, index=INDEX)
    ),
    "pieces": lambda store, _: search(store, "lippag"),
    "the newest": lambda store, _: search(store, ""),
    "a session": lambda store, _: search(store, "BTC", Scope(session_id="monday")),
    "why": lambda store, _: why(store, 1, "BTC slippage"),
    "neighbourhood": lambda store, _: neighbourhood(store, "ticker", "BTC"),
    "entities": lambda store, _: top_entities(store),
    "edges": lambda store, _: edges_of_memory(store, 1),
    "profile": lambda store, _: read_profile(store),
    "snapshot": lambda store, _: read_snapshot(store),
    "brief": lambda store, now: read_brief(store, now, BriefLimits()),
    "page": lambda store, now: Pages(store, now, sections_of(AREAS)).page("BTC"),
    "facts": lambda store, _: (standing_facts(store), list_facts(store), list_events(store)),
    "sessions": lambda store, _: read_sessions(store),
    "decisions": lambda store, _: list_decisions(store),
    "jobs": lambda store, _: _in(store, lambda conn: (counts(conn), listing(conn, limit=1_000))),
}
"""Every way to read that takes no name of a row but one both groups have."""

BY_NAME: Final[dict[str, Callable[[Store, Any], Any]]] = {
    "memory": get_memory,
    "edges": edges_of_memory,
    "why": lambda store, named: why(store, named, "BTC"),
    "fact": lambda store, named: show_fact(store, named) if type(named) is int else _none(),
    "decision": show_decision,
    "session": lambda store, named: show_session(store, str(named)),
    "session to write in": lambda store, named: _in(
        store, lambda conn: find_session(conn, str(named))
    ),
    "job": lambda store, named: (
        _in(store, lambda conn: show(conn, named)) if type(named) is int else _none()
    ),
}
"""Every way to read that takes the name of a row."""


def _in(store: Store, read: Callable[[Any], Any]) -> Any:
    with reading(store) as conn:
        return read(conn)


def _none() -> None:
    raise NotFoundError("not a name of this sort")


@pytest.fixture
def live(clock: ManualClock, ids: IdSource) -> Callable[..., list[Any]]:
    """Let an agent live in a group: memories, edges, facts, a session, a profile, a deletion."""

    def fill(store: Store, rows: int, says: str) -> list[Any]:
        texts = [f"long BTC, watching ETH; slippage {says} {number}" for number in range(rows)]
        news = [NewMemory("context", text, type="context", session_id="monday") for text in texts]
        written = write_memories(Writer(store, clock, ids), news)
        found = [
            (row.id, extract_edges(text, None)) for row, text in zip(written, texts, strict=True)
        ]
        with writing(store) as conn:
            edge_rows.keep(conn, found, 0)
        fact = record_fact(store, NewMemory("fact", f"BTC is {says}"), clock, ids)
        delete_memory(Writer(store, clock, ids), written[-1].id)
        set_profile_value(Writer(store, clock, ids), "name", says)
        begun = begin_session(Writer(store, clock, ids))
        uids = [row.uid for row in written] + [fact.uid]
        return [*uids, begun.handle, begun.session.uid, written[-2].id, fact.id]

    return fill


@pytest.fixture
def ours(stores: Stores, live) -> Store:
    store = stores.group("ours", create=True)
    live(store, 3, "ours")
    return store


def told(store: Store, clock: ManualClock) -> dict[str, str]:
    return {name: repr(read(store, clock)) for name, read in READS.items()}


def refusal(read: Callable[[Store, Any], Any], store: Store, named: Any) -> str:
    """Return what a read says of a name, without the name."""
    try:
        found = read(store, named)
    except NotFoundError as error:
        return re.sub(re.escape(str(named)), "X", str(error))
    return repr(found)


def test_what_another_group_holds_changes_no_byte_of_any_read(stores, ours, live, clock):
    now = clock()
    before = told(ours, clock)
    live(stores.group("theirs", create=True), 300, "theirs")
    assert clock() == now

    assert told(ours, clock) == before
    assert not [name for name, said in before.items() if "theirs" in said]


def test_a_name_of_another_group_is_refused_as_one_that_never_was(stores, ours, live, ids):
    names = live(stores.group("theirs", create=True), 300, "theirs")
    never = {str: ids(), int: 10**6}

    for named in names:
        for way, read in BY_NAME.items():
            said = refusal(read, ours, named)
            assert said == refusal(read, ours, never[type(named)]), (way, named)


def test_a_read_opens_no_file_of_another_group(stores, ours, live, clock):
    """So its time says nothing of the other one either."""
    theirs = stores.group("theirs", create=True)
    live(theirs, 3, "theirs")
    before = told(ours, clock)
    theirs.close()
    for path in theirs.path.parent.glob("theirs.*"):
        path.unlink()
        path.mkdir()

    assert told(ours, clock) == before
