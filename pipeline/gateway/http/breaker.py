"""The circuit breaker around each request: one circuit for all processes, one probe at a time."""

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
    FIRST_CIRCUIT_PAUSE_S,
    Circuit,
    CircuitName,
    cancel_probe,
    is_due,
    record_error,
    record_success,
    start_probe,
)
from afterword.pipeline.gateway.http.model import (
    AskFailedError,
    BusyError,
    RefusedError,
    SetupError,
)

_Value = TypeVar("_Value")

BreakerRule = Callable[[Circuit, datetime], Circuit]
"""Return the next state of a circuit at a moment."""

_GATE: Final = "circuit"
"""Start of the name of every gate of a service: `circuit:anthropic`."""

PROBE_CHECK_S: Final = 5.0
"""How long a caller waits before it checks the result of another caller's probe; seconds."""


POSTPONING: Final = (BusyError, NotSentError, RefusedError, SetupError)
"""Errors that concern the service: once they open the circuit, the caller waits at no cost. Any
other error may be the fault of its own request."""


class Breaker:
    """The circuit breaker of one service.

    Args:
        store: the installation's `instance.sqlite`.
        name: key of the circuit.
        clock: the real present, in a replay too, since a real service is called.
        longest_call_s: after this time a probe counts as lost and its process as dead; seconds.
        gate: what the gate of its jobs is called; the name of the service if it has one circuit.
    """

    def __init__(
        self,
        store: Store,
        name: CircuitName,
        clock: Clock,
        longest_call_s: float,
        gate: str | None = None,
    ) -> None:
        self.name, self.gate = name, f"{_GATE}:{gate or name.service}"
        self._store, self._clock = store, clock
        self._longest_call = timedelta(seconds=longest_call_s)

    def circuit(self) -> Circuit:
        """Return the circuit; one short read."""
        with reading(self._store) as conn:
            return rows.find(conn, self.name)

    def check(self) -> None:
        """Check, before a job starts, that a request could be sent.

        Raises:
            CircuitOpenError: the circuit is open, and its pause has not ended.
        """
        seen = self.circuit()
        if seen.state != "closed" and not is_due(seen, self._clock()):
            raise self._open_error(seen)

    def guard(self, call: Callable[[], _Value], *, at_once: bool = False) -> _Value:
        """Make a call unless the circuit is open, and record its result.

        Args:
            call: sends one request to the service.
            at_once: probe an open circuit before its pause ends, for a person.

        Raises:
            CircuitOpenError: nothing was sent; or the error opened the circuit and concerns every
                request, so the caller waits like all others.
            Exception: any other error of `call`; an `AskFailedError` says when to try again.
        """
        seen = self._enter(at_once)
        try:
            value = call()
        except (AskFailedError, NotSentError, RefusedError) as error:
            _, circuit = self._change(seen, partial(record_error, error))
            if circuit.state == "closed":
                raise
            is_open = self._open_error(circuit)
            if isinstance(error, POSTPONING):
                raise is_open from error
            # The request itself may be the cause: it costs an attempt, and others probe first.
            error.retry_after_s = self._pause_s(is_open) + FIRST_CIRCUIT_PAUSE_S
            raise
        except BaseException:
            # The budget refused, or an interrupt came: this says nothing about the service.
            if seen.state == "half_open":
                self._change(seen, cancel_probe)
            raise
        if seen != Circuit(epoch=seen.epoch):
            self._change(seen, record_success)
        return value

    def _enter(self, at_once: bool) -> Circuit:
        """Return the circuit under which the call may start: closed, or half open for its probe."""
        seen = self.circuit()
        if seen.state != "closed" and (at_once or is_due(seen, self._clock())):
            is_own_probe, seen = self._change(seen, partial(start_probe, self._longest_call))
            if is_own_probe:
                return seen
        if seen.state != "closed":
            raise self._open_error(seen)
        return seen

    def _change(self, seen: Circuit, rule: BreakerRule) -> tuple[bool, Circuit]:
        """Apply a rule unless the circuit has changed since; return whether, and the circuit."""
        with writing(self._store) as conn:
            now = self._clock()
            circuit = rows.find(conn, self.name)
            if circuit.epoch != seen.epoch:
                return False, circuit
            changed = rule(circuit, now)
            rows.save(conn, self.name, changed, now)
        if changed.state != circuit.state:
            self._emit_change(changed)
        return True, changed

    def _emit_change(self, circuit: Circuit) -> None:
        emit(
            "circuit.turned",
            level="WARNING" if circuit.state == "open" else "INFO",
            state=circuit.state,
            service=self.name.service,
            model=self.name.model,
            reason=circuit.reason,
        )

    def _pause_s(self, error: CircuitOpenError) -> float:
        """Return the time until a probe may be sent; seconds."""
        if error.reopens_at is None:
            return 0.0
        return (error.reopens_at - self._clock()).total_seconds()

    def _open_error(self, circuit: Circuit) -> CircuitOpenError:
        until = circuit.reopens_at
        if until is not None and circuit.state == "half_open":
            until = min(until, self._clock() + timedelta(seconds=PROBE_CHECK_S))
        when = f" until {until:%Y-%m-%dT%H:%M:%SZ}" if until else ""
        return CircuitOpenError(
            f"{self.gate} {self.name.model}{when}: {circuit.reason}", until, self.gate
        )
