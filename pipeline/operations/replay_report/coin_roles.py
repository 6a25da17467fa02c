"""The promise of lessons, checked on a replay: roles of coin flips beside each of its roles."""

from collections.abc import Callable
from functools import partial
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.patterns.placebos import placebo_counts
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.operations.replay.model import ReplayStatus
from afterword.pipeline.operations.replay_report.equity import PLACEBO_ROLE
from afterword.pipeline.operations.replay_report.model import CoinRoles

USUAL_COINS: Final = 20
"""Roles of coin flips of a report: enough to see a promise that is badly broken."""

MOST_UNASKED: Final = 10_000
"""Decisions of a replay whose report sends coins without being asked: some seconds."""

OnRole = Callable[[str, int, int], None]
"""Told the role, and how many of how many steps of it are done."""


def coin_roles(
    conn: Connection,
    registry: RoleRegistry,
    status: ReplayStatus,
    number: int,
    on_role: OnRole = lambda _role, _done, _of: None,
) -> tuple[CoinRoles, ...]:
    """Return of each role that decided how many of its coin flips would have been told something.

    Args:
        conn: on the replay's file.
        number: coins of each role; 0 for none.
    """
    if not number:
        return ()
    prices, coins = StoredPrices(conn), []
    for role in registry:
        if role.id == PLACEBO_ROLE:
            continue
        counts = placebo_counts(
            conn,
            role,
            prices,
            number,
            status.name,
            from_micros(status.cursor),
            level=status.settings.pattern_error,
            on_step=partial(on_role, role.id),
        )
        if counts:
            coins.append(CoinRoles(role.id, tuple(counts)))
    return tuple(coins)


def usual_number(status: ReplayStatus) -> int:
    """Return how many coins a report sends unasked: none where that would take long."""
    return USUAL_COINS if status.decisions <= MOST_UNASKED else 0
