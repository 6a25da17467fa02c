"""What begins a reflection: a decision that ripens, prices that come in; the clock is a schedule.

There is one open job for each role at most, under the role's own id, beside the one of its slot in
the schedule. Nothing here asks a model.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.domain.decisions import peer_rows, waiting_rows
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
    """Reflect now where prices came in for which decisions wait; for the writer of prices to call.

    Decisions wait for their own asset, and ripe ones for the peers they are compared with as well.
    What is parked is looked at again, whatever its role is triggered by.

    Args:
        symbols: markets in any written form.

    Returns:
        The roles whose jobs were added.
    """
    assets = sorted({normalise_symbol(symbol) for symbol in symbols})
    waiting = set(waiting_rows.roles_waiting_for(conn, assets))
    for role_id in waiting:
        waiting_rows.look_again(conn, role_id, assets, to_micros(now))
    waiting |= {role.id for role in registry if _compare_again(conn, role, assets, now)}
    begun = []
    for role_id in sorted(waiting):
        role = registry.find(role_id)
        if role is not None and "on_price_fetch" in role.reflection_policy.triggers:
            begun += [role_id] if begin(conn, role, now) else []
    return begun


def ripe_roles(conn: Connection, registry: RoleRegistry, now: datetime) -> list[tuple[Role, int]]:
    """Return the roles with decisions to be looked at now and no job at it, with their number."""
    begun = waiting_rows.begun(conn, REFLECT_ENTRIES.name)
    found = []
    for role in registry:
        ripe_at = to_micros(now - role.reflection_policy.min_age)
        ripe = waiting_rows.count_ripe(conn, role.id, ripe_at, to_micros(now))
        if ripe and role.id not in begun:
            found.append((role, ripe))
    return found


def next_pass(conn: Connection, role: Role) -> datetime | None:
    """Return when a pass over a role's decisions first finds something; None while none waits.

    That is a decision that is due, or one that has become too old.
    """
    policy = role.reflection_policy
    next_look = _waits_until(conn, role)
    first_known = waiting_rows.first_known(conn, role.id)
    moments = [] if next_look is None else [from_micros(next_look)]
    if first_known is not None:
        moments.append(from_micros(first_known) + policy.max_age)
    return min(moments, default=None)


def begin(conn: Connection, role: Role, now: datetime) -> bool:
    """Add the job that reflects on a role's decisions now; False where it is dead."""
    return _add(conn, role, now, now)


def plan_next(
    conn: Connection, role: Role, now: datetime, *, is_full: bool, again_at: datetime | None
) -> None:
    """Add the job that goes on where a pass ended.

    Args:
        is_full: whether the pass ended at its limit: the rest is due now.
        again_at: when the first of the questions that failed is to be asked again.
    """
    if is_full:
        begin(conn, role, now)
    elif "on_new_write" in role.reflection_policy.triggers:
        _at_next(conn, role, now)
    elif again_at is not None:
        _add(conn, role, now, again_at)


def look_later(conn: Connection, role: Role, now: datetime, run_at: datetime) -> None:
    """Add the job that asks whether a role may be reflected on again, if any decision waits."""
    if _waits_until(conn, role) is not None:
        _add(conn, role, now, run_at)


def _compare_again(conn: Connection, role: Role, assets: Sequence[str], now: datetime) -> bool:
    """Let decisions that are compared with assets (by key) be looked at now; say whether any is."""
    probe = role.reflection_policy.outcome_probe
    if not isinstance(probe, PeerRelative):
        return False
    ripe_at = to_micros(now - role.reflection_policy.min_age)
    if probe.peers_field is None:
        known = {normalise_symbol(peer) for peer in probe.peers}
        waits = not known.isdisjoint(assets) and peer_rows.is_ripe(conn, role.id, ripe_at)
        peers = None
    else:
        named = peer_rows.named(conn, role.id, probe.peers_field, ripe_at)
        peers = [peer for peer in named if normalise_symbol(peer) in assets]
        waits = bool(peers)
    if waits:
        peer_rows.look_again(conn, role.id, to_micros(now), probe.peers_field, peers)
    return waits


def _waits_until(conn: Connection, role: Role) -> int | None:
    return waiting_rows.next_at(conn, role.id, role.reflection_policy.min_age // _MICROSECOND)


def _at_next(conn: Connection, role: Role, now: datetime) -> None:
    found = _waits_until(conn, role)
    if found is not None:
        _add(conn, role, now, max(now, from_micros(found)))


def _add(conn: Connection, role: Role, now: datetime, run_at: datetime) -> bool:
    payload = {"role": role.id}
    return add(conn, REFLECT_ENTRIES, payload, now, key=role.id, run_at=run_at, debounce=True)
