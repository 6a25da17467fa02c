"""What the chain of tamper evidence adds to a write, and how fast a group is checked with it."""

import time
from functools import partial
from statistics import median

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.core.store.chain.verify import check_chain
from afterword.pipeline.domain.memory.write import write_memories, write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from benchmarks import texts
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import a_host
from benchmarks.timing import seconds

ROUND = 1
"""Writes in a row before the other side has its turn: both meet the same noise."""


def ask(writes: int, bulk: int, rounds: int) -> Answer:
    """Write the same memories with and without a chain, in turn."""
    measured: dict[str, float] = {}
    for synchronous in ("FULL", "NORMAL"):
        with a_host(synchronous, fleet=False) as host:
            chained, bare = host.store, _without_chain(host.stores)
            name = synchronous.lower()
            measured[f"write_ratio_{name}"] = _writes(chained, bare, writes)
            measured[f"bulk_ratio_{name}"] = _bulks(chained, bare, bulk, rounds)
            note(f"chain {synchronous}: a write takes {measured[f'write_ratio_{name}']:.3f} x")
            started = time.process_time()
            checked = check_chain(host.stores.instance, host.store, system_clock())
            measured["rows_checked_per_s"] = checked.rows / (time.process_time() - started)
            if checked.edits:
                raise AssertionError(f"no other program wrote: {checked.edits[:3]}")
    return Answer(
        "chain",
        measured,
        targets={
            "write_ratio_full": Target(at_most=1.1),
            "bulk_ratio_full": Target(at_most=1.1),
            "bulk_ratio_normal": Target(at_most=1.1),
        },
        floor={},
        sizes={"writes": writes, "bulk": bulk, "rounds": rounds},
    )


def _writes(chained: Store, bare: Store, writes: int) -> float:
    """Return how much longer a single write takes with a chain, by the clock of the wall."""
    times: dict[Store, list[float]] = {chained: [], bare: []}
    news = texts.memories(writes)
    for start in range(0, writes, ROUND):
        # The side that begins a round meets colder caches: the two take turns at it.
        for store in (chained, bare) if start // ROUND % 2 else (bare, chained):
            by = Writer(store, system_clock, random_uid)
            times[store] += [
                seconds(partial(write_memory, by, new)) for new in news[start : start + ROUND]
            ]
    return median(times[chained]) / median(times[bare])


def _bulks(chained: Store, bare: Store, bulk: int, rounds: int) -> float:
    """Return how much longer a bulk write takes with a chain."""
    times: dict[Store, list[float]] = {chained: [], bare: []}
    news = texts.memories(bulk)
    for place in range(rounds):
        for store in (chained, bare) if place % 2 else (bare, chained):
            by = Writer(store, system_clock, random_uid)
            times[store].append(seconds(partial(write_memories, by, news)))
    return min(times[chained]) / min(times[bare])


def _without_chain(stores: Stores) -> Store:
    store = stores.group("without", create=True)
    store.chain = None
    return store


if __name__ == "__main__":
    answers(
        ask,
        writes=(int, 2_000, "writes of each side"),
        bulk=(int, 10_000, "memories of one bulk write"),
        rounds=(int, 5, "bulk writes of each side"),
    )
