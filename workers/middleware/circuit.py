"""Postpone jobs whose service has an open circuit, before they start."""

from collections.abc import Mapping

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Stores
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.workers.middleware.gate import Gate


class CircuitGate(Gate):
    """Checks the circuit of the service that an actor names with its option `asks`.

    A job passes when a probe is due: the breaker inside the run then decides which call is the
    probe.
    """

    option, reason = "asks", "left_alone"

    def __init__(self, stores: Stores, clock: Clock, breakers: Mapping[str, Breaker]) -> None:
        super().__init__(stores, clock)
        self._breakers = breakers

    def check(self, wanted: str, _group: str) -> None:
        """Return if the service `wanted` may be asked, by its circuit; else raise."""
        breaker = self._breakers.get(wanted)
        if breaker is not None:
            breaker.check()
