"""Rules that tell since when a group has work for a schedule entry; without work no slot fires.

Each rule is one cheap read of a group's file. Its result is valid until the file changes, so it
must depend on the file's content, the process's settings and the time only.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.jobs.inspect import last_run_at
from afterword.pipeline.core.jobs.reopen import held_gates
from afterword.pipeline.core.store.area import TIDY_STORE
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.decisions.price_needs import awaited_from
from afterword.pipeline.domain.decisions.triggers import next_pass
from afterword.pipeline.domain.facts import rows as fact_rows
from afterword.pipeline.domain.facts.area import CONSOLIDATE_FACTS
from afterword.pipeline.domain.memory import audit_log
from afterword.pipeline.domain.memory.area import PURGE_EXPIRED
from afterword.pipeline.domain.memory.purge import next_purge, retention_of
from afterword.pipeline.domain.prices.area import FETCH_PRICES
from afterword.pipeline.domain.prices.csv_file import read_interval
from afterword.pipeline.domain.vectors import rows as vector_rows
from afterword.pipeline.domain.vectors.area import BACKFILL_EMBEDDINGS
from afterword.pipeline.gateway.budget.area import EXPIRE_RESERVATIONS
from afterword.schedules.entry import CronEntry
from afterword.workers.routes import ROUTES
from afterword.workers.worker.context import Context

UNTOLD: Final = datetime.min.replace(tzinfo=UTC)
"""There is work since an unknown moment: slots that passed are not counted as missed."""

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
"""Returns since when there is work, or from when on there will be; None if there is none until the
file changes."""


def rules(context: Context) -> Mapping[str, HasWork]:
    """Return the rule of each kind of job that the schedule adds."""
    return {
        EXPIRE_RESERVATIONS.name: _jobs_wait_for_a_gate,
        BACKFILL_EMBEDDINGS.name: lambda conn, asked: _to_embed(context, conn, asked),
        CONSOLIDATE_FACTS.name: lambda conn, _asked: _facts_wait(context, conn),
        PURGE_EXPIRED.name: lambda conn, _asked: next_purge(conn, retention_of(context.settings)),
        FETCH_PRICES.name: lambda conn, asked: _prices_wanted(context, conn, asked),
        TIDY_STORE.name: _used_since,
        REFLECT_ENTRIES.name: lambda conn, asked: _decisions_wait(context, conn, asked),
    }


def always(_conn: Connection, _asked: RuleArguments) -> datetime | None:
    """Fire every slot: the rule of a job that has none."""
    return UNTOLD


def _jobs_wait_for_a_gate(conn: Connection, _asked: RuleArguments) -> datetime | None:
    return UNTOLD if held_gates(conn) else None


def _to_embed(context: Context, conn: Connection, asked: RuleArguments) -> datetime | None:
    """Fire after the group was used, and while its file has no vectors of this model yet."""
    if context.embedder is None:
        return None
    is_new = vector_rows.find_model(conn, context.embedder) is None
    return UNTOLD if is_new and audit_log.last_at(conn) is not None else _used_since(conn, asked)


def _facts_wait(context: Context, conn: Connection) -> datetime | None:
    said_at = fact_rows.first_pending(conn)
    if said_at is not None:
        return from_micros(said_at)
    judges = context.judge is not None and context.settings.consolidation_enabled
    return UNTOLD if judges and fact_rows.has_unjudged(conn) else None


def _prices_wanted(context: Context, conn: Connection, asked: RuleArguments) -> datetime | None:
    if context.feed is None:
        return None
    soon = read_interval(context.settings.price_interval)
    return awaited_from(conn, context.roles, asked.now, soon)


def _decisions_wait(context: Context, conn: Connection, asked: RuleArguments) -> datetime | None:
    role = context.roles.find(asked.entry.payload["role"])
    return None if role is None else next_pass(conn, role)


def _used_since(conn: Connection, asked: RuleArguments) -> datetime | None:
    """Fire if anything but upkeep happened in the group since the entry last fired."""
    happened = (audit_log.last_at(conn), last_run_at(conn, but=_UPKEEP))
    used = any(
        moment is not None and (asked.fired_at is None or from_micros(moment) > asked.fired_at)
        for moment in happened
    )
    return UNTOLD if used else None
