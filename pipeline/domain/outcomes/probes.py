"""Outcome probes: measure whether a decision was right.

A role declares one as a value (`PriceDelta`, `PeerRelative`, `Custom`, `Manual`); `Probes` turns
the declaration and a decision into an `Outcome`. Probes only read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar, Final, Protocol

from afterword.pipeline.clock import EPOCH, from_micros
from afterword.pipeline.domain.outcomes.measure import OutcomeMeasurers
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject
from afterword.pipeline.domain.outcomes.obstacles import OutcomeObstacle
from afterword.pipeline.domain.outcomes.told import outcome_of
from afterword.pipeline.domain.prices.feed import PriceSource, asset_of, refuse_future
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.outcome import Outcome, Stance, unknown
from afterword.pipeline.rules.market.volatility import Costs
from afterword.pipeline.rules.market.windows import due_at

MOST_PEERS: Final = 20


@dataclass(frozen=True, slots=True)
class Claim:
    """The part of a decision that a probe reads.

    Args:
        inputs: the recorded inputs of the decision, with its asset among them.
        stance: the move it expected of the price.
        decided_at: aware.
        stop_price: where it would give up; with `target_price`, its plan.
        size_usd: value of its position, leverage included.
        leverage: of its position; no outcome depends on it.
    """

    inputs: Mapping[str, Any]
    stance: Stance
    decided_at: datetime
    stop_price: Decimal | None = None
    target_price: Decimal | None = None
    size_usd: Decimal | None = None
    leverage: Decimal | None = None


@dataclass(frozen=True, slots=True)
class PriceDelta:
    """Judge by the price of one asset over a window.

    Args:
        asset_field: the input that names the asset, in any written form.
        window_hours: real hours from the entry on, the first price at or after the decision.
    """

    window_hours: int
    asset_field: str = "asset"
    costs: Costs = field(default=Costs())
    kind: ClassVar[str] = "price_delta"


@dataclass(frozen=True, slots=True)
class PeerRelative:
    """Judge by how one asset did beside the mean of its peers.

    Args:
        peers: assets compared with, in any written form.
        peers_field: the input that lists them, where each decision names its own.
    """

    window_hours: int
    peers: tuple[str, ...] = ()
    peers_field: str | None = None
    asset_field: str = "asset"
    costs: Costs = field(default=Costs())
    kind: ClassVar[str] = "peer_relative"


@dataclass(frozen=True, slots=True)
class Custom:
    """Judge by a registered probe.

    Args:
        probe_id: its name in the registry; an unknown one stops the start.
        window_hours: when its outcome is due.
    """

    probe_id: str
    window_hours: int
    kind: ClassVar[str] = "custom"


@dataclass(frozen=True, slots=True)
class Manual:
    """Judge by a person's mark alone."""

    kind: ClassVar[str] = "manual"


ProbeSpec = PriceDelta | PeerRelative | Custom | Manual


def peers_of(spec: PeerRelative, inputs: Mapping[str, Any], own: object) -> list[Any]:
    """Return the peers of an asset, as its role or its decision names them, without itself."""
    named = inputs.get(spec.peers_field) if spec.peers_field else spec.peers
    if not isinstance(named, list | tuple):
        return []
    own_key = _key(own)
    return [peer for peer in named if own_key is None or _key(peer) != own_key]


def named_peers(spec: PeerRelative, inputs: Mapping[str, Any], own: object) -> list[str]:
    """Return the peers of an asset; empty if they are not 1 to `MOST_PEERS` names."""
    peers = peers_of(spec, inputs, own)
    return peers if len(peers) <= MOST_PEERS and all(map(_is_name, peers)) else []


class OutcomeProbe(Protocol):
    """Answers whether a decision was right; register it under a name for `Custom`."""

    def outcome(self, claim: Claim, due: datetime, known_by: datetime) -> Outcome:
        """Return the outcome of a decision from what was known by a moment not before `due`.

        Return `unknown("no_answer", why)` if there is none, now or ever.
        """
        ...


