"""A skill and its roles, as their author declares them; none of it is stored."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal, get_args

from afterword.pipeline.domain.outcomes.evidence import PostHocSpec, RefetchSource, Snapshot
from afterword.pipeline.domain.outcomes.probes import (
    Custom,
    Manual,
    PeerRelative,
    PriceDelta,
    ProbeSpec,
)

__all__ = [
    "TRIGGERS",
    "Custom",
    "Manual",
    "PeerRelative",
    "PriceDelta",
    "RefetchSource",
    "ReflectionPolicy",
    "Role",
    "Skill",
    "Snapshot",
    "Trigger",
]

Trigger = Literal["cron", "on_new_write", "on_price_fetch"]
"""What begins a reflection: the clock, a decision that ripens, new prices."""

TRIGGERS: Final = get_args(Trigger)


@dataclass(frozen=True, slots=True)
class ReflectionPolicy:
    """When a role's decisions are judged, and on what.

    Args:
        outcome_probe: measures whether a decision was right.
        min_age_hours: age at which a decision is judged; at least the probe's window.
        max_age_hours: how long a decision may wait in the store before it is skipped.
        triggers: what begins a reflection.
        cron_expr: five fields in UTC, for the trigger `cron`.
        post_hoc_probes: sources of evidence for the judge of a wrong decision.
    """

    outcome_probe: ProbeSpec
    min_age_hours: int
    max_age_hours: int
    triggers: tuple[Trigger, ...] = ("cron",)
    cron_expr: str = "0 6 * * *"
    post_hoc_probes: tuple[PostHocSpec, ...] = ()

    @property
    def window(self) -> timedelta:
        """How long after a decision its outcome is due; the minimum age without a probe."""
        probe = self.outcome_probe
        return self.min_age if isinstance(probe, Manual) else timedelta(hours=probe.window_hours)

    @property
    def min_age(self) -> timedelta:
        """How old a decision must be to be judged."""
        return timedelta(hours=self.min_age_hours)

    @property
    def max_age(self) -> timedelta:
        """How long a decision may wait in the store."""
        return timedelta(hours=self.max_age_hours)


@dataclass(frozen=True, slots=True)
class Role:
    """A kind of decision of one skill.

    Args:
        id: unique over all skills: the skill's own id, or that and a variant behind a dot.
        failure_modes: what usually goes wrong in it; a judge is shown them.
        reflection_prompt: template that asks for the lesson; see `template.PROMPT_PLACES`.
    """

    id: str
    label: str
    failure_modes: tuple[str, ...]
    reflection_prompt: str
    reflection_policy: ReflectionPolicy


@dataclass(frozen=True, slots=True)
class Skill:
    """A bundle of abilities; memory knows only the roles it decides in."""

    id: str
    memory_roles: tuple[Role, ...] = ()
