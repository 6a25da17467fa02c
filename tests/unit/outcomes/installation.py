"""One installation as its users have it: files are imported, decisions recorded, jobs run."""

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from afterword.pipeline.clock import from_micros, iso
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.area import MEASURE_OUTCOMES
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Work
from tests.unit.outcomes.recomputed import Call


class Decided(NamedTuple):
    """A decision with the role that made it.

    Args:
        peers: assets that it is compared with, where its role compares.
    """

    role: str
    asset: str
    call: Call
    peers: tuple[str, ...] = ()

    @property
    def line(self) -> dict[str, Any]:
        """The decision as a file has it."""
        at, direction, *plan = self.call
        names = ("stop_price", "target_price", "size_usd")
        numbers = {name: plain(one) for name, one in zip(names, plan, strict=True) if one}
        return {
            "role": self.role,
            "decision": f"{direction} {self.asset}",
            "asset": self.asset,
            "direction": direction,
            "decided_at": iso(from_micros(at)),
            "inputs": {"peers": list(self.peers)} if self.peers else {},
            **numbers,
        }


def plain(number: Fraction) -> str:
    """Write a number of at most six decimals."""
    return f"{float(number):.6f}"


class Installation:
    """A home with one group, worked by the command line and by the jobs of a worker."""

    def __init__(self, home: Path, now: int) -> None:
        self.home, self.clock = home, ManualClock(from_micros(now))
        self.command = Command(home, self.clock, seeded_uids(1))
        self._files = 0

    def run(self, *line: str) -> Any:
        """Run a command that succeeds."""
        done = self.command(*line, "--json")
        assert done.code == 0, done.err or done.out
        return done.json

    def record(self, decisions: Sequence[Decided]) -> None:
        """Record decisions from a file."""
        self._files += 1
        path = self.home.with_name(f"decisions-{self._files}.jsonl")
        path.write_text("\n".join(json.dumps(one.line) for one in decisions))
        self.run("role", "record", "--file", str(path))

    def measure(self) -> None:
        """Judge what is due, then measure the ladder as its job does."""
        self.run("role", "reflect")
        settings = load(home=self.home, synchronous="NORMAL")
        context = build_context(settings, clock=self.clock, ids=seeded_uids(2))
        store = context.stores.group("main")
        with writing(store) as conn:
            add(conn, MEASURE_OUTCOMES, {}, self.clock(), key="outcomes.measure")
            promote(conn, self.clock())
            ids = [one.id for one in claim(conn, MEASURE_OUTCOMES.name, 1, self.clock())]
            leases = lease(conn, ids, "worker", self.clock, MEASURE_OUTCOMES)
        ROUTES[MEASURE_OUTCOMES.name].run(Work(context, "main", store, leases))
        context.stores.close()

    def rows(self, query: str) -> list[dict[str, Any]]:
        """Return rows of the store by name of column."""
        settings = load(home=self.home, synchronous="NORMAL")
        context = build_context(settings, clock=self.clock, ids=seeded_uids(3))
        with reading(context.stores.group("main")) as conn:
            found = [dict(row) for row in conn.exec_driver_sql(query).mappings()]
        context.stores.close()
        return found
