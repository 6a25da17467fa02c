"""Rules that say since when a group has work for a schedule entry. Without work no slot fires.

Each rule is a cheap read of a group's file. Its result is valid until the file changes, so it may
depend only on the content of the file, the settings of the process and the time.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.jobs.inspect import last_run_at
from afterword.pipeline.core.jobs.reopen import awaited_gates
from afterword.pipeline.core.store.area import TIDY_STORE
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.decisions.price_needs import first_price_need
from afterword.pipeline.domain.decisions.triggers import next_pass
from afterword.pipeline.domain.facts import rows as fact_rows
from afterword.pipeline.domain.facts.area import CONSOLIDATE_FACTS
from afterword.pipeline.domain.memory import audit_log
from afterword.pipeline.domain.memory.area import PURGE_EXPIRED
from afterword.pipeline.domain.memory.purge import next_purge, retention_of
from afterword.pipeline.domain.prices.area import FETCH_PRICES
from afterword.pipeline.domain.vectors import rows as vector_rows
from afterword.pipeline.domain.vectors.area import BACKFILL_EMBEDDINGS
from afterword.pipeline.gateway.budget.area import EXPIRE_RESERVATIONS
from afterword.schedules.entry import CronEntry
from afterword.workers.routes import ROUTES
from afterword.workers.worker.context import Context

UNKNOWN_START: Final = datetime.min.replace(tzinfo=UTC)
"""There is work, but since when is not known: slots that passed are not counted as missed."""

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
"""Returns since when there is work, or from when on there will be work; None if there is none until
the file changes."""


def rules(context: Context) -> Mapping[str, HasWork]:
    """Return the rule of each kind of job that the schedule adds."""
    return {
        EXPIRE_RESERVATIONS.name: _jobs_wait_for_a_gate,
        BACKFILL_EMBEDDINGS.name: lambda conn, given: _to_embed(context, conn, given),
        CONSOLIDATE_FACTS.name: lambda conn, _given: _facts_wait(context, conn),
        PURGE_EXPIRED.name: lambda conn, _given: next_purge(conn, retention_of(context.settings)),
        FETCH_PRICES.name: lambda conn, given: _prices_wanted(context, conn, given),
        TIDY_STORE.name: _used_since,
        REFLECT_ENTRIES.name: lambda conn, given: _decisions_wait(context, conn, given),
    }


def always(_conn: Connection, _given: RuleArguments) -> datetime | None:
    """Return that there is always work: the rule of a job without a rule."""
    return UNKNOWN_START


def _jobs_wait_for_a_gate(conn: Connection, _given: RuleArguments) -> datetime | None:
    return UNKNOWN_START if awaited_gates(conn) else None


def _to_embed(context: Context, conn: Connection, given: RuleArguments) -> datetime | None:
    """Return work after the group was used, or if its file has no vectors of this model yet."""
    if context.embedder is None:
        return None
    is_new = vector_rows.find_model(conn, context.embedder) is None
    if is_new and audit_log.last_at(conn) is not None:
        return UNKNOWN_START
    return _used_since(conn, given)


def _facts_wait(context: Context, conn: Connection) -> datetime | None:
    said_at = fact_rows.first_pending(conn)
    if said_at is not None:
        return from_micros(said_at)
    judges = context.facts.judge is not None and context.facts.is_enabled
    return UNKNOWN_START if judges and fact_rows.has_unjudged(conn) else None


def _prices_wanted(context: Context, conn: Connection, given: RuleArguments) -> datetime | None:
    if context.prices.feed is None:
        return None
    return first_price_need(conn, context.decisions.roles, given.now, context.prices.interval)


def _decisions_wait(context: Context, conn: Connection, given: RuleArguments) -> datetime | None:
    role = context.decisions.roles.find(given.entry.payload["role"])
    return None if role is None else next_pass(conn, role)


def _used_since(conn: Connection, given: RuleArguments) -> datetime | None:
    """Return work if anything but upkeep happened in the group since the entry last fired."""
    happened = (audit_log.last_at(conn), last_run_at(conn, but=_UPKEEP))
    used = any(
        moment is not None and (given.fired_at is None or from_micros(moment) > given.fired_at)
        for moment in happened
    )
    return UNKNOWN_START if used else None
