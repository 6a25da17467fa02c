"""Reflect now, as a person asks for it: role by role, beside the jobs of the workers.

A role that a job is at work on is left out: as with the lock of the workers, the second caller
drops its request. Where nobody may be asked about one role, the others go on.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions import waiting_rows
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.decisions.model import Tally
from afterword.pipeline.domain.decisions.settle import tell_settled
from afterword.pipeline.domain.reflection import reflect_now_rows
from afterword.pipeline.domain.reflection.reflect import Reflector, reflect_role
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.errors import PostponedError

Told = Callable[[str, int, int], None]
"""Told a role, how many of its decisions were looked at, and how many there are to look at."""


@dataclass(frozen=True, slots=True)
class ReflectionCounts:
    """What became of decisions.

    Args:
        at_work: roles that were left out, for a job reflects on them now.
        postponed: why nobody may be asked now, by role; what was settled before is in the tally.
        waiting: decisions whose question failed and is asked again later.
        again_at: when the first of these is.
    """

    tally: Tally
    at_work: tuple[str, ...]
    postponed: Mapping[str, PostponedError]
    waiting: int
    again_at: datetime | None


def reflect_now(
    reflector: Reflector, roles: Sequence[Role], told: Told, *, parked: bool = False
) -> ReflectionCounts:
    """Reflect on the ripe decisions of roles, one role after the other.

    Args:
        told: of what became of decisions, as it is written; by any thread, one at a time.
        parked: also on those that are parked, or wait after a failed question.
    """
    seen, at_work, postponed = _Seen(told), [], {}
    for role in roles:
        now = reflector.clock()
        with reading(reflector.store) as conn:
            if role.id in reflect_now_rows.at_work(conn, REFLECT_ENTRIES.name, to_micros(now)):
                at_work.append(role.id)
                continue
            ripe_at = to_micros(now - role.reflection_policy.min_age)
            ripe = waiting_rows.count_ripe(conn, role.id, ripe_at, to_micros(now))
        seen.begin(role.id, ripe)
        try:
            reflect_role(replace(reflector, told=seen), role.id, parked=parked)
        except PostponedError as error:
            postponed[role.id] = error
    with reading(reflector.store) as conn:
        now_us = to_micros(reflector.clock())
        found, first = reflect_now_rows.waiting(conn, [role.id for role in roles], now_us)
    again_at = None if first is None else from_micros(first)
    return ReflectionCounts(seen.tally, tuple(at_work), postponed, found, again_at)


class _Seen:
    """Adds up what becomes of decisions, also of those before a pass that had to end."""

    def __init__(self, told: Told) -> None:
        self._told, self._lock = told, threading.Lock()
        self._ripe = self._done = 0
        self.tally = Tally()

    def begin(self, role_id: str, ripe: int) -> None:
        """Count anew, for another role."""
        self._ripe, self._done = ripe, 0
        if ripe:
            self._told(role_id, 0, ripe)

    def __call__(self, role_id: str, tally: Tally) -> None:
        tell_settled(role_id, tally)
        with self._lock:
            self.tally += tally
            self._done += tally.settled + sum(tally.parked.values()) + tally.failed + tally.shadowed
            if self._ripe:  # what is parked by its answer counts twice, and new ones ripen
                self._told(role_id, min(self._done, self._ripe), self._ripe)
