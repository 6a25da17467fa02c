"""Ask a service only while it answers: one circuit for all processes, one probe at a time."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final, TypeVar

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import CircuitOpenError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.http import rows
from afterword.pipeline.gateway.http.circuit import (
    FIRST_PAUSE_S,
    Circuit,
    CircuitName,
    answered,
    given_back,
    is_due,
    probed,
    troubled,
)
from afterword.pipeline.gateway.http.model import (
    AskFailedError,
    BusyError,
    RefusedError,
    SetupError,
)

Value = TypeVar("Value")

Rule = Callable[[Circuit, datetime], Circuit]
"""What becomes of a circuit at a moment."""

GATE: Final = "circuit"
"""What the name of every gate of a service begins with: `circuit:anthropic`."""

LOOK_AGAIN_S: Final = 5.0
"""How soon those who wait for another's probe ask what came of it; seconds."""


BLAMELESS: Final = (BusyError, NotSentError, RefusedError, SetupError)
"""What a service says of itself, or of all that is asked: an open circuit holds who heard it, at no
cost. Any other failure may be the question's own."""


class Breaker:
    """Stands between whoever asks and one service.

    Args:
        store: the installation's `instance.sqlite`.
        name: which circuit.
        clock: the present; in a replay too the real one, since a real service is asked.
        longest_call_s: after so long a probe counts as lost, its process as dead; seconds.
    """

    def __init__(
        self, store: Store, name: CircuitName, clock: Clock, longest_call_s: float
    ) -> None:
        self.name, self.gate = name, f"{GATE}:{name.service}"
        self._store, self._clock = store, clock
        self._longest_call = timedelta(seconds=longest_call_s)

    def circuit(self) -> Circuit:
        """Return how asking goes; one short read."""
        with reading(self._store) as conn:
            return rows.find(conn, self.name)

    def check(self) -> None:
        """Ask, before a job starts, whether its question could be asked at all.

        Raises:
            CircuitOpenError: the service is left alone.
        """
        seen = self.circuit()
        if seen.state != "closed" and not is_due(seen, self._clock()):
            raise self._held(seen)

    def guard(self, call: Callable[[], Value], *, at_once: bool = False) -> Value:
        """Make a call unless the circuit is open, and take note of how it went.

        Args:
            call: asks the service once.
            at_once: probe an open circuit without waiting, as a person may.

        Raises:
            CircuitOpenError: nothing was asked; or it would have gone like that for any question,
                and who asked may wait with the others.
            Exception: whatever else `call` raised; an `AskFailedError` says when to try again.
        """
        seen = self._enter(at_once)
        try:
            value = call()
        except (AskFailedError, NotSentError, RefusedError) as error:
            _, circuit = self._turn(seen, partial(troubled, error))
            if circuit.state == "closed":
                raise
            held = self._held(circuit)
            if isinstance(error, BLAMELESS):
                raise held from error
            # The question itself may be what the service fails at: it pays an attempt, and lets
            # others probe before it.
            error.retry_after_s = self._until(held) + FIRST_PAUSE_S
            raise
        except BaseException:
            # The budget refused, or we are interrupted: nothing is known about the service.
            if seen.state == "half_open":
                self._turn(seen, given_back)
            raise
        if seen != Circuit(epoch=seen.epoch):
            self._turn(seen, answered)
        return value

    def _enter(self, at_once: bool) -> Circuit:
        """Return the circuit as this call found it, or as its probe made it."""
        seen = self.circuit()
        if seen.state != "closed" and (at_once or is_due(seen, self._clock())):
            is_ours, seen = self._turn(seen, partial(probed, self._longest_call))
            if is_ours:
                return seen
        if seen.state != "closed":
            raise self._held(seen)
        return seen

    def _turn(self, seen: Circuit, rule: Rule) -> tuple[bool, Circuit]:
        """Change the circuit if it is still the one seen; return whether, and what it is now."""
        with writing(self._store) as conn:
            now = self._clock()
            circuit = rows.find(conn, self.name)
            if circuit.epoch != seen.epoch:
                return False, circuit
            turned = rule(circuit, now)
            rows.keep(conn, self.name, turned, now)
        if turned.state != circuit.state:
            self._tell(turned)
        return True, turned

    def _tell(self, circuit: Circuit) -> None:
        emit(
            "circuit.turned",
            level="WARNING" if circuit.state == "open" else "INFO",
            state=circuit.state,
            service=self.name.service,
            model=self.name.model,
            reason=circuit.reason,
        )

    def _until(self, held: CircuitOpenError) -> float:
        """Return the seconds that are left until a circuit reopens."""
        if held.reopens_at is None:
            return 0.0
        return (held.reopens_at - self._clock()).total_seconds()

    def _held(self, circuit: Circuit) -> CircuitOpenError:
        until = circuit.reopens_at
        if until is not None and circuit.state == "half_open":
            until = min(until, self._clock() + timedelta(seconds=LOOK_AGAIN_S))
        when = f" until {until:%Y-%m-%dT%H:%M:%SZ}" if until else ""
        return CircuitOpenError(
            f"{self.gate} {self.name.model}{when}: {circuit.reason}", until, self.gate
        )
