"""Which prices decisions need: to be judged, beside their peers, and over their ladder."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.decisions import due_rows
from afterword.pipeline.domain.decisions.due_rows import AssetNeed, RolePriceNeeds
from afterword.pipeline.domain.decisions.model import PARK_REASONS
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS
from afterword.pipeline.domain.prices.wanted import Need
from afterword.pipeline.domain.skills import PeerRelative, PriceDelta, Role, RoleRegistry

PRICE_REASONS: Final = frozenset(
    PARK_REASONS[reason]
    for reason in ("no_series", "no_entry", "no_exit", "too_coarse", "no_volatility")
)
"""Parking reasons that more prices may end."""


FIRST_WINDOW: Final = timedelta(hours=LADDER_HOURS[0])
LAST_WINDOW: Final = timedelta(hours=LADDER_HOURS[-1])
"""The shortest and the longest window of the ladder."""


def price_needs(
    conn: Connection, registry: RoleRegistry, now: datetime, soon: timedelta
) -> list[Need]:
    """Return the prices waiting decisions need, one entry for each spelling of an asset.

    Args:
        soon: decisions that ripen within this time count as well.
    """
    waiting = [need for role in registry for need in _of_role(conn, role, now, soon)]
    return waiting + _of_ladder(conn, registry, now)


def first_price_need(
    conn: Connection, registry: RoleRegistry, now: datetime, soon: timedelta
) -> datetime | None:
    """Return the first moment at which a decision needs prices; None if none will.

    Args:
        soon: as for `price_needs`.
    """
    lacking = due_rows.first_lacking(conn)
    moments = [_from(conn, role, now, soon) for role in registry]
    moments += [] if lacking is None else [from_micros(lacking) + FIRST_WINDOW]
    return min((moment for moment in moments if moment is not None), default=None)


def _of_ladder(conn: Connection, registry: RoleRegistry, now: datetime) -> list[Need]:
    """Return the needs of decisions with a window that passed, but could not be measured."""
    needs = due_rows.assets_lacking(conn)
    for role in registry:
        probe = role.reflection_policy.outcome_probe
        if isinstance(probe, PeerRelative):
            needs += _ladder_peers(conn, role.id, probe)
    return [
        Need(name, from_micros(first), min(now, from_micros(last) + LAST_WINDOW), FIRST_WINDOW)
        for name, first, last in needs
    ]


def _ladder_peers(conn: Connection, role_id: str, probe: PeerRelative) -> list[AssetNeed]:
    if probe.peers_field is not None:
        return due_rows.peers_lacking(conn, role_id, probe.peers_field)
    span = due_rows.span_lacking(conn, role_id)
    return [] if span is None else [AssetNeed(peer, *span) for peer in probe.peers]


def _from(conn: Connection, role: Role, now: datetime, soon: timedelta) -> datetime | None:
    policy = role.reflection_policy
    if not isinstance(policy.outcome_probe, PriceDelta | PeerRelative):
        return None
    oldest = to_micros(now - policy.max_age)
    decided_at = due_rows.first_waiting(conn, role.id, oldest, sorted(PRICE_REASONS))
    return None if decided_at is None else from_micros(decided_at) + policy.min_age - soon


def _of_role(conn: Connection, role: Role, now: datetime, soon: timedelta) -> list[Need]:
    policy = role.reflection_policy
    probe = policy.outcome_probe
    if not isinstance(probe, PriceDelta | PeerRelative):
        return []
    ripe, oldest = now + soon - policy.min_age, now - policy.max_age
    waiting = RolePriceNeeds(role.id, to_micros(ripe), to_micros(oldest), sorted(PRICE_REASONS))
    assets = due_rows.assets_waiting(conn, waiting)
    if isinstance(probe, PeerRelative) and assets:
        assets += _peers(conn, waiting, probe, assets)
    window = timedelta(hours=probe.window_hours)
    return [
        # The trend before the decision is measured over one window.
        Need(asset.name, from_micros(asset.first), from_micros(asset.last) + window, window)
        for asset in assets
    ]


def _peers(
    conn: Connection, waiting: RolePriceNeeds, probe: PeerRelative, own: list[AssetNeed]
) -> list[AssetNeed]:
    if probe.peers_field is not None:
        return due_rows.peers_waiting(conn, waiting, probe.peers_field)
    first, last = min(asset.first for asset in own), max(asset.last for asset in own)
    return [AssetNeed(peer, first, last) for peer in probe.peers]
