"""Skills and their roles: values that an author declares, checked once at start.

Reading order: `model` (a skill, a role, its policy), `template` (the prompt of a role), `check` and
`registered` (what is refused at start), `registry` (all roles of a process), `labels` (their names
in metrics), `discover` (where skills are found), `builtin` (three to copy), `answer` and `failure`
(what their code says, and how it fails), `dry_run` and `dry_run_process` (a file tried out, in a
process that can be ended), `area` (its command)."""

from typing import TYPE_CHECKING

from afterword.pipeline.exports import on_first_use

if TYPE_CHECKING:
    from afterword.pipeline.domain.outcomes.evidence import RefetchSource, Snapshot
    from afterword.pipeline.domain.outcomes.probes import Custom, Manual, PeerRelative, PriceDelta
    from afterword.pipeline.domain.skills.model import ReflectionPolicy, Role, Skill
    from afterword.pipeline.domain.skills.registry import RoleRegistry
else:
    __getattr__ = on_first_use(
        __name__,
        model=(
            "Custom",
            "Manual",
            "PeerRelative",
            "PriceDelta",
            "RefetchSource",
            "ReflectionPolicy",
            "Role",
            "Skill",
            "Snapshot",
        ),
        registry=("RoleRegistry",),
    )

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
