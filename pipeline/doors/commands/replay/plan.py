"""The plan of a replay, from options as they were typed."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Final, cast

from afterword.pipeline.domain.prices.intervals import read_interval
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.commands.roles.lines import read_decisions
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.replay.from_group import read_group
from afterword.pipeline.operations.replay.ids import uid_of
from afterword.pipeline.operations.replay.model import ReplayInput
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.replay.read_inputs import input_of
from afterword.pipeline.operations.replay.run import roles_for
from afterword.pipeline.rules.market.signals import RuleName

_HOUR_S: Final = 3_600

_MOST_DECISIONS: Final = 1_000_000
"""Recorded decisions of one file."""


def with_decisions(call: Call, plan: ReplayPlan, path: Path) -> ReplayPlan:
    """Return a plan with the recorded decisions of a file; each needs its moment."""
    known = (*plan.known, input_of("decisions", path))
    registry = roles_for(call.settings.home, plan.horizon_hours)
    decisions = read_decisions(path, registry, most=_MOST_DECISIONS)
    for index, row in enumerate(decisions):
        if row.decided_at is None:
            field = f"decisions[{index}].decided_at"
            raise InvalidInputError(field, "is missing", "when it was decided, with its zone")
    named = [
        replace(row, uid=uid_of(plan.seed, row.record_key or f"{path.name} {index}"))
        for index, row in enumerate(decisions)
    ]
    return replace(plan, decisions=(*plan.decisions, *named), known=known)


def with_group(call: Call, plan: ReplayPlan, group: str) -> ReplayPlan:
    """Return a plan with what a group knows."""
    known = read_group(call.stores().group(group), call.now())
    return replace(
        plan,
        series=(*plan.series, *known.prices),
        classes=known.classes,
        methods=known.methods,
        decisions=(*plan.decisions, *known.decisions),
        runs=(*plan.runs, *known.runs),
        known=(*plan.known, ReplayInput("group", group)),
    )


def rule_of(text: str) -> tuple[RuleName, str]:
    """Return a rule and its parameters as JSON, from `momentum:lookback_hours=336,...`."""
    name, _, rest = text.partition(":")
    pairs = [part.partition("=") for part in rest.split(",") if part]
    given = {key.strip(): value.strip() for key, _, value in pairs}
    return cast(RuleName, name), json.dumps(
        {key: int(value) if value.isdigit() else value for key, value in given.items()}
    )


def date_of(text: str | None) -> str:
    """Return a date as it is kept; empty without one."""
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        problem = f"must be a date, got {text!a:.40}"
        raise InvalidInputError("known_until", problem, "2025-03-31") from None


def hours_of(text: str, field: str) -> int:
    """Return a length of time in hours, from `7d` or `12h`."""
    try:
        length = read_interval(text)
    except InvalidInputError as error:
        raise InvalidInputError(field, error.problem, "a number and h or d: 7d") from None
    hours = int(length.total_seconds()) // _HOUR_S
    if hours < 1 or length.total_seconds() % _HOUR_S:
        raise InvalidInputError(field, f"is {text}", "whole hours or days: 12h, 7d")
    return hours
