"""What jobs wait for, asked whether it is open: budgets and circuits, by their gates' names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.jobs.reopen import awaited_gates, reopen_jobs
from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.gateway.budget import CATEGORIES, Budget
from afterword.pipeline.gateway.budget.budget import GATE as MONEY
from afterword.pipeline.gateway.http.breaker import Breaker

ANY: Final = 2**62
"""What a closed circuit lets through: it asks for no money."""


@dataclass(frozen=True, slots=True)
class Gates:
    """The gates this process can ask.

    Args:
        budget: with this process's caps.
        breakers: by the name of their gate; a circuit that is missing cannot be asked.
    """

    budget: Budget
    breakers: Mapping[str, Breaker]

    def headroom(self, group: str, gate: str) -> int | None:
        """Return what a gate lets through now for a group (see `core.jobs.reopen`).

        A circuit whose probe is due lets nothing through by this: its jobs' own time has come.
        """
        kind, _, name = gate.partition(":")
        if kind == MONEY and name in CATEGORIES:
            return self.budget.headroom(name, group)
        breaker = self.breakers.get(gate)
        if breaker is None:
            return None
        return ANY if breaker.circuit().state == "closed" else 0


def gates_of(budget: Budget, breakers: Iterable[Breaker]) -> Gates:
    """Return the gates of a budget and of some circuits."""
    return Gates(budget, {breaker.gate: breaker for breaker in breakers})


def reopen_everywhere(stores: Stores, gates: Gates, clock: Clock) -> int:
    """Look once at what the jobs of every group wait for; return how many go on."""
    woken = 0
    for name in stores.groups():
        try:
            if stores.look(name, awaited_gates):  # the others stay closed
                woken += reopen_jobs(stores.group(name), partial(gates.headroom, name), clock)
        except PipelineError as error:  # one damaged group must not stop the others
            emit("jobs.unwoken", level="WARNING", group=name, error=str(error))
    return woken