@dataclass(frozen=True, slots=True)
class Probes:
    """All outcome probes, chosen once at the composition root.

    Args:
        custom: registered probes by name.
    """

    custom: Mapping[str, OutcomeProbe] = field(default_factory=dict)

    def check(self, specs: Iterable[ProbeSpec]) -> None:
        """Refuse declarations that can never be measured; called at start.

        Raises:
            InvalidInputError: the first of them.
        """
        for spec in specs:
            self._check(spec)

    def outcome(
        self, spec: ProbeSpec, claim: Claim, prices: PriceSource, known_by: datetime
    ) -> Outcome:
        """Return the outcome of a decision; unknown, with the reason, if it cannot be measured.

        Raises:
            LookAheadError: it is not due by `known_by`; `due_at` says when it is.
        """
        answer = self.measure(spec, claim, OutcomeMeasurers(prices, known_by))
        if isinstance(answer, MeasuredOutcome):
            return outcome_of(answer, is_beside=is_beside(spec))
        return answer

    def measure(
        self,
        spec: ProbeSpec,
        claim: Claim,
        measurers: OutcomeMeasurers,
        decision_id: int = 0,
    ) -> MeasuredOutcome | Outcome:
        """Return what was measured of a decision; an outcome where no price tells it.

        Args:
            measurers: of one read; decisions of one role share their prices.
            decision_id: its row id.

        Raises:
            LookAheadError: it is not due by the moment of the measurers.
        """
        known_by = measurers.known_by
        match spec:
            case Manual():
                return unknown("no_mark", "waits for a person's mark: afterword role mark")
            case Custom():
                due = due_at(claim.decided_at, spec.window_hours)
                refuse_future(due, known_by)
                return self.custom[spec.probe_id].outcome(claim, due, known_by)
            case PriceDelta() | PeerRelative():
                refuse_future(due_at(claim.decided_at, spec.window_hours), known_by)
                subject = subject_of(spec, claim, decision_id)
                if isinstance(subject, Outcome):
                    return subject
                peers = _peers(spec, claim)
                if isinstance(peers, Outcome):
                    return peers
                (measured,) = measurers.at(spec.costs).over(subject, (spec.window_hours,), peers)
                return _unknown(measured) if isinstance(measured, OutcomeObstacle) else measured

    def _check(self, spec: ProbeSpec) -> None:
        if isinstance(spec, Manual):
            return
        due_at(EPOCH, spec.window_hours)
        if isinstance(spec, Custom) and spec.probe_id not in self.custom:
            known = ", ".join(sorted(self.custom)) or "none is registered"
            raise InvalidInputError("probe_id", f"no outcome probe {spec.probe_id!r}", known)
        if isinstance(spec, PriceDelta | PeerRelative):
            _check_priced(spec)
        if isinstance(spec, PeerRelative):
            _check_peers(spec)


def _check_priced(spec: PriceDelta | PeerRelative) -> None:
    if not _is_name(spec.asset_field):
        raise InvalidInputError("asset_field", "is not a name", "the input that names the asset")
    if not isinstance(spec.costs, Costs):
        raise InvalidInputError("costs", f"are of type {type(spec.costs).__name__}", "Costs")


def _check_peers(spec: PeerRelative) -> None:
    if bool(spec.peers) == bool(spec.peers_field):
        problem = "are named twice or not at all"
        raise InvalidInputError("peers", problem, "either peers or peers_field")
    if spec.peers_field is not None:
        if not _is_name(spec.peers_field):
            raise InvalidInputError(
                "peers_field", "is not a name", "the input that lists the peers"
            )
        return
    if not isinstance(spec.peers, tuple | list):
        accepted = "a tuple of text; one alone needs its comma: (one,)"
        raise InvalidInputError("peers", f"are of type {type(spec.peers).__name__}", accepted)
    if len(spec.peers) > MOST_PEERS or not all(map(_is_name, spec.peers)):
        accepted = f"1 to {MOST_PEERS} markets, as text"
        raise InvalidInputError("peers", "are too many, or not all are names", accepted)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def is_beside(spec: ProbeSpec) -> bool:
    """Return whether a probe compares an asset with its peers."""
    return isinstance(spec, PeerRelative)


def subject_of(
    spec: PriceDelta | PeerRelative, claim: Claim, decision_id: int
) -> Subject | Outcome:
    """Return what is measured of a decision; unknown if it names no asset."""
    asset = claim.inputs.get(spec.asset_field)
    if not isinstance(asset, str) or not asset.strip():
        return unknown("no_asset", f"the decision's {spec.asset_field} names no asset")
    return Subject(
        "decision",
        decision_id,
        asset,
        claim.stance,
        claim.decided_at,
        claim.stop_price,
        claim.target_price,
        claim.size_usd,
    )


def _unknown(obstacle: OutcomeObstacle) -> Outcome:
    reason, why, again_at = obstacle
    return unknown(reason, why, None if again_at is None else from_micros(again_at))


def _peers(spec: PriceDelta | PeerRelative, claim: Claim) -> list[str] | Outcome:
    if isinstance(spec, PriceDelta):
        return []
    peers = named_peers(spec, claim.inputs, claim.inputs.get(spec.asset_field))
    return peers or unknown("no_asset", f"the decision names no 1 to {MOST_PEERS} peers")


def _key(asset: object) -> str | None:
    return asset_of(asset) if isinstance(asset, str) else None
