"""The rule: when a service that fails is left alone, and how it comes back.

closed → open (failures in a row, a pause it asks for, a setup it refuses, refusals in a row)
open → half_open (one probe) → closed | open for longer
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.gateway.http.model import LONGEST_PAUSE_S, RefusedError, SetupError

State = Literal["closed", "open", "half_open"]

MOST_FAILURES: Final = 5
"""Failures in a row that open a circuit; until then each costs its job an attempt."""

MOST_REFUSALS: Final = 5
"""Requests refused in a row from which on the service is suspected, and not the requests."""

FIRST_PAUSE_S: Final = 15.0
MOST_DOUBLED_S: Final = 600.0
"""An open circuit doubles its pause with every probe that fails; seconds."""

REFUSALS_PAUSE_S: Final = 60.0
"""The pause after refusals does not grow: a few bad requests must not hold the good ones long."""

MOST_REASON: Final = 300
"""Characters kept of a reason."""


@dataclass(frozen=True, slots=True)
class Circuit:
    """How asking one service goes.

    Args:
        failures: in a row, while closed.
        refusals: requests it would not take, in a row.
        openings: in a row; each waits twice as long.
        reason: why it is open, in words.
        epoch: rises with every change of state; a result from before it changes nothing.
        reopens_at: when a probe may go; half open: when the probe counts as lost.
    """

    state: State = "closed"
    failures: int = 0
    refusals: int = 0
    openings: int = 0
    reason: str = ""
    epoch: int = 0
    reopens_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CircuitName:
    """Which circuit: a service and its model, as this process is set up to ask them.

    Args:
        setup: see `setup_of`; other settings begin with a closed circuit.
    """

    service: str
    model: str
    setup: str


def is_due(circuit: Circuit, now: datetime) -> bool:
    """Say whether a circuit that is not closed may be probed."""
    until = circuit.reopens_at
    # Farther away than any pause: the clock was set back since.
    return until is not None and not now < until <= now + timedelta(seconds=LONGEST_PAUSE_S)


def probed(longest_call: timedelta, circuit: Circuit, now: datetime) -> Circuit:
    """Let one request through; it counts as lost after so long."""
    epoch = circuit.epoch + 1
    return replace(circuit, state="half_open", reopens_at=now + longest_call, epoch=epoch)


def given_back(circuit: Circuit, now: datetime) -> Circuit:
    """Let the next one probe: this one asked nothing after all."""
    return replace(circuit, state="open", reopens_at=now, epoch=circuit.epoch + 1)


def answered(circuit: Circuit, _now: datetime) -> Circuit:
    """Begin anew: the service is well."""
    return Circuit(epoch=circuit.epoch + 1)


def troubled(error: UnavailableError | RefusedError, circuit: Circuit, now: datetime) -> Circuit:
    """Count what went wrong."""
    if isinstance(error, RefusedError):
        return _refused(error, circuit, now)
    return _failed(error, circuit, now)


def _refused(error: RefusedError, circuit: Circuit, now: datetime) -> Circuit:
    """Count a request it would not take; who refuses is there, so a probe closes the circuit."""
    if circuit.state != "closed":
        return Circuit(refusals=1, epoch=circuit.epoch + 1)
    refusals = circuit.refusals + 1
    if refusals < MOST_REFUSALS:
        return replace(circuit, refusals=refusals, failures=0)
    said = f"{refusals} requests in a row were refused; the last: {error}"
    return _opened(circuit, said, REFUSALS_PAUSE_S, now)


def _failed(error: UnavailableError, circuit: Circuit, now: datetime) -> Circuit:
    """Count a failure; open at once where the service says for how long, or refuses the setup."""
    failures = circuit.failures + 1
    asked_s = error.retry_after_s
    at_once = asked_s is not None or isinstance(error, SetupError)
    if circuit.state == "closed" and failures < MOST_FAILURES and not at_once:
        return replace(circuit, failures=failures)
    pause_s = min(MOST_DOUBLED_S, FIRST_PAUSE_S * 2.0 ** min(circuit.openings, 10))
    return _opened(circuit, str(error), pause_s if asked_s is None else max(asked_s, 1.0), now)


def _opened(circuit: Circuit, reason: str, pause_s: float, now: datetime) -> Circuit:
    return Circuit(
        "open",
        openings=circuit.openings + 1,
        reason=reason[:MOST_REASON],
        epoch=circuit.epoch + 1,
        reopens_at=now + timedelta(seconds=pause_s),
    )
