"""Labels of roles in metrics: a bounded number of them, whatever a file names."""

from typing import Final

from afterword.pipeline.domain.skills.registry import RoleRegistry

MOST_ROLES: Final = 100
"""Roles shown by name (count): the first ones in the order of their ids."""

OTHER_ROLES: Final = "other roles"
"""Label of all roles beyond the first hundred; its blank keeps it apart from ids of roles."""

NO_SKILL: Final = "no skill"
"""Label of roles that no skill declares any more."""


class RoleLabels:
    """The labels of roles.

    Args:
        registry: the known roles; any other role is shown as `no skill`.
    """

    def __init__(self, registry: RoleRegistry) -> None:
        self._registry = registry
        self._named = sorted(role.id for role in registry)[:MOST_ROLES]
        self.declared: Final = (*self._named, OTHER_ROLES)
        """The labels of roles that a skill declares."""
        self.all: Final = (*self.declared, NO_SKILL)

    def label(self, role_id: str) -> str:
        """Return the label of a role."""
        if self._registry.find(role_id) is None:
            return NO_SKILL
        return role_id if role_id in self._named else OTHER_ROLES
