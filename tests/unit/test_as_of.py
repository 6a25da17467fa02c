"""Whatever happens later, a read as of a moment returns the bytes it returned then.

A read path is one line in `PATHS`; something that can happen is one method of `World`.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.clock import to_micros
from pipeline.embedding.model import Embedder
from pipeline.facts.consolidate import consolidate_pending
from pipeline.facts.read import standing_facts
from pipeline.facts.record import record_fact
from pipeline.history.import_fills import import_fills
from pipeline.history.parse import parse_fills
from pipeline.ids import seeded_uids
from pipeline.memory import edge_rows, vector_rows
from pipeline.memory.delete import restore_memory, retire
from pipeline.memory.edge_reads import neighbourhood, top_entities
from pipeline.memory.edges import extract_edges
from pipeline.memory.model import NewMemory
from pipeline.memory.read import read_memories
from pipeline.memory.supersede import supersede
from pipeline.memory.user_profile import read_profile, set_profile_value
from pipeline.memory.write import insert_memories
from pipeline.recall.brief import BriefLimits, read_brief
from pipeline.recall.page import Pages
from pipeline.recall.search import search
from pipeline.recall.snapshot import read_snapshot
from pipeline.recall.vectors import VectorIndex
from pipeline.store import Shelf, Store, StoreOptions, reading, writing
from pipeline.testing.clock import ManualClock
from pipeline.testing.embedding import HashedEmbedder

SMALL: Final = BriefLimits(max_entries=5, max_chars=600)

PATHS: Final[dict[str, Callable[["World", datetime], str]]] = {
    "snapshot": lambda world, at: read_snapshot(world.store, at),
    "brief": lambda world, at: repr(
        read_brief(world.store, world.clock, SMALL, include_provenance=True, as_of=at)
    ),
    "page": lambda world, at: world.pages.page("BTC", as_of=at),
    "page of a market": lambda world, at: world.pages.page("SOL", as_of=at),
    "read": lambda world, at: repr(
        [_as_it_was(row) for row in read_memories(world.store, limit=100, as_of=at)]
    ),
    "profile": lambda world, at: repr(read_profile(world.store, at)),
    "search": lambda world, at: _hits(world, "BTC 90000 held", at),
    "search by meaning": lambda world, at: _hits(world, "BTC 90000 held", at, world.embedder),
    "search, newest": lambda world, at: _hits(world, "", at),
    "search, with the superseded": lambda world, at: _hits(
        world, "BTC vote", at, include_superseded=True
    ),
    "neighbourhood": lambda world, at: _about(world, at),
    "top entities": lambda world, at: repr(top_entities(world.store, as_of=at)),
    "facts": lambda world, at: repr(standing_facts(world.store, as_of=at)),
}
"""Every way to read the past, as text."""

SENTENCES: Final = (
    ("preference", "Never hold more than 5 % in BTC"),
    ("instruction", "Check the calendar before buying SOL"),
    ("fact", "BTC is held on a hardware wallet"),
    ("observation", "Sold half of the SOL position into the BTC vote"),
    ("trade_outcome", "Closed the BTC long for a loss"),
    ("lesson", "SOL breakouts fail while BTC falls"),
    ("alert", "BTC crossed 90000"),
)
TYPED: Final = {"preference", "instruction", "fact"}


class World:
    """A store, and what can happen to it; each happening takes some time.

    Each is told which row it is about by a number that is taken from those there are, and does
    nothing where no row fits.
    """

    def __init__(self, home: Path) -> None:
        self.clock, self.ids = ManualClock(), seeded_uids(1)
        self.shelf = Shelf(home, StoreOptions(synchronous="NORMAL"), self.clock, self.ids)
        self.store: Store = self.shelf.group("main", create=True)
        self.pages = Pages(self.store, self.clock)
        self.embedder, self.index = HashedEmbedder(16), VectorIndex()
        self.trips = 0

    def happen(self, name: str, number: int) -> None:
        """Let something happen a second later."""
        self.clock.advance(seconds=1)
        getattr(self, name)(number)

    def write(self, number: int) -> None:
        self._insert(number, ())

    def derive(self, number: int) -> None:
        self._insert(number, self._some(number, "superseded_at IS NULL AND deleted_at IS NULL")[:2])

    def replace(self, number: int) -> None:
        standing = "superseded_at IS NULL AND deleted_at IS NULL"
        for old in self._some(number, standing)[:1]:
            new = self._insert(number + 1, ())
            with writing(self.store) as conn:
                supersede(conn, old, new, self.clock())

    def delete(self, number: int) -> None:
        for row in self._some(number, "deleted_at IS NULL")[:1]:
            with writing(self.store) as conn:
                retire(conn, row, self.clock(), {})

    def restore(self, number: int) -> None:
        for row in self._some(number, "deleted_at IS NOT NULL")[:1]:
            restore_memory(self.store, row, self.clock)

    def set_profile(self, number: int) -> None:
        set_profile_value(self.store, f"key{number % 3}", f"value{number}", self.clock)

    def trade(self, number: int) -> None:
        """Import a round trip that lies in the past, or a part of one that makes a late page."""
        self.trips += 1
        start, tid = 1_700_000_000_000 + number * 3_600_000, 10 * self.trips
        row = {"coin": ("SOL", "BTC")[number % 2], "px": "100.0", "sz": "1.0", "dir": "x"}
        row |= {"hash": "0x0", "oid": 1, "crossed": True, "fee": "0.1", "feeToken": "USDC"}
        sides = [("B", "0.0", "0.0"), ("A", "1.0", "5.0")]
        fills = [
            row | {"side": side, "startPosition": held, "closedPnl": pnl}
            | {"time": start + 60_000 * place, "tid": tid + place}
            for place, (side, held, pnl) in enumerate(sides)
        ]  # fmt: skip
        page = fills[1:] if number % 5 == 0 else fills
        import_fills(self.store, parse_fills(page, "me", "fills"), self.clock, self.ids)
        self._extract()

    def record(self, number: int) -> None:
        """Record a fact, now and then one that was recorded before."""
        new = NewMemory("fact", f"The BTC wallet holds {number % 4} coins")
        record_fact(self.store, new, self.clock, self.ids)
        self._extract()

    def consolidate(self, _number: int) -> None:
        consolidate_pending(self.store, self.clock)

    def _insert(self, number: int, parents: tuple[int, ...]) -> int:
        category, content = SENTENCES[number % len(SENTENCES)]
        is_typed = category in TYPED and number % 2 == 0
        new = NewMemory(
            category,
            f"{content}, said {number} times",
            type=category if is_typed else None,
            origin=("agent", "web", "tool")[number % 3],
            parents=parents,
        )
        with writing(self.store) as conn:
            (written,) = insert_memories(conn, [new], self.clock(), self.ids)
        self._extract()
        return written.id

    def _extract(self) -> None:
        """Do the jobs of a write for every row that has no edges."""
        with writing(self.store) as conn:
            rows = conn.exec_driver_sql(
                "SELECT id, content FROM memories WHERE id NOT IN "
                "(SELECT src_id FROM memory_edges WHERE src_table = 'memories')"
            ).all()
            found = [(row.id, extract_edges(row.content, None)) for row in rows]
            edge_rows.keep(conn, found, to_micros(self.clock()))
            model_id = vector_rows.keep_model(conn, self.embedder, self.clock())
            ids = [row.id for row in rows]
            for one in vector_rows.unembedded(conn, ids, model_id):
                vector_rows.keep_vector(conn, one, model_id, self.embedder.vector(one.content))

    def _some(self, number: int, which: str) -> tuple[int, ...]:
        """Return the ids of the rows that fit, beginning with one that the number chooses."""
        with reading(self.store) as conn:
            query = f"SELECT id FROM memories WHERE {which} ORDER BY id"
            found = list(conn.exec_driver_sql(query).scalars())
        start = number % len(found) if found else 0
        return tuple(found[start:] + found[:start])


HAPPENINGS: Final = (
    *("write", "derive", "replace", "delete", "restore"),
    *("set_profile", "trade", "record", "consolidate"),
)
STORY: Final = st.lists(st.tuples(st.sampled_from(HAPPENINGS), st.integers(0, 30)), max_size=12)


@contextmanager
def a_world() -> Iterator[World]:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder) / "home")
        yield world
        world.shelf.close()


def _hits(
    world: World, query: str, at: datetime, embedder: Embedder | None = None, **scope: Any
) -> str:
    hits = search(
        world.store, query, as_of=at, explain=True, embedder=embedder, index=world.index, **scope
    )
    return repr(
        [(_as_it_was(hit.memory), hit.score, hit.relevance, hit.explanation) for hit in hits]
    )


def _about(world: World, at: datetime) -> str:
    found = neighbourhood(world.store, "ticker", "BTC", as_of=at)
    memories = [(_as_it_was(about.memory), about.edge_types) for about in found.memories]
    return repr((memories, found.beside))


def _as_it_was(row: Any) -> str:
    """Return what a row said, without what was noted on it later."""
    later = {"deleted_at", "superseded_by", "superseded_at", "stale_at", "embedding_state"}
    fields = {name: value for name, value in asdict(row).items() if name not in later}
    return json.dumps(fields, default=str)


@settings(max_examples=40)
@given(before=STORY, after=STORY)
def test_every_read_of_a_moment_returns_the_same_bytes_whatever_comes_later(before, after):
    with a_world() as world:
        for name, number in before:
            world.happen(name, number)
        moment = world.clock()
        then = {path: read(world, moment) for path, read in PATHS.items()}
        for name, number in after:
            world.happen(name, number)

        assert {path: read(world, moment) for path, read in PATHS.items()} == then


@settings(max_examples=20)
@given(STORY)
def test_the_present_reads_as_its_moment_will(story):
    with a_world() as world:
        for name, number in story:
            world.happen(name, number)
        now = world.clock()

        assert read_snapshot(world.store) == read_snapshot(world.store, now)
        assert world.pages.page("BTC") == world.pages.page("BTC", as_of=now)
        assert read_brief(world.store, world.clock, SMALL) == read_brief(
            world.store, world.clock, SMALL, as_of=now
        )


@pytest.mark.parametrize("name", HAPPENINGS)
def test_everything_that_can_happen_changes_what_is_read(name):
    """A property over happenings that do nothing would prove nothing."""
    with a_world() as world:
        for number in range(14):
            world.happen("write", number)
        world.happen("delete", 0)
        world.happen("set_profile", 1)
        before = {path: read(world, world.clock()) for path, read in PATHS.items()}
        world.happen(name, 7)

        assert {path: read(world, world.clock()) for path, read in PATHS.items()} != before
