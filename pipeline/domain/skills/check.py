"""Check a skill at start: one clear error, before anything is recorded."""

import re
from datetime import UTC, datetime
from types import UnionType
from typing import Final

from afterword.pipeline.domain.outcomes.evidence import PostHoc, PostHocSpec
from afterword.pipeline.domain.outcomes.probes import Manual, Probes, ProbeSpec
from afterword.pipeline.domain.skills.model import TRIGGERS, ReflectionPolicy, Role, Skill
from afterword.pipeline.domain.skills.template import PROMPT_PLACES, misplaced
from afterword.pipeline.errors import InvalidInputError

_MOST_HOURS: Final = 24 * 366 * 10
"""Longest age of a policy; hours."""

_ID: Final = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*")
_LONGEST_ID: Final = 100
_ANY_DAY: Final = datetime(2024, 1, 1, tzinfo=UTC)


def check_skill(skill: Skill, probes: Probes, post_hoc: PostHoc, place: str = "") -> None:
    """Refuse a skill whose decisions could not be reflected on.

    Args:
        probes: the outcome probes that are registered.
        post_hoc: the read-only sources that are registered.
        place: the file or package that declares it, if known.

    Raises:
        InvalidInputError: names the file, the skill or role, the field and what would do.
    """
    found_in = f"{place}: " if place else ""
    at = f"{found_in}skill {skill.id!a:.100}"
    _check_id(skill.id, at)
    _check_all(skill.memory_roles, Role, f"{at}: memory_roles")
    for role in skill.memory_roles:
        at = f"{found_in}role {role.id!a:.100}"
        _check_words(role, skill, at)
        policy = role.reflection_policy
        _check_one(policy, ReflectionPolicy, f"{at}: reflection_policy")
        _check_one(policy.outcome_probe, ProbeSpec, f"{at}: outcome_probe")
        _check_all(policy.post_hoc_probes, PostHocSpec, f"{at}: post_hoc_probes")
        try:
            probes.check([policy.outcome_probe])
            post_hoc.check(policy.post_hoc_probes)
        except InvalidInputError as error:
            field = f"{at}: {error.field}"
            raise InvalidInputError(field, error.problem, error.accepted) from None
        _check_ages(policy, at)
        _check_triggers(policy, at)


def _check_words(role: Role, skill: Skill, at: str) -> None:
    _check_id(role.id, at)
    if role.id != skill.id and not role.id.startswith(f"{skill.id}."):
        accepted = f"{skill.id}, or {skill.id}.<variant>"
        raise InvalidInputError(f"{at}: id", f"is not a role of skill {skill.id}", accepted)
    _check_text(role.label, f"{at}: label")
    _check_all(role.failure_modes, str, f"{at}: failure_modes")
    if not role.failure_modes or not all(mode.strip() for mode in role.failure_modes):
        raise InvalidInputError(f"{at}: failure_modes", "are none, or blank", "one at least")
    _check_text(role.reflection_prompt, f"{at}: reflection_prompt")
    problem = misplaced(role.reflection_prompt)
    if problem:
        known = ", ".join(f"{{{place}}}" for place in PROMPT_PLACES)
        raise InvalidInputError(f"{at}: reflection_prompt", problem, known)


def _check_ages(policy: ReflectionPolicy, at: str) -> None:
    probe = policy.outcome_probe
    window = 0 if isinstance(probe, Manual) else probe.window_hours
    least, most = policy.min_age_hours, policy.max_age_hours
    if not _is_hours(least, window):
        accepted = f"{window} to {_MOST_HOURS}: its window, or longer"
        raise InvalidInputError(f"{at}: min_age_hours", f"is {least!r}", accepted)
    if not _is_hours(most, max(least, 1)):
        accepted = f"{max(least, 1)} to {_MOST_HOURS}: its minimum, or longer"
        raise InvalidInputError(f"{at}: max_age_hours", f"is {most!r}", accepted)


def _check_triggers(policy: ReflectionPolicy, at: str) -> None:
    _check_all(policy.triggers, str, f"{at}: triggers")
    unknown = [trigger for trigger in policy.triggers if trigger not in TRIGGERS]
    if unknown or not policy.triggers:
        problem = f"name {unknown[0]!a:.40}" if unknown else "are none"
        raise InvalidInputError(f"{at}: triggers", problem, ", ".join(TRIGGERS))
    if "cron" in policy.triggers and not _is_cron(policy.cron_expr):
        accepted = "five fields, minute hour day month weekday, of a date that exists"
        raise InvalidInputError(f"{at}: cron_expr", f"is {policy.cron_expr!a:.40}", accepted)


def _check_id(name: object, at: str) -> None:
    if not isinstance(name, str) or len(name) > _LONGEST_ID or not _ID.fullmatch(name):
        raise InvalidInputError(f"{at}: id", "is not an id", "words in lower case joined by dots")


def _check_text(text: object, field: str) -> None:
    _check_one(text, str, field)
    if not str(text).strip():
        raise InvalidInputError(field, "is blank", "a few words")


def _check_one(value: object, kind: type | UnionType, field: str) -> None:
    if not isinstance(value, kind):
        raise InvalidInputError(field, f"is of type {type(value).__name__}", _named(kind))


def _check_all(values: object, kind: type | UnionType, field: str) -> None:
    """Refuse anything but a list of values of one type, such as a tuple without its comma."""
    if not isinstance(values, tuple | list):
        accepted = f"a tuple of {_named(kind)}; one thing alone needs its comma: (one,)"
        raise InvalidInputError(field, f"is of type {type(values).__name__}", accepted)
    for value in values:
        _check_one(value, kind, field)


def _named(kind: type | UnionType) -> str:
    kinds = kind.__args__ if isinstance(kind, UnionType) else (kind,)
    return " or ".join("text" if part is str else part.__name__ for part in kinds)


def _is_hours(value: object, least: int) -> bool:
    return type(value) is int and least <= value <= _MOST_HOURS


def _is_cron(expression: object) -> bool:
    # `R` is croniter's random value: every dispatcher would draw its own.
    if (
        not isinstance(expression, str)
        or len(expression.split()) != 5
        or any(field[0] in "rR" for field in expression.split())
    ):
        return False
    from croniter import croniter  # 12 ms that a skill without this trigger need not take

    try:
        croniter(expression, _ANY_DAY).get_next()
    except ValueError:  # croniter's own errors are such, also that of the 30th of February
        return False
    return True
