"""The step that learns preferences from what the user did and said."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.has_work import UNKNOWN_START
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.preferences import rows
from afterword.pipeline.domain.preferences.area import MINE_JOB
from afterword.pipeline.domain.preferences.mine import (
    MiningMode,
    PreferenceMining,
    mine_preferences,
)
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.operations.loop.model import Learner, LoopStep

MINED_SPAN: Final = timedelta(days=45)
"""How far a replay looks back each week: six weeks hold all that is new, and reading a year of
trades each week would take longer than the rest of the replay."""


class MiningTerms(NamedTuple):
    """How preferences are mined; see `mine_preferences`."""

    by: Writer
    mode: MiningMode
    since: timedelta | None = None
    has_effects: bool = True


def _mine(of: Learner, _roles: Sequence[Role]) -> PreferenceMining | None:
    """Learn preferences; nothing while learning or its switch is off."""
    if of.mining is None:
        return None
    terms = of.mining()
    return mine_preferences(
        terms.by, terms.mode, of.leases, since=terms.since, has_effects=terms.has_effects
    )


def preferences_known(conn: Connection, _roles: Sequence[Role]) -> datetime | None:
    """Return work while a group has anything that preferences are learned from."""
    return None if rows.latest(conn) is None else UNKNOWN_START


MINE_STEP: Final = LoopStep(
    name=MINE_JOB.name,
    run=_mine,
    due=preferences_known,
    every=timedelta(days=7),
    changes=lambda done: len(done.changes),
)
