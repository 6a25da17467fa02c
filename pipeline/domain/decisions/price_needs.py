"""Which prices decisions wait for, of their own assets and of the peers they are compared with."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.decisions import price_need_rows as awaited_rows
from afterword.pipeline.domain.decisions.model import REASONS
from afterword.pipeline.domain.decisions.price_need_rows import AssetNeed, RolePriceNeeds
from afterword.pipeline.domain.prices.wanted import Need
from afterword.pipeline.domain.skills import PeerRelative, PriceDelta, Role, RoleRegistry

PRICES_MEND: Final = frozenset(
    REASONS[reason]
    for reason in ("no_series", "no_entry", "no_exit", "too_coarse", "no_volatility")
)
"""Reasons to be parked that more prices may end."""


def awaited(conn: Connection, registry: RoleRegistry, now: datetime, soon: timedelta) -> list[Need]:
    """Return the prices that waiting decisions need, an asset once for each way it is written.

    Args:
        soon: those ripe within this time count as well.
    """
    return [need for role in registry for need in _of_role(conn, role, now, soon)]


def awaited_from(
    conn: Connection, registry: RoleRegistry, now: datetime, soon: timedelta
) -> datetime | None:
    """Return from when on any decision waits for prices; None while none will.

    Args:
        soon: as `awaited` is given it.
    """
    found = [_from(conn, role, now, soon) for role in registry]
    return min((moment for moment in found if moment is not None), default=None)


def _from(conn: Connection, role: Role, now: datetime, soon: timedelta) -> datetime | None:
    policy = role.reflection_policy
    if not isinstance(policy.outcome_probe, PriceDelta | PeerRelative):
        return None
    oldest = to_micros(now - policy.max_age)
    decided_at = awaited_rows.first(conn, role.id, oldest, sorted(PRICES_MEND))
    return None if decided_at is None else from_micros(decided_at) + policy.min_age - soon


def _of_role(conn: Connection, role: Role, now: datetime, soon: timedelta) -> list[Need]:
    policy = role.reflection_policy
    probe = policy.outcome_probe
    if not isinstance(probe, PriceDelta | PeerRelative):
        return []
    ripe, oldest = now + soon - policy.min_age, now - policy.max_age
    waiting = RolePriceNeeds(role.id, to_micros(ripe), to_micros(oldest), sorted(PRICES_MEND))
    found = awaited_rows.assets(conn, waiting)
    if isinstance(probe, PeerRelative) and found:
        found += _peers(conn, waiting, probe, found)
    window = timedelta(hours=probe.window_hours)
    return [
        # How it had moved before is measured over as long as its window.
        Need(asset.name, from_micros(asset.first), from_micros(asset.last) + window, window)
        for asset in found
    ]


def _peers(
    conn: Connection, waiting: RolePriceNeeds, probe: PeerRelative, own: list[AssetNeed]
) -> list[AssetNeed]:
    if probe.peers_field is not None:
        return awaited_rows.peers(conn, waiting, probe.peers_field)
    first, last = min(asset.first for asset in own), max(asset.last for asset in own)
    return [AssetNeed(peer, first, last) for peer in probe.peers]
