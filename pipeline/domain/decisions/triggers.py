"""Triggers of a reflection: a decision that ripens, new prices; the clock is in the schedule.

A role has at most one open job under its own id, beside the job of its slot in the schedule.
Nothing here asks a model.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.domain.decisions import due_rows
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.skills import PeerRelative, Role, RoleRegistry
from afterword.pipeline.rules.market.symbols import normalise_symbol

_MICROSECOND: Final = timedelta(microseconds=1)


def on_new_write(conn: Connection, role: Role, now: datetime) -> None:
    """Reflect as soon as a decision of a role is old enough, if the role wants it so."""
    if "on_new_write" in role.reflection_policy.triggers:
        _at_next(conn, role, now)


def on_prices(
    conn: Connection, registry: RoleRegistry, symbols: Iterable[str], now: datetime
) -> list[str]:
    """Reflect on the roles whose decisions wait for new prices; called by the writer of prices.

    Decisions wait for their own asset, and ripe ones for their peers as well. Parked decisions
    become due again whatever triggers their role has.

    Args:
        symbols: markets in any written form.

    Returns:
        The roles whose jobs were added.
    """
    begun = []
    for role_id in sorted(make_due(conn, registry, symbols, now)):
        role = registry.find(role_id)
        if role is not None and "on_price_fetch" in role.reflection_policy.triggers:
            begun += [role_id] if begin(conn, role, now) else []
    return begun


def make_due(
    conn: Connection, registry: RoleRegistry, symbols: Iterable[str], now: datetime
) -> set[str]:
    """Make due whatever waits for prices of markets, and return its roles; adds no job.

    Args:
        symbols: as for `on_prices`.
    """
    assets = sorted({normalise_symbol(symbol) for symbol in symbols})
    waiting = set(due_rows.roles_waiting_for(conn, assets))
    for role_id in waiting:
        due_rows.retry_assets(conn, role_id, assets, to_micros(now))
    waiting |= {role.id for role in registry if _compare_again(conn, role, assets, now)}
    _measure_again(conn, registry, assets, now)
    return waiting


def ripe_roles(conn: Connection, registry: RoleRegistry, now: datetime) -> list[tuple[Role, int]]:
    """Return the roles that have ripe decisions and no job, with the number of decisions."""
    begun = due_rows.begun(conn, REFLECT_ENTRIES.name)
    roles = []
    for role in registry:
        ripe_at = to_micros(now - role.reflection_policy.min_age)
        ripe = due_rows.count_ripe(conn, role.id, ripe_at, to_micros(now))
        if ripe and role.id not in begun:
            roles.append((role, ripe))
    return roles


def next_pass(conn: Connection, role: Role) -> datetime | None:
    """Return when a pass over a role's decisions first finds a decision; None if none waits.

    That decision is due then, or has become too old.
    """
    policy = role.reflection_policy
    next_look = _waits_until(conn, role)
    first_known = due_rows.first_known(conn, role.id)
    moments = [] if next_look is None else [from_micros(next_look)]
    if first_known is not None:
        moments.append(from_micros(first_known) + policy.max_age)
    return min(moments, default=None)


def begin(conn: Connection, role: Role, now: datetime) -> bool:
    """Add the job that reflects on a role's decisions now; False if that job is dead."""
    return _add(conn, role, now, now)


def plan_next(
    conn: Connection, role: Role, now: datetime, *, is_full: bool, again_at: datetime | None
) -> None:
    """Add the job that goes on where a pass ended.

    Args:
        is_full: whether the pass ended at its limit: the rest is due now.
        again_at: when the first failed question is asked again.
    """
    if is_full:
        begin(conn, role, now)
    elif "on_new_write" in role.reflection_policy.triggers:
        _at_next(conn, role, now)
    elif again_at is not None:
        _add(conn, role, now, again_at)


def reflect_later(conn: Connection, role: Role, now: datetime, run_at: datetime) -> None:
    """Add a job that reflects on a role at a later moment, if any decision waits."""
    if _waits_until(conn, role) is not None:
        _add(conn, role, now, run_at)


def _measure_again(
    conn: Connection, registry: RoleRegistry, assets: Sequence[str], now: datetime
) -> None:
    """Make outcomes due that lacked prices: of these assets (by key), or of peers of theirs."""
    moment = to_micros(now)
    due_rows.make_due(conn, assets, moment)
    for role in registry:
        probe = role.reflection_policy.outcome_probe
        if not isinstance(probe, PeerRelative):
            continue
        known = {normalise_symbol(peer) for peer in probe.peers}
        if probe.peers_field is not None or not known.isdisjoint(assets):
            due_rows.make_role_due(conn, role.id, moment)


def _compare_again(conn: Connection, role: Role, assets: Sequence[str], now: datetime) -> bool:
    """Make decisions that are compared with assets (by key) due now; return whether any is."""
    probe = role.reflection_policy.outcome_probe
    if not isinstance(probe, PeerRelative):
        return False
    ripe_at = to_micros(now - role.reflection_policy.min_age)
    if probe.peers_field is None:
        known = {normalise_symbol(peer) for peer in probe.peers}
        waits = not known.isdisjoint(assets) and due_rows.any_ripe(conn, role.id, ripe_at)
        peers = None
    else:
        named = due_rows.peers_named(conn, role.id, probe.peers_field, ripe_at)
        peers = [peer for peer in named if normalise_symbol(peer) in assets]
        waits = bool(peers)
    if waits:
        due_rows.retry_compared(conn, role.id, to_micros(now), probe.peers_field, peers)
    return waits


def _waits_until(conn: Connection, role: Role) -> int | None:
    return due_rows.next_at(conn, role.id, role.reflection_policy.min_age // _MICROSECOND)


def _at_next(conn: Connection, role: Role, now: datetime) -> None:
    moment = _waits_until(conn, role)
    if moment is not None:
        _add(conn, role, now, max(now, from_micros(moment)))


def _add(conn: Connection, role: Role, now: datetime, run_at: datetime) -> bool:
    payload = {"role": role.id}
    return add(conn, REFLECT_ENTRIES, payload, now, key=role.id, run_at=run_at, debounce=True)
