"""A skill and its roles, as their author declares them; nothing of it is kept in a store."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal, get_args

from afterword.pipeline.domain.outcomes.evidence import PostHocSpec
from afterword.pipeline.domain.outcomes.probes import ProbeSpec

Trigger = Literal["cron", "on_new_write", "on_price_fetch"]
"""What begins a reflection: the clock, a decision that ripens, prices that come in."""

TRIGGERS: Final = get_args(Trigger)


@dataclass(frozen=True, slots=True)
class ReflectionPolicy:
    """When a role's decisions are judged, and on what.

    Args:
        outcome_probe: what answers whether a decision was right.
        min_age_hours: no decision is judged before it is so old; at least the probe's window.
        max_age_hours: one that waited longer than that in the store is skipped for good.
        triggers: what begins a reflection.
        cron_expr: five fields in UTC, for the trigger `cron`.
        post_hoc_probes: evidence that is asked for once the outcome is known.
    """

    outcome_probe: ProbeSpec
    min_age_hours: int
    max_age_hours: int
    triggers: tuple[Trigger, ...] = ("cron",)
    cron_expr: str = "0 6 * * *"
    post_hoc_probes: tuple[PostHocSpec, ...] = ()

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
    """A named sort of decision of one skill.

    Args:
        id: unique over all skills: the skill's own id, or that and a variant behind a dot.
        failure_modes: what usually goes wrong in it; keeps its lessons on the ground.
        reflection_prompt: what to make of one decision, with the places of `template`.
    """

    id: str
    label: str
    failure_modes: tuple[str, ...]
    reflection_prompt: str
    reflection_policy: ReflectionPolicy


@dataclass(frozen=True, slots=True)
class Skill:
    """A bundle of abilities, as far as memory knows it: the roles it decides in."""

    id: str
    memory_roles: tuple[Role, ...] = ()
