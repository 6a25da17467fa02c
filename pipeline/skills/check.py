"""What is wrong with a skill: one clear error stops the start, before anything is recorded."""

import re
from typing import Final

from croniter import croniter

from pipeline.errors import InvalidInputError
from pipeline.skills.model import TRIGGERS, ReflectionPolicy, Role, Skill
from pipeline.skills.template import PLACES, misplaced
from pipeline.sources.evidence import PostHoc
from pipeline.sources.probes import Manual, Probes

MOST_HOURS: Final = 24 * 366 * 10
"""Longest age of a policy; hours."""

_ID: Final = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*")
_LONGEST_ID: Final = 100


def check_skill(skill: Skill, probes: Probes, post_hoc: PostHoc) -> None:
    """Refuse a skill that could not be reflected on.

    Args:
        probes: the outcome probes that are registered.
        post_hoc: the read-only sources that are registered.

    Raises:
        InvalidInputError: names the skill or role, the field and what would do.
    """
    _check_id(skill.id, f"skill {skill.id!a:.100}")
    for role in skill.memory_roles:
        at = f"role {role.id!a:.100}"
        _check_words(role, skill, at)
        _check_ages(role.reflection_policy, at)
        _check_triggers(role.reflection_policy, at)
        try:
            probes.check([role.reflection_policy.outcome_probe])
            post_hoc.check(role.reflection_policy.post_hoc_probes)
        except InvalidInputError as error:
            field = f"{at}: {error.field}"
            raise InvalidInputError(field, error.problem, error.accepted) from None


def _check_words(role: Role, skill: Skill, at: str) -> None:
    _check_id(role.id, at)
    if role.id != skill.id and not role.id.startswith(f"{skill.id}."):
        accepted = f"{skill.id}, or {skill.id}.<variant>"
        raise InvalidInputError(f"{at}: id", f"is no role of skill {skill.id}", accepted)
    if not role.label.strip():
        raise InvalidInputError(f"{at}: label", "is blank", "a few words")
    if not role.failure_modes or not all(mode.strip() for mode in role.failure_modes):
        raise InvalidInputError(f"{at}: failure_modes", "are none, or blank", "one at least")
    problem = misplaced(role.reflection_prompt)
    if problem or not role.reflection_prompt.strip():
        known = ", ".join(f"{{{place}}}" for place in PLACES)
        raise InvalidInputError(f"{at}: reflection_prompt", problem or "is blank", known)


def _check_ages(policy: ReflectionPolicy, at: str) -> None:
    probe = policy.outcome_probe
    window = 0 if isinstance(probe, Manual) else probe.window_hours
    least, most = policy.min_age_hours, policy.max_age_hours
    if not _is_hours(least, window):
        accepted = f"{window} to {MOST_HOURS}: its window, or longer"
        raise InvalidInputError(f"{at}: min_age_hours", f"is {least!r}", accepted)
    if not _is_hours(most, max(least, 1)):
        accepted = f"{max(least, 1)} to {MOST_HOURS}: its minimum, or longer"
        raise InvalidInputError(f"{at}: max_age_hours", f"is {most!r}", accepted)


def _check_triggers(policy: ReflectionPolicy, at: str) -> None:
    unknown = [trigger for trigger in policy.triggers if trigger not in TRIGGERS]
    if unknown or not policy.triggers:
        problem = f"name {unknown[0]!a:.40}" if unknown else "are none"
        raise InvalidInputError(f"{at}: triggers", problem, ", ".join(TRIGGERS))
    if "cron" in policy.triggers and not _is_cron(policy.cron_expr):
        accepted = "five fields, minute hour day month weekday"
        raise InvalidInputError(f"{at}: cron_expr", f"is {policy.cron_expr!a:.40}", accepted)


def _check_id(name: object, at: str) -> None:
    if not isinstance(name, str) or len(name) > _LONGEST_ID or not _ID.fullmatch(name):
        raise InvalidInputError(f"{at}: id", "is no id", "words in lower case joined by dots")


def _is_hours(value: object, least: int) -> bool:
    return type(value) is int and least <= value <= MOST_HOURS


def _is_cron(expression: object) -> bool:
    # `R` is croniter's random value: every dispatcher would draw its own.
    return (
        isinstance(expression, str)
        and len(expression.split()) == 5
        and not any(field[0] in "rR" for field in expression.split())
        and bool(croniter.is_valid(expression))
    )
