"""One decision: who made it and why, when it is judged, how it ended."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.decisions.ladder import own_window
from afterword.pipeline.domain.decisions.lesson_sets import ToldLesson, ToldLessons
from afterword.pipeline.domain.decisions.model import Decision, ShadowVerdict
from afterword.pipeline.domain.decisions.read import DecisionDetails
from afterword.pipeline.domain.outcomes.counting import does_count
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome
from afterword.pipeline.domain.reflection.measure import number
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.views.blocks import Fields, View
from afterword.pipeline.views.roles.outcome_words import ladder_lines, measured_lines
from afterword.pipeline.views.words import moment, shorten

MAX_JSON_SHOWN: Final = 400
"""Characters of inputs and of a frozen context as text; `--json` has all of them."""


def decision(shown: DecisionDetails, role: Role | None) -> View:
    """Return everything about one decision.

    Args:
        role: None where no skill declares it any more.
    """
    decided = shown.decision
    lines = _made(shown, role) | _waits(decided, role, shown.outcomes) | _measured(decided, shown)
    is_planned = decided.stop_price is not None or decided.target_price is not None
    lines |= measured_lines(shown.outcomes, role, is_planned=is_planned)
    lines |= ladder_lines(shown.outcomes) | _judged(decided)
    lines |= {f"in shadow {place}": _said(it) for place, it in enumerate(shown.shadows, start=1)}
    return View([Fields({name: value for name, value in lines.items() if value != ""})])


def ripe_at(decision: Decision, role: Role | None) -> datetime | None:
    """Return when a decision may be looked at first; None where no skill declares its role."""
    return None if role is None else decision.decided_at + role.reflection_policy.min_age


def _made(shown: DecisionDetails, role: Role | None) -> dict[str, str | int]:
    decided = shown.decision
    session = "" if decided.session_id is None else f", session {decided.session_id}"
    return {
        "decision": f"{decided.id} ({decided.uid})",
        "role": f"{decided.role_id} ({'declared no more' if role is None else role.label})",
        "made by": f"{decided.origin}{session}",
        "scenario": decided.scenario_id or "",
        "key": decided.key or "",
        "decided": moment(decided.decided_at),
        "recorded": _recorded(decided, role),
        "asset": decided.asset or "",
        "direction": decided.direction,
        "confidence": "" if decided.confidence is None else str(decided.confidence),
        "plan": _plan(decided),
        "methods": ", ".join(decided.methods),
        "hint": decided.hint_hash or "",
        "lessons told": _told(shown.lessons),
        "text": decided.decision,
        "inputs": _json(decided.inputs),
        "context": _json(shown.context),
        "supersedes": "" if shown.supersedes is None else f"decision {shown.supersedes}",
    }


def _recorded(decided: Decision, role: Role | None) -> str:
    """Say when a decision was recorded, and whether it counts if that was long after it."""
    line, hours = moment(decided.known_at), own_window(role)
    if hours is None or not decided.waited_too_long(hours):
        return line
    if decided.is_late(hours):
        return f"{line}, late: it counts in no lesson and no share"
    return f"{line}, afterwards by {'its owner' if decided.recorded_by == 'owner' else 'a replay'}"


def _waits(
    decided: Decision, role: Role | None, outcomes: Sequence[MeasuredOutcome]
) -> dict[str, str | int]:
    ripe, retry = ripe_at(decided, role), decided.retry_at
    by = "" if decided.superseded_by is None else f" by decision {decided.superseded_by}"
    state = decided.state if decided.reason is None else f"{decided.state}: {decided.reason}"
    return {
        "ripe": "" if ripe is None else moment(ripe),
        "superseded": ""
        if decided.superseded_at is None
        else f"{moment(decided.superseded_at)}{by}",
        "vote": _vote(decided, outcomes),
        "state": f"{state}, since {moment(decided.state_at)}",
        "why": decided.why or "",
        "failed questions": decided.tries or "",
        "next look": "" if retry is None else moment(retry),
        "marked": ""
        if decided.marked_at is None
        else f"{decided.mark}, {moment(decided.marked_at)}",
        "note": decided.mark_note or "",
    }


def _vote(decided: Decision, outcomes: Sequence[MeasuredOutcome]) -> str:
    """Return whether a superseded decision counts; empty until its entry is known."""
    if decided.corrected_at is not None:
        return "none: the trip it was made from says something else now, or is gone"
    if decided.superseded_at is None or not outcomes:
        return ""
    if does_count(to_micros(decided.superseded_at), None, outcomes[0].entry_at):
        return "counts: it was replaced after its entry"
    return "none: it was replaced before its entry"


def _measured(decided: Decision, shown: DecisionDetails) -> dict[str, str | int]:
    if decided.verdict is None:
        return {}
    measured = decided.verdict.measured
    why = str(measured.get("why", ""))
    return {
        "entry": _price(measured.get("entry")),
        "exit": _price(measured.get("exit")),
        "change": _percent(measured, "change"),
        "noise band": _percent(measured, "band", sign=""),
        "after costs": _percent(measured, "result"),
        "move before": "" if shown.outcomes else _percent(measured, "trend_before"),
        "measured": "" if why in decided.verdict.narrative else why,
    }


def _judged(decided: Decision) -> dict[str, str | int]:
    if decided.verdict is None or decided.classified_at is None:
        return {}
    verdict = decided.verdict
    return {
        "outcome": verdict.outcome,
        "class": (verdict.classification or "").replace("_", " "),
        "judged": f"{moment(decided.classified_at)} by {verdict.by}",
        "story": verdict.narrative,
        "lesson": decided.lesson or "",
        "drafted by": decided.lesson_by or "",
        "reflected": "" if decided.reflected_at is None else moment(decided.reflected_at),
    }


def _told(lessons: ToldLessons | None) -> str:
    """Return what its prompt held of lessons, and what the draw left out of it."""
    if lessons is None:
        return ""
    shown = ", ".join(map(_named, lessons.shown)) or "none"
    left_out = ", ".join(map(_named, lessons.left_out))
    return f"{shown}; left out by the draw: {left_out}" if left_out else shown


def _named(lesson: ToldLesson) -> str:
    if lesson.kind == "pattern":
        return f"{lesson.name} (pattern {lesson.id})"
    return f"{lesson.kind} of decision {lesson.id}"


def _plan(decided: Decision) -> str:
    fields = (
        ("stop {}", decided.stop_price),
        ("target {}", decided.target_price),
        ("size {} USD", decided.size_usd),
        ("leverage {}", decided.leverage),
    )
    return ", ".join(form.format(plain(value)) for form, value in fields if value is not None)


def _said(shadow: ShadowVerdict) -> str:
    word = "" if shadow.classification is None else f" {shadow.classification.replace('_', ' ')}:"
    return f"{shadow.task}, {moment(shadow.at)} by {shadow.by}:{word} {shadow.said}"


def _json(value: Mapping[str, Any]) -> str:
    if not value:
        return ""
    whole = json.dumps(value, ensure_ascii=False)
    if len(whole) <= MAX_JSON_SHOWN:
        return whole
    return f"{shorten(whole, MAX_JSON_SHOWN)} ({len(whole):,} characters; --json has all)"


def _price(point: Mapping[str, str] | None) -> str:
    if point is None:
        return ""
    at = moment(datetime.fromisoformat(point["at"]))
    return f"{plain(Decimal(point['price']))} at {at}, {point['symbol']} of {point['source']}"


def _percent(measured: Mapping[str, Any], name: str, sign: str = "+") -> str:
    share = number(measured, name)
    return "" if share is None else f"{share * 100:{sign}.2f} %"
