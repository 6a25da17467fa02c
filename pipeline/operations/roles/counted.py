"""All roles with what their decisions came to, whether or not a skill still declares them."""

from dataclasses import dataclass
from typing import Final

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.decisions.read import RoleCounts, count_roles
from afterword.pipeline.domain.skills import RoleRegistry

DECLARED_NO_MORE: Final = "declared no more"
"""In place of the label of a role whose skill is gone; its rows stay."""


@dataclass(frozen=True, slots=True)
class CountedRole:
    """A role with what its decisions came to; counts by word.

    Args:
        skill: that declares it; empty where none does any more.
    """

    role: str
    skill: str
    label: str
    decisions: int
    waiting: dict[str, int]
    outcomes: dict[str, int]
    reflected: dict[str, int]
    skipped: int


def counted_roles(store: Store | None, registry: RoleRegistry) -> list[CountedRole]:
    """Return the roles of a group.

    Args:
        store: None before there is any file.
    """
    counts = (
        [RoleCounts(role.id, role) for role in registry]
        if store is None
        else count_roles(store, registry)
    )
    return [_counted(role_counts, registry) for role_counts in counts]


def _counted(recorded: RoleCounts, registry: RoleRegistry) -> CountedRole:
    skill = "" if recorded.role is None else registry.owner(recorded.role).id
    label = DECLARED_NO_MORE if recorded.role is None else recorded.role.label
    counts = dict(recorded.waiting), dict(recorded.outcomes), dict(recorded.reflected)
    decisions, skipped = recorded.decisions, recorded.skipped
    return CountedRole(recorded.role_id, skill, label, decisions, *counts, skipped)
