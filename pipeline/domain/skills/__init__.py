"""What an agent can do, and in which roles it decides: values a skill's author declares.

Reading order: `model` (a skill, a role, its policy), `template` (the words a role reflects with),
`check` (what stops a start), `registry` (which roles there are), `discover` (where skills come
from), `builtin` (three to copy).
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
