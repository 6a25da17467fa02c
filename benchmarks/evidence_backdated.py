"""Decisions that say they were made before they were recorded, and know the prices in between.

A fair random walk of minutes, bars of hours, calls of a day. Each call takes the side to which the
price went since the moment that it claims. `late` waits six hours and is recorded by an agent,
which the program does not count; `owner` is the same from an owner's file, which it believes;
`in_time` waits five minutes, the longest that an agent is granted.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.patterns.family import families_of
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.operations.loop.reflect_now import reflect_now
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import role_of, skill_of
from benchmarks.answer import note
from benchmarks.evidence_made import BEGIN, DAY, HOUR, WARM, bars_of
from benchmarks.evidence_worlds import chance_of

MINUTE: Final = timedelta(minutes=1)
SIGMA: Final = 0.0006
"""Deviation of a minute."""

DAYS: Final = 240


class Waiting(NamedTuple):
    """How long after the claimed moment a call is recorded, and by whom."""

    minutes: int
    actor: Actor


WAITINGS: Final = {
    "in_time": Waiting(5, "agent"),
    "late": Waiting(360, "agent"),
    "owner": Waiting(360, "owner"),
}


def backdated(folder: Path, runs: int) -> dict[str, float]:
    """Count the roles that are told of a pattern, by how long they wait."""
    del folder  # every price is made
    measured = {}
    for name, waiting in WAITINGS.items():
        told = sum(_is_told(name, waiting, run) for run in range(runs)) / runs
        note(f"backdated {name}: told {told:.1%} of {runs} roles")
        measured[f"backdated_{name}_told"] = told
    return measured


def _is_told(name: str, waiting: Waiting, run: int) -> bool:
    chance = chance_of("backdated", name, str(run))
    moves = chance.normal(0, SIGMA, (WARM + DAYS + 3) * 1440)
    minutes = 100 * np.exp(np.cumsum(np.insert(moves, 0, 0.0)))
    book = PriceBook({Series("bench", "SOLUSDT", HOUR): bars_of(HOUR, BEGIN, minutes[::60])})
    role = role_of(max_age_hours=2 * DAYS * 24)
    registry = RoleRegistry([skill_of(role)])
    with _store() as (store, clock):
        ids = seeded_uids(1)
        for day in range(WARM, WARM + DAYS):
            claimed = BEGIN + day * DAY + 12 * HOUR
            minute = (claimed - BEGIN) // MINUTE
            has_risen = minutes[minute + waiting.minutes] > minutes[minute]
            clock.set(claimed + waiting.minutes * MINUTE)
            call = NewDecision(
                role.id,
                "A call that knows what came since.",
                asset="SOL",
                direction="long" if has_risen else "short",
                decided_at=claimed,
            )
            record_decision(store, registry, call, clock, ids, actor=waiting.actor)
        clock.advance(days=3)
        reflect_now(
            Reflector(store, registry, HeuristicJudge(), lambda _: book, clock),
            [role],
            lambda *_: None,
        )
        with reading(store) as conn:
            return any(one.was_confirmed for one in families_of(conn, role).values())


@contextmanager
def _store() -> Iterator[tuple[Store, ManualClock]]:
    with tempfile.TemporaryDirectory(prefix="afterword-bench-") as folder:
        clock = ManualClock()
        stores = Stores(Path(folder), StoreOptions("OFF"), clock, seeded_uids(1))
        try:
            yield stores.group("main", create=True), clock
        finally:
            stores.close()
