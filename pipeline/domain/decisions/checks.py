"""Checks of a new decision; each error names the field that is wrong."""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from afterword.pipeline.clock import checked_moment
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.plan import DecisionPlan, check_inputs, read_plan
from afterword.pipeline.domain.memory.checks import MAX_NAME, check_text, check_word, short_repr
from afterword.pipeline.domain.memory.model import ORIGINS
from afterword.pipeline.domain.outcomes.probes import MOST_PEERS, peers_of
from afterword.pipeline.domain.skills import PeerRelative, PriceDelta, Role
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.outcome import STANCES, Stance

MAX_DECISION: Final = 20_000
"""Characters of a decision: what a model says with its reasons."""

MAX_ASSET: Final = 100

MAX_METHODS: Final = 20
MAX_METHOD: Final = 100
"""Methods that a decision may cite, and characters of the id of one."""

_DIGEST: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


class CheckedSubject(NamedTuple):
    """What a checked decision is about.

    Args:
        asset: as it is written in the decision, or in the input its role names.
        direction: neutral where no price judges it and none is given.
        plan: as given, and the rest from its inputs.
    """

    asset: str | None
    direction: Stance
    plan: DecisionPlan


def check_decision(new: NewDecision, role: Role, at: str = "") -> CheckedSubject:
    """Refuse a decision that could not be kept, or never be judged.

    Args:
        at: its place in a list, such as `decisions[3].`; prefix of field names.

    Returns:
        What it is about, and what it says of the price.

    Raises:
        InvalidInputError: the first field found to be wrong.
    """
    check_text(new.decision, MAX_DECISION, f"{at}decision")
    check_word(new.origin, ORIGINS, f"{at}origin")
    for name in ("key", "session_id", "scenario_id", "supersedes"):
        value = getattr(new, name)
        if value is not None:
            check_text(value, MAX_NAME, f"{at}{name}")
    _check_confidence(new.confidence, at)
    if new.decided_at is not None:
        checked_moment(new.decided_at, f"{at}decided_at")
    asset = _asset(new, role)
    if asset is not None:
        check_text(asset, MAX_ASSET, f"{at}asset")
    direction = _direction(new, role, at)
    if asset is None and _is_priced(role):
        accepted = f"an asset, or an input {_asset_field(role)!r} that names one"
        raise InvalidInputError(f"{at}asset", "is missing", accepted)
    _check_peers(new.inputs, asset, role, at)
    _check_methods(new.methods, at)
    if new.hint_hash is not None:
        _check_digest(new.hint_hash, f"{at}hint_hash")
    given = {name: getattr(new, name) for name in DecisionPlan._fields}
    plan = read_plan(given, new.inputs, direction, at)
    check_inputs(given, new.inputs, at)
    return CheckedSubject(asset, direction, plan)


def claimed_inputs(inputs: Mapping[str, Any], asset: str | None, role: Role) -> Mapping[str, Any]:
    """Return a decision's inputs with its asset in the field its role's probe reads."""
    return inputs if asset is None else {**inputs, _asset_field(role): asset}


def _asset(new: NewDecision, role: Role) -> str | None:
    if new.asset is not None:
        return new.asset
    named = new.inputs.get(_asset_field(role)) if isinstance(new.inputs, Mapping) else None
    return named if isinstance(named, str) else None


def _direction(new: NewDecision, role: Role, at: str) -> Stance:
    if new.direction is None and not _is_priced(role):
        return "neutral"
    if new.direction is None:
        raise InvalidInputError(f"{at}direction", "is missing", ", ".join(STANCES))
    check_word(new.direction, STANCES, f"{at}direction")
    return new.direction


def _is_priced(role: Role) -> bool:
    return isinstance(role.reflection_policy.outcome_probe, PriceDelta | PeerRelative)


def _asset_field(role: Role) -> str:
    probe = role.reflection_policy.outcome_probe
    return probe.asset_field if isinstance(probe, PriceDelta | PeerRelative) else "asset"


def _check_peers(inputs: Mapping[str, Any], asset: str | None, role: Role, at: str) -> None:
    """Refuse a decision without peers to compare it with: it could never be judged."""
    probe = role.reflection_policy.outcome_probe
    if not isinstance(probe, PeerRelative):
        return
    if probe.peers_field is None:
        if not peers_of(probe, inputs, asset):
            accepted = "another one than its role compares with"
            raise InvalidInputError(f"{at}asset", "is its own only peer", accepted)
        return
    field, accepted = f"{at}inputs.{probe.peers_field}", f"1 to {MOST_PEERS} assets beside its own"
    named = inputs.get(probe.peers_field)
    if not isinstance(named, list | tuple):
        problem = "is missing" if named is None else f"{short_repr(named)} is not a list"
        raise InvalidInputError(field, problem, accepted)
    for index, peer in enumerate(named):
        check_text(peer, MAX_ASSET, f"{field}[{index}]")
    peers = peers_of(probe, inputs, asset)
    if not 0 < len(peers) <= MOST_PEERS:
        raise InvalidInputError(field, f"names {len(peers)}", accepted)


def _check_confidence(value: object, at: str) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInputError(
            f"{at}confidence", f"is {short_repr(value)}", "a number from 0 to 1"
        )


def _check_methods(methods: object, at: str) -> None:
    accepted = f"a list of up to {MAX_METHODS} ids"
    if not isinstance(methods, list | tuple):
        raise InvalidInputError(f"{at}methods", f"{short_repr(methods)} is not a list", accepted)
    if len(methods) > MAX_METHODS:
        raise InvalidInputError(f"{at}methods", f"names {len(methods)}", accepted)
    for index, method in enumerate(methods):
        check_text(method, MAX_METHOD, f"{at}methods[{index}]")


def _check_digest(value: object, field: str) -> None:
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        problem = f"is {short_repr(value)}"
        raise InvalidInputError(field, problem, "a SHA-256 digest: 64 digits from 0-9 and a-f")
