"""The role under which the decision of a run is recorded, where the desk recorded none itself.

No skill declares it: its decisions are measured and vote, and no reflection asks a model about
them. The ladder of the run is their reflection.
"""

from typing import Final

from afterword.pipeline.domain.cases.model import DESK_ROLE
from afterword.pipeline.domain.skills import Manual, ReflectionPolicy, Role, RoleRegistry, Skill

_ROLE: Final = Role(
    id=DESK_ROLE,
    label="Decision of an institution run",
    failure_modes=("the roles agreed too soon",),
    reflection_prompt="About {asset}: {decision}. {window} {pnl} {evidence} {type}",
    reflection_policy=ReflectionPolicy(Manual(), min_age_hours=24, max_age_hours=24),
)


def desk_registry() -> RoleRegistry:
    """Return a registry with this role alone, by which a decision is checked and recorded."""
    return RoleRegistry([Skill("institution", (_ROLE,))])
