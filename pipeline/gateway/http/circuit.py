"""The rules of a circuit: when it opens, and how it closes again.

closed → open (consecutive failures or refusals, a requested pause, rejected settings)
open → half_open (one probe) → closed | open for longer
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.gateway.http.model import LONGEST_PAUSE_S, RefusedError, SetupError

CircuitState = Literal["closed", "open", "half_open"]

MOST_FAILURES: Final = 5
"""Consecutive failures that open a circuit; each earlier one costs its job an attempt."""

MOST_REFUSALS: Final = 5
"""Consecutive refusals that open a circuit: the fault may be the service's, not the requests'."""

FIRST_CIRCUIT_PAUSE_S: Final = 15.0
MOST_DOUBLED_S: Final = 600.0
"""The pause of an open circuit doubles with every failed probe, up to this; seconds."""

REFUSALS_PAUSE_S: Final = 60.0
"""The pause after refusals; it does not grow, since a few bad requests must not delay good ones
long; seconds."""

MOST_REASON: Final = 300
"""Length limit of a stored reason; characters."""


@dataclass(frozen=True, slots=True)
class Circuit:
    """The state of one circuit.

    Args:
        failures: consecutive failures while closed; count.
        refusals: consecutive refused requests; count.
        openings: consecutive openings, each with twice the pause; count.
        reason: why it is open.
        epoch: rises with every change; the result of a call from an older epoch is ignored.
        reopens_at: when a probe may be sent; half open: when the probe counts as lost.
    """

    state: CircuitState = "closed"
    failures: int = 0
    refusals: int = 0
    openings: int = 0
    reason: str = ""
    epoch: int = 0
    reopens_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CircuitName:
    """The key of a circuit: a service, its model, and the settings of this process.

    Args:
        setup: digest of address and key, see `setup_of`; new settings start with a closed circuit.
    """

    service: str
    model: str
    setup: str


def is_due(circuit: Circuit, now: datetime) -> bool:
    """Return whether an open or half-open circuit may be probed."""
    until = circuit.reopens_at
    # A moment farther away than any pause means that the clock was set back since.
    return until is not None and not now < until <= now + timedelta(seconds=LONGEST_PAUSE_S)


def start_probe(longest_call: timedelta, circuit: Circuit, now: datetime) -> Circuit:
    """Let one request through; without a result it counts as lost after `longest_call`."""
    epoch = circuit.epoch + 1
    return replace(circuit, state="half_open", reopens_at=now + longest_call, epoch=epoch)


def cancel_probe(circuit: Circuit, now: datetime) -> Circuit:
    """Let the next call probe: this one sent no request."""
    return replace(circuit, state="open", reopens_at=now, epoch=circuit.epoch + 1)


def record_success(circuit: Circuit, _now: datetime) -> Circuit:
    """Close the circuit and reset its counts."""
    return Circuit(epoch=circuit.epoch + 1)


def record_error(
    error: UnavailableError | RefusedError, circuit: Circuit, now: datetime
) -> Circuit:
    """Count an error, and open the circuit at its limit."""
    if isinstance(error, RefusedError):
        return _count_refusal(error, circuit, now)
    return _count_failure(error, circuit, now)


def _count_refusal(error: RefusedError, circuit: Circuit, now: datetime) -> Circuit:
    """Count a refused request; a refused probe closes the circuit, since the service answers."""
    if circuit.state != "closed":
        return Circuit(refusals=1, epoch=circuit.epoch + 1)
    refusals = circuit.refusals + 1
    if refusals < MOST_REFUSALS:
        return replace(circuit, refusals=refusals, failures=0)
    reason = f"{refusals} requests in a row were refused; the last: {error}"
    return _open(circuit, reason, REFUSALS_PAUSE_S, now)


def _count_failure(error: UnavailableError, circuit: Circuit, now: datetime) -> Circuit:
    """Count a failure; open at once if the service names a pause or rejects the settings."""
    failures = circuit.failures + 1
    requested_s = error.retry_after_s
    at_once = requested_s is not None or isinstance(error, SetupError)
    if circuit.state == "closed" and failures < MOST_FAILURES and not at_once:
        return replace(circuit, failures=failures)
    pause_s = min(MOST_DOUBLED_S, FIRST_CIRCUIT_PAUSE_S * 2.0 ** min(circuit.openings, 10))
    if requested_s is not None:
        pause_s = max(requested_s, 1.0)
    return _open(circuit, str(error), pause_s, now)


def _open(circuit: Circuit, reason: str, pause_s: float, now: datetime) -> Circuit:
    return Circuit(
        "open",
        openings=circuit.openings + 1,
        reason=reason[:MOST_REASON],
        epoch=circuit.epoch + 1,
        reopens_at=now + timedelta(seconds=pause_s),
    )
