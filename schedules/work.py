"""Rules that say since when a group has work for a schedule entry. Without work no slot fires.

The rule of a step of the learning loop is the step's own. Each rule is a cheap read of a group's
file. Its result is valid until the file changes, so it may depend only on the content of the file,
the settings of the process and the time.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.area import load
from afterword.pipeline.core.jobs.inspect import last_run_at
from afterword.pipeline.core.jobs.reopen import awaited_gates
from afterword.pipeline.domain.decisions.price_needs import first_price_need
from afterword.pipeline.domain.facts import rows as fact_rows
from afterword.pipeline.domain.memory import audit_log
from afterword.pipeline.domain.memory.purge import next_purge, retention_of
from afterword.pipeline.domain.patterns import purge as pattern_purge
from afterword.pipeline.domain.vectors import rows as vector_rows
from afterword.pipeline.operations.loop.methodologies import methodologies_due
from afterword.pipeline.operations.loop.model import (
    UNKNOWN_START,
    roles_named,
    step_of,
)
from afterword.schedules.entry import CronEntry
from afterword.workers.routes import ROUTES
from afterword.workers.worker.context import Context

_UPKEEP: Final = tuple(name for name, route in ROUTES.items() if route.queue == "upkeep")


@dataclass(frozen=True, slots=True)
class RuleArguments:
    """The arguments of a rule.

    Args:
        fired_at: when the entry last fired in this group.
    """

    entry: CronEntry
    now: datetime
    fired_at: datetime | None


HasWork = Callable[[Connection, RuleArguments], datetime | None]
"""A rule with its context. Returns since when there is work, or from when on there will be work;
None if there is none until the file changes."""


def rules(context: Context) -> Mapping[str, HasWork]:
    """Return the rules that areas declare, by the name of their kind of job."""
    return {
        job.kind.name: partial(load(job.has_work), context)
        for area in all_areas()
        for job in area.jobs
        if job.has_work
    }


def always(_conn: Connection, _given: RuleArguments) -> datetime | None:
    """Return that there is always work: the rule of a job without a rule."""
    return UNKNOWN_START


def jobs_wait_for_a_gate(
    _context: Context, conn: Connection, _given: RuleArguments
) -> datetime | None:
    """Return work while jobs wait for a budget or a circuit."""
    return UNKNOWN_START if awaited_gates(conn) else None


def vectors_missing(context: Context, conn: Connection, given: RuleArguments) -> datetime | None:
    """Return work after the group was used, or if its file has no vectors of this model yet."""
    if context.embedder is None:
        return None
    is_new = vector_rows.find_model(conn, context.embedder) is None
    if is_new and audit_log.last_at(conn) is not None:
        return UNKNOWN_START
    return used_since(context, conn, given)


def memories_expire(context: Context, conn: Connection, _given: RuleArguments) -> datetime | None:
    """Return when the retention of the next memory ends."""
    return next_purge(conn, retention_of(context.settings))


def patterns_expire(context: Context, conn: Connection, _given: RuleArguments) -> datetime | None:
    """Return when the retention of the next superseded form of a pattern ends."""
    return pattern_purge.next_purge(conn, pattern_purge.retention_of(context.settings))


def facts_wait(context: Context, conn: Connection, _given: RuleArguments) -> datetime | None:
    """Return since when facts are pending, or that a judge has not seen some of them."""
    said_at = fact_rows.first_pending(conn)
    if said_at is not None:
        return from_micros(said_at)
    judges = context.facts.judge is not None and context.facts.is_enabled
    return UNKNOWN_START if judges and fact_rows.has_unjudged(conn) else None


def prices_wanted(context: Context, conn: Connection, given: RuleArguments) -> datetime | None:
    """Return from when on a decision waits for prices that a source can give."""
    if context.prices.feed is None:
        return None
    return first_price_need(conn, context.decisions.roles, given.now, context.prices.interval)


def step_due(context: Context, conn: Connection, given: RuleArguments) -> datetime | None:
    """Return since when the step of the learning loop has work that the entry's job does."""
    step = step_of(given.entry.job)
    assert step.due is not None  # only such steps name this rule
    return step.due(conn, roles_named(context.decisions.roles, [given.entry.payload]))


def methodologies_stand(
    context: Context, conn: Connection, _given: RuleArguments
) -> datetime | None:
    """Return work while learning is on and a group has methodologies, or what makes some."""
    if not context.settings.learning_enabled:
        return None
    return methodologies_due(conn, ())


def audits_wanted(context: Context, conn: Connection, given: RuleArguments) -> datetime | None:
    """Return work while audits are on and a group has methodologies."""
    if not context.settings.methodology_audit_cron_enabled:
        return None
    return methodologies_stand(context, conn, given)


def used_since(_context: Context, conn: Connection, given: RuleArguments) -> datetime | None:
    """Return work if anything but upkeep happened in the group since the entry last fired."""
    happened = (audit_log.last_at(conn), last_run_at(conn, but=_UPKEEP))
    used = any(
        moment is not None and (given.fired_at is None or from_micros(moment) > given.fired_at)
        for moment in happened
    )
    return UNKNOWN_START if used else None
