"""The step of the learning loop that counts the decisions to set against moods."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from moods import rows
from moods.area import COUNT_MOODS
from sqlalchemy import Connection

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.operations.loop.model import Learner, LoopStep

RAN: Final[list[tuple[str, bool, int]]] = []
"""What the step did: the store, whether as a job, and how many decisions it counted."""


def _count(of: Learner, _roles: Sequence[Role]) -> int:
    with writing(of.store, finishing=of.leases) as conn:
        decisions = rows.count_decisions(conn)
    RAN.append((of.store.address, of.leases is not None, decisions))
    return decisions


def _decisions_due(conn: Connection, _roles: Sequence[Role]) -> datetime | None:
    return rows.first_decided(conn)


COUNT: Final = LoopStep(name=COUNT_MOODS.name, run=_count, due=_decisions_due)
