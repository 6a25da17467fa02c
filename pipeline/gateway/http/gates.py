"""The headroom of job gates (budgets and circuits), so that waiting jobs can go on early."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.jobs.reopen import awaited_gates, reopen_jobs
from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.gateway.budget import SPENDING_CATEGORIES, Budget
from afterword.pipeline.gateway.budget.budget import BUDGET_GATE
from afterword.pipeline.gateway.http.breaker import Breaker

UNLIMITED: Final = 2**62
"""Headroom of a closed circuit: it limits no money."""


@dataclass(frozen=True, slots=True)
class Gates:
    """The gates that this process can check.

    Args:
        budget: with this process's caps.
        breakers: by the name of their gate.
    """

    budget: Budget
    breakers: Mapping[str, Breaker]

    def headroom(self, group: str, gate: str) -> int | None:
        """Return the micro-USD that a gate admits now for a group; None for an unknown gate.

        An open circuit admits nothing, even when its probe is due: its jobs start by their own
        time (see `core.jobs.reopen`).
        """
        kind, _, name = gate.partition(":")
        if kind == BUDGET_GATE and name in SPENDING_CATEGORIES:
            return self.budget.headroom(name, group)
        breaker = self.breakers.get(gate)
        if breaker is None:
            return None
        return UNLIMITED if breaker.circuit().state == "closed" else 0


def gates_of(budget: Budget, breakers: Iterable[Breaker]) -> Gates:
    """Return the gates of a budget and of circuit breakers."""
    return Gates(budget, {breaker.gate: breaker for breaker in breakers})


def reopen_everywhere(stores: Stores, gates: Gates, clock: Clock) -> int:
    """Make jobs of every group ready whose gates have headroom; return how many."""
    ready = 0
    for name in stores.groups():
        try:
            if stores.look(name, awaited_gates):  # a group without waiting jobs is not opened
                ready += reopen_jobs(stores.group(name), partial(gates.headroom, name), clock)
        except PipelineError as error:  # one damaged group must not stop the others
            emit("jobs.unwoken", level="WARNING", group=name, error=str(error))
    return ready
