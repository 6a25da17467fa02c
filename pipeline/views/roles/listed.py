"""Roles and their decisions as tables, and what was recorded, marked and recalled."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from afterword.pipeline.domain.decisions.from_trips import WHY_LEFT_OUT, TripDecisions
from afterword.pipeline.domain.decisions.model import Decision, DecisionIds
from afterword.pipeline.operations.roles.counted import DECLARED_NO_MORE, CountedRole
from afterword.pipeline.recall.prompts.prompt_lessons import PromptLesson
from afterword.pipeline.views.blocks import Block, Fields, Items, Paragraph, Section, Table, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.flagged import flag_line, flagged_count
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.words import moment, shorten

_DECISION_CHARS: Final = 120
"""Characters of a decision in a table; `--json` has all of it."""

NOTHING_RECALLED: Final = "nothing that evidence confirms yet; --all shows hints and single cases"

_OUTCOMES: Final = ("right", "wrong", "noise")
_DECISIONS: Final = ("id", "role", "decided", "asset", "says", "state", "outcome", "text")


def role_list(roles: Sequence[CountedRole]) -> View:
    """Return the counts of each role, then what its decisions wait for and why they ended so."""
    rows: list[list[Cell]] = [
        [
            *(role.role, role.decisions, sum(role.waiting.values())),
            *(role.outcomes.get(outcome, 0) for outcome in _OUTCOMES),
            role.skipped,
        ]
        for role in roles
    ]
    columns = ("role", "decisions", "waiting", *_OUTCOMES, "skipped")
    lines = [line for one in roles for line in _of_role(one)]
    return View([Table(columns, rows, "no skill declares a role"), Items(lines)])


def _of_role(role: CountedRole) -> list[str]:
    classes = {word: n for word, n in role.reflected.items() if word not in role.outcomes}
    told = {"waiting": _counts(role.waiting), "classes": _counts(classes)}
    lines = [f"{role.role}, {name}: {words}" for name, words in told.items() if words]
    return [*lines, f"{role.role}: {DECLARED_NO_MORE}"] if role.label == DECLARED_NO_MORE else lines


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {word.replace('_', ' ')}" for word, number in counts.items())


def decision_list(decisions: Sequence[Decision]) -> View:
    """Return decisions below each other."""
    return View([Table(_DECISIONS, list(map(_decision, decisions)), "no decisions")])


def _decision(decision: Decision) -> list[Cell]:
    outcome = (
        ""
        if decision.verdict is None
        else decision.verdict.classification or decision.verdict.outcome
    )
    state = decision.state if decision.reason is None else f"{decision.state}: {decision.reason}"
    text = shorten(decision.decision, _DECISION_CHARS)
    about = decision.asset or "", decision.direction
    return [
        Ref(str(decision.id), "decision", str(decision.id)),
        decision.role_id,
        moment(decision.decided_at),
        *about,
        state,
        outcome,
        text,
    ]


def decision_recorded(done: DecisionIds, due_at: datetime, note: str | None) -> View:
    """Return that a decision is recorded.

    Args:
        due_at: when it can be judged first.
        note: what to know about methods that it cites.
    """
    on = f"; it can be judged from {moment(due_at)} on" if done.is_new else ", as before"
    lines = [f"decision {done.id} ({done.uid}) is recorded{on}"]
    if done.flagged:
        lines.append(flag_line(f"decision {done.id}", f"decision:{done.id}", done.flagged))
    return View([Paragraph(line) for line in (*lines, note) if line is not None])


def decisions_recorded(done: Sequence[DecisionIds], note: str | None) -> View:
    """Return how many decisions of a file are recorded, and how many were before."""
    fresh = sum(one.is_new for one in done)
    known = len(done) - fresh
    line = f"{fresh:,} decision{' is' if fresh == 1 else 's are'} recorded"
    line += f", {known:,} {'was' if known == 1 else 'were'} before"
    line += flagged_count(sum(bool(one.flagged) for one in done))
    return View([Paragraph(said) for said in (line, note) if said is not None])


def trips_recorded(done: TripDecisions) -> View:
    """Return how many round trips became decisions, and which count no more."""
    lines = [f"{count(done.recorded, 'trip')} recorded, {done.known:,} known before"]
    lines += (
        f"{count(number, 'trip')} left out, {reason}: {WHY_LEFT_OUT[reason]}"
        for reason, number in sorted(done.left_out.items())
    )
    for uids, what in ((done.changed, "says something else now"), (done.gone, "exists no more")):
        if uids:
            named = ", ".join(uids[:3]) + (", …" if len(uids) > 3 else "")
            verb = "counts" if len(uids) == 1 else "count"
            ends = f"{count(len(uids), 'decision')} {verb} no more, since the trip {what}"
            lines.append(f"{ends}: {named}")
    return View(list(map(Paragraph, lines)))


def recalled(lessons: Sequence[PromptLesson]) -> View:
    """Return each lesson with what it is about, and why it came."""
    if not lessons:
        return View([Paragraph(NOTHING_RECALLED)])
    return View([Section("", [_lesson(place, one)]) for place, one in enumerate(lessons, start=1)])


def _lesson(place: int, lesson: PromptLesson) -> Block:
    lines = {
        f"{place}. {lesson.label}": lesson.text,
        "   about": lesson.about,
        "   known since": f"{lesson.known_at:%Y-%m-%d}",
        "   decision": "" if lesson.uid is None else str(lesson.id),
        "   comes because": "; ".join(lesson.why),
    }
    return Fields({name: value for name, value in lines.items() if value != ""})
