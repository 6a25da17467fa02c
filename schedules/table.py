"""What runs when, in UTC; only that."""

from collections.abc import Iterable
from typing import Final

from afterword.pipeline.domain.decisions.kinds import REFLECT_ENTRIES
from afterword.pipeline.domain.skills import Role
from afterword.schedules.entry import CronEntry

TABLE: Final = (
    CronEntry("budget.expire", "* * * * *", job="expire_reservations", overlap="skip"),
    CronEntry(
        "embeddings.backfill",
        "*/10 * * * *",
        job="backfill_embeddings",
        overlap="skip",
        jitter_s=30,
    ),
    CronEntry(
        "facts.consolidate", "*/10 * * * *", job="consolidate_facts", overlap="skip", jitter_s=30
    ),
    CronEntry("memory.purge", "30 3 * * *", job="purge_expired", overlap="skip", jitter_s=300),
    # Some minutes past the bars' closes, which are sometimes late.
    CronEntry(
        "prices.fetch", "4,19,34,49 * * * *", job="fetch_prices", overlap="skip", jitter_s=60
    ),
    CronEntry("store.tidy", "15 * * * *", job="tidy_store", overlap="skip", jitter_s=120),
)


def role_entries(roles: Iterable[Role]) -> tuple[CronEntry, ...]:
    """Return the entries of the roles that reflect by the clock, as their skills declare it."""
    return tuple(
        CronEntry(
            f"roles.{role.id.replace('.', '_')}",
            role.reflection_policy.cron_expr,
            job=REFLECT_ENTRIES.name,
            overlap="skip",
            payload={"role": role.id},
        )
        for role in roles
        if "cron" in role.reflection_policy.triggers
    )


def whole_table(roles: Iterable[Role]) -> tuple[CronEntry, ...]:
    """Return our own entries and those of the roles."""
    return (*TABLE, *role_entries(roles))
