"""The registry of roles: by id, and by the skill that declares them."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Protocol

from afterword.pipeline.domain.outcomes.evidence import PostHoc
from afterword.pipeline.domain.outcomes.probes import Probes
from afterword.pipeline.domain.skills.check import check_skill
from afterword.pipeline.domain.skills.model import Role, Skill
from afterword.pipeline.errors import InvalidInputError, NotFoundError


class RoleRegistry:
    """The roles of all skills of a process.

    Args:
        skills: in the order they were found.
        probes: the outcome probes that are registered.
        post_hoc: the read-only sources that are registered.
        places: the file or package that declares each skill, for errors; none if unknown.

    Raises:
        InvalidInputError: a skill is wrong, or two skills or roles share an id, or two roles differ
            in a dot and an underscore only.
    """

    def __init__(
        self,
        skills: Sequence[Skill],
        probes: Probes | None = None,
        post_hoc: PostHoc | None = None,
        places: Sequence[str] = (),
    ) -> None:
        self._skills: dict[str, Skill] = {}
        self._roles: dict[str, Role] = {}
        self._owners: dict[str, Skill] = {}
        spelt: dict[str, str] = {}
        found_in: dict[str, str] = {}
        self.probes, self.post_hoc = probes or Probes(), post_hoc or PostHoc()
        for skill, place in zip_longest(skills, places, fillvalue=""):
            assert isinstance(skill, Skill)  # there are never more places than skills
            check_skill(skill, self.probes, self.post_hoc, place)
            if skill.id in self._skills:
                where = f" ({found_in[skill.id]}, {place})" if place else ""
                problem = f"declare {skill.id} twice{where}"
                raise InvalidInputError("skills", problem, "ids of one skill")
            self._skills[skill.id], found_in[skill.id] = skill, place
            for role in skill.memory_roles:
                if role.id in self._roles:
                    owner = self._owners[role.id].id
                    where = f" ({found_in[owner]}, {place})" if place else ""
                    problem = f"declare role {role.id} twice, in {owner} and {skill.id}{where}"
                    raise InvalidInputError("skills", problem, "ids of one role")
                # The schedule names its entries so, and one of the two would never fire.
                twin = spelt.setdefault(role.id.replace(".", "_"), role.id)
                if twin != role.id:
                    problem = f"declare {twin} and {role.id}, which differ in . and _ alone"
                    raise InvalidInputError("skills", problem, "another id for one of them")
                self._roles[role.id], self._owners[role.id] = role, skill

    def __iter__(self) -> Iterator[Role]:
        return iter(self._roles.values())

    def __len__(self) -> int:
        return len(self._roles)

    def find(self, role_id: str) -> Role | None:
        """Return a role; None if no skill declares it (any more)."""
        return self._roles.get(role_id)

    def role(self, role_id: str) -> Role:
        """Return a role.

        Raises:
            NotFoundError: no skill declares it.
        """
        role = self.find(role_id)
        if role is None:
            known = ", ".join(self._roles) or "none"
            raise NotFoundError(f"no skill declares the role {role_id!a:.100}; there are {known}")
        return role

    def owner(self, role: Role) -> Skill:
        """Return the skill that declares a role."""
        return self._owners[role.id]

    def skill(self, skill_id: str) -> Skill:
        """Return a skill.

        Raises:
            NotFoundError: there is none of that id.
        """
        if skill_id not in self._skills:
            known = ", ".join(self._skills) or "none"
            raise NotFoundError(f"there is no skill {skill_id!a:.100}; there are {known}")
        return self._skills[skill_id]


class HasRoles(Protocol):
    """A process that knows roles."""

    @property
    def roles(self) -> RoleRegistry:
        """Return the roles of all skills that the process loaded."""
        ...
