"""Postpones jobs whose service is left alone, before they start."""

from afterword.workers.middleware.gate import Gate


class CircuitGate(Gate):
    """Asks the circuit of the service an actor names with the option `asks`.

    Only a gate for the many: the job that comes just when a probe is due asks, and the breaker
    inside decides.
    """

    option, reason = "asks", "left_alone"

    def check(self, wanted: str, _group: str) -> None:
        breaker = self.context.breakers.get(wanted)
        if breaker is not None:
            breaker.check()
