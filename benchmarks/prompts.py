"""How long a prompt waits for the snapshot, the brief and a page, in small and large stores."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import cycle
from statistics import median

from sqlalchemy import text

from afterword.pipeline.areas import AREAS
from afterword.pipeline.clock import from_micros, system_clock, to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import extract_edges
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.memory.model import TYPES, NewMemory
from afterword.pipeline.domain.memory.user_profile import set_profile_value
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.page.compile import Pages
from afterword.pipeline.recall.page.sections import sections_of
from afterword.pipeline.recall.prompts.brief import BriefLimits, read_brief, start_brief
from afterword.pipeline.recall.prompts.personalization import (
    read_personalization,
    start_personalization,
)
from afterword.pipeline.recall.prompts.snapshot import read_snapshot, start_snapshot
from benchmarks import texts
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.fills import api_rows
from benchmarks.host import Host, a_host
from benchmarks.timing import percentile, seconds

CHUNK = 20_000
"""Rows of one transaction that fills the store."""

FILLS = 2_000
"""Fills imported beside the memories; some 250 round trips."""

GONE = 10
"""One row in so many is superseded, and as many again are deleted."""

LIMITS = BriefLimits()
ASSETS = ("BTC", "ETH", "SOL", "DOGE", "LINK")

_SUPERSEDE = "UPDATE memories SET superseded_at = updated_at + 1 WHERE id % :gone = 3"
_DELETE = "UPDATE memories SET deleted_at = updated_at + 1 WHERE id % :gone = 7"
_ABSENT = """
INSERT INTO memory_absences (memory_id, gone_at)
SELECT id, deleted_at FROM memories WHERE deleted_at IS NOT NULL
"""
_HALF = text(
    "SELECT known_at FROM memories ORDER BY id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM memories)"
)
_FLOOR = text("SELECT category, content FROM memories ORDER BY updated_at DESC, id DESC LIMIT 50")


def ask(memories: Sequence[int], asks: int) -> Answer:
    """Ask for each surface as often in stores of each size."""
    measured: dict[str, float] = {}
    floor: dict[str, float] = {}
    targets: dict[str, Target] = {}
    for size in sorted(memories):
        with a_host("NORMAL", fleet=False) as host:
            fill_store(host, size)
            for name, call in _surfaces(host).items():
                call()  # the pages of the file are in memory
                times = [seconds(call) for _ in range(asks)]
                measured[f"{name}_{size}_p50_ms"] = median(times) * 1000
                measured[f"{name}_{size}_p99_ms"] = percentile(times, 0.99) * 1000
            bares = [seconds(lambda: _bare(host)) for _ in range(asks)]
            floor[f"select_50_{size}_p50_ms"] = median(bares) * 1000
        for name in ("snapshot", "personalization", "brief", "page"):
            targets[f"{name}_{size}_p50_ms"] = Target(at_most=5)
        note(f"prompts: {size:,} memories done")
    return Answer("prompts", measured, targets, floor, {"memories": list(memories), "asks": asks})


def _surfaces(host: Host) -> dict[str, Callable[[], object]]:
    """Return the ways a prompt is filled; a page is asked for as nobody asked before."""
    store, clock = host.store, system_clock
    now, assets, kept = clock(), cycle(ASSETS), Pages(store, clock, sections_of(AREAS))
    earlier = _half_known(host)
    old = begin_session(Writer(store, clock, random_uid)).handle

    def begun() -> str:
        return begin_session(Writer(store, clock, random_uid)).handle

    return {
        "snapshot": lambda: read_snapshot(store),
        "snapshot_begun": lambda: start_snapshot(store, begun(), clock),
        "snapshot_kept": lambda: start_snapshot(store, old, clock),
        "snapshot_as_of": lambda: read_snapshot(store, now),
        "personalization": lambda: read_personalization(store, clock()),
        "personalization_begun": lambda: start_personalization(store, begun(), clock),
        "personalization_kept": lambda: start_personalization(store, old, clock),
        "personalization_as_of": lambda: read_personalization(store, now, now),
        "brief": lambda: read_brief(store, clock, LIMITS),
        "brief_begun": lambda: start_brief(store, begun(), clock, LIMITS),
        "brief_as_of": lambda: read_brief(store, clock, LIMITS, as_of=now),
        "brief_earlier": lambda: read_brief(store, clock, LIMITS, as_of=earlier),
        "page": lambda: Pages(store, clock, sections_of(AREAS)).page(next(assets)),
        "page_kept": lambda: kept.page("BTC"),
        "page_as_of": lambda: kept.page("BTC", as_of=now),
    }


def fill_store(host: Host, size: int) -> None:
    """Fill a store as its agent and its worker would, and take some rows away again."""
    store = host.store
    news = [_typed(new) for new in texts.memories(size)]
    for start in range(0, size, CHUNK):
        part = news[start : start + CHUNK]
        written = write_memories(Writer(store, system_clock, random_uid), part)
        found = [
            (row.id, extract_edges(new.content, None))
            for row, new in zip(written, part, strict=True)
        ]
        with writing(store) as conn:
            edge_rows.keep(conn, found, to_micros(system_clock()))
    import_fills(store, parse_fills(api_rows(FILLS), "desk", "fills"), system_clock, random_uid)
    for number in range(20):
        set_profile_value(
            Writer(store, system_clock, random_uid), f"name_{number}", "a value of some words"
        )
    with writing(store) as conn:
        for statement in (_SUPERSEDE, _DELETE, _ABSENT):
            conn.execute(text(statement), {"gone": GONE})


def _half_known(host: Host) -> datetime:
    """Return the moment when the store knew half of its memories."""
    with reading(host.store) as conn:
        return from_micros(conn.execute(_HALF).scalar_one())


def _typed(new: NewMemory) -> NewMemory:
    return replace(new, type=new.category) if new.category in TYPES else new


def _bare(host: Host) -> None:
    with reading(host.store) as conn:
        conn.execute(_FLOOR).all()


def _sizes(given: str) -> list[int]:
    return [int(size) for size in given.split(",")]


if __name__ == "__main__":
    answers(
        ask,
        memories=(_sizes, "10000,100000", "memories in the store, by comma"),
        asks=(int, 200, "times each surface is asked for"),
    )
