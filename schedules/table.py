"""The schedule: which job runs when, in UTC.

Each area declares its lines in `area.py`; `afterword cron ls` prints all of them.
"""

from collections.abc import Iterable
from typing import Final

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.area import Area
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.skills import Role
from afterword.schedules.entry import CronEntry


def entries_of(areas: Iterable[Area]) -> tuple[CronEntry, ...]:
    """Return the entries that areas declare, by name."""
    found = [CronEntry(**line._asdict()) for area in areas for line in area.cron]
    return tuple(sorted(found, key=lambda entry: entry.name))


TABLE: Final = entries_of(all_areas())
"""The entries of all areas."""


def role_entries(roles: Iterable[Role]) -> tuple[CronEntry, ...]:
    """Return the entries of the roles whose policy has the trigger `cron`."""
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
    """Return the fixed entries and those of the roles."""
    return (*TABLE, *role_entries(roles))
