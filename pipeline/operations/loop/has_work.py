"""Since when a group has work for the jobs that do steps of the loop: the step's own rule."""

from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.has_work import HasSettings, WorkQuery
from afterword.pipeline.domain.skills.registry import HasRoles
from afterword.pipeline.operations.loop.institution import runs_due
from afterword.pipeline.operations.loop.methodologies import methodologies_due
from afterword.pipeline.operations.loop.model import roles_named, step_of


def step_due(process: HasRoles, conn: Connection, query: WorkQuery) -> datetime | None:
    """Return since when the step of the learning loop has work that the entry's job does."""
    step = step_of(query.job)
    assert step.due is not None  # only such steps name this rule
    return step.due(conn, roles_named(process.roles, [query.payload]))


def methodologies_stand(
    process: HasSettings, conn: Connection, _query: WorkQuery
) -> datetime | None:
    """Return work while learning is on and a group has methodologies, or what makes some."""
    if not process.settings.learning_enabled:
        return None
    return methodologies_due(conn, ())


def audits_wanted(process: HasSettings, conn: Connection, query: WorkQuery) -> datetime | None:
    """Return work while audits are on and a group has methodologies."""
    if not process.settings.methodology_audit_cron_enabled:
        return None
    return methodologies_stand(process, conn, query)


def runs_unanswered(process: HasSettings, conn: Connection, _query: WorkQuery) -> datetime | None:
    """Return work while runs are learned from and an outcome of one waits for its answer."""
    return runs_due(conn, ()) if process.settings.institution_learning_enabled else None
