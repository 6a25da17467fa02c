"""Outcome probes: measure whether a decision was right.

A role declares one as a value (`PriceDelta`, `PeerRelative`, `Custom`, `Manual`); `Probes` turns
the declaration and a decision into an `Outcome`. Probes only read.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, ClassVar, Final, Protocol

from afterword.pipeline.clock import EPOCH
from afterword.pipeline.domain.outcomes.gather import gather
from afterword.pipeline.domain.prices.feed import PriceSource, asset_of, refuse_future
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.outcome import Outcome, Stance, judged, unknown
from afterword.pipeline.rules.market.track import Track, relative_change, relative_moves
from afterword.pipeline.rules.market.volatility import FEWEST_MOVES, Costs, Move, sigma
from afterword.pipeline.rules.market.windows import due_at

MOST_PEERS: Final = 20


@dataclass(frozen=True, slots=True)
class Claim:
    """The part of a decision that a probe reads.

    Args:
        inputs: the recorded inputs of the decision, with its asset among them.
        stance: the move it expected of the price.
        decided_at: aware.
    """

    inputs: Mapping[str, Any]
    stance: Stance
    decided_at: datetime


@dataclass(frozen=True, slots=True)
class PriceDelta:
    """Judge by the price of one asset over a window.

    Args:
        asset_field: the input that names the asset, in any written form.
        window_hours: real hours from the decision on.
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
    return [one for one in named if own_key is None or _key(one) != own_key]


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
        match spec:
            case Manual():
                return unknown("no_mark", "waits for a person's mark: afterword role mark")
            case Custom():
                due = due_at(claim.decided_at, spec.window_hours)
                refuse_future(due, known_by)
                return self.custom[spec.probe_id].outcome(claim, due, known_by)
            case PriceDelta():
                return _price_delta(spec, claim, prices, known_by)
            case PeerRelative():
                return _peer_relative(spec, claim, prices, known_by)

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


def _price_delta(
    spec: PriceDelta, claim: Claim, prices: PriceSource, known_by: datetime
) -> Outcome:
    found = _tracks(spec, claim, [claim.inputs.get(spec.asset_field)], prices, known_by)
    if isinstance(found, Outcome):
        return found
    (track,) = found
    return _judged(spec, claim, track, track.moves(), track.change)


def _peer_relative(
    spec: PeerRelative, claim: Claim, prices: PriceSource, known_by: datetime
) -> Outcome:
    own = claim.inputs.get(spec.asset_field)
    peers = peers_of(spec, claim.inputs, own)
    if not 0 < len(peers) <= MOST_PEERS:
        return unknown("no_asset", f"the decision names no 1 to {MOST_PEERS} peers")
    found = _tracks(spec, claim, [own, *peers], prices, known_by)
    if isinstance(found, Outcome):
        return found
    track, *others = found
    moves, change = relative_moves(track, others), relative_change(track, others)
    return _judged(spec, claim, track, moves, change)


def _judged(
    spec: PriceDelta | PeerRelative,
    claim: Claim,
    track: Track,
    recent: Sequence[Move],
    change: Decimal,
) -> Outcome:
    window = timedelta(hours=spec.window_hours)
    one_sigma = sigma(recent, window)
    if one_sigma is None:  # beside peers: if few of their closes share a moment
        why = f"fewer than {FEWEST_MOVES} moves of {track.symbol} before the decision"
        return unknown("no_volatility", why, track.entry)
    return judged(
        claim.stance,
        change,
        one_sigma,
        spec.costs,
        track.entry,
        track.exit,
        beside_peers=isinstance(spec, PeerRelative),
    )


def _tracks(
    spec: PriceDelta | PeerRelative,
    claim: Claim,
    assets: Sequence[object],
    prices: PriceSource,
    known_by: datetime,
) -> list[Track] | Outcome:
    """Return the track of every asset, or the first unknown outcome."""
    due = due_at(claim.decided_at, spec.window_hours)
    found = []
    for asset in assets:
        if not isinstance(asset, str) or not asset.strip():
            return unknown("no_asset", f"the decision's {spec.asset_field} names no asset")
        track = gather(prices, asset, claim.decided_at, due, known_by)
        if isinstance(track, Outcome):
            return track
        found.append(track)
    return found


def _key(asset: object) -> str | None:
    return asset_of(asset) if isinstance(asset, str) else None
