"""The step that reflects on decisions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions import due_rows
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.decisions.tally import Tally, tally_all
from afterword.pipeline.domain.decisions.triggers import next_pass
from afterword.pipeline.domain.reflection.reflect import reflect_entries, reflect_role
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.operations.loop.model import Learner, LoopStep


def _reflect(of: Learner, roles: Sequence[Role]) -> Tally:
    """Reflect on the ripe decisions of roles."""
    reflector = of.reflector()
    if of.leases is not None:
        return reflect_entries(reflector, of.leases)
    tallies = []
    for role in roles:
        if of.progress is not None:
            of.progress.begin(role.id, _ripe(of, role))
        tallies.append(reflect_role(reflector, role.id, parked=of.parked))
    return tally_all(tallies)


def _ripe(of: Learner, role: Role) -> int:
    now = of.clock()
    ripe_at = to_micros(now - role.reflection_policy.min_age)
    with reading(of.store) as conn:
        return due_rows.count_ripe(conn, role.id, ripe_at, to_micros(now))


def _decisions_due(conn: Connection, roles: Sequence[Role]) -> datetime | None:
    return min((at for role in roles if (at := next_pass(conn, role))), default=None)


REFLECT_STEP: Final = LoopStep(
    name=REFLECT_ENTRIES.name,
    run=_reflect,
    due=_decisions_due,
    changes=lambda done: done.settled,
    by_role=True,
)
