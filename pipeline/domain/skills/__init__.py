"""Skills and their roles: values that an author declares, checked once at start.

Reading order: `model` (a skill, a role, its policy), `template` (the prompt of a role), `check`
(what is refused at start), `registry` (all roles of a process), `discover` (where skills are
found), `builtin` (three to copy).
"""

from afterword.pipeline.domain.outcomes.evidence import RefetchSource, Snapshot
from afterword.pipeline.domain.outcomes.probes import Custom, Manual, PeerRelative, PriceDelta
from afterword.pipeline.domain.skills.model import ReflectionPolicy, Role, Skill
from afterword.pipeline.domain.skills.registry import RoleRegistry

__all__ = [
    "Custom",
    "Manual",
    "PeerRelative",
    "PriceDelta",
    "RefetchSource",
    "ReflectionPolicy",
    "Role",
    "RoleRegistry",
    "Skill",
    "Snapshot",
]
