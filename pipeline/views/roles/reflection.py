"""What a reflection did: what was judged, measured and weighed, and what the others wait for."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.decisions.tally import Tally
from afterword.pipeline.domain.reflection.judge import DRAFT
from afterword.pipeline.gateway.switches import Switch
from afterword.pipeline.operations.loop.reflect_now import ReflectionCounts
from afterword.pipeline.views.blocks import Fields, Paragraph, View
from afterword.pipeline.views.flagged import flag_line
from afterword.pipeline.views.words import ago, in_time

_REMEDIES: Final = {
    "no price": "`afterword prices fetch` or `prices import`; it is looked at when they come",
    "bars too coarse": "finer ones: `afterword prices fetch --interval 1h` or `prices import`",
    "too little history": "`afterword prices import` brings what was before",
    "no mark": "`afterword role mark ID OUTCOME --note ...` says what became of one",
    "lessons are": f"`afterword switch set {DRAFT} on`, then `afterword role reflect --parked`",
}
"""What ends a wait, by how the reason to be parked begins."""


def reflected(done: ReflectionCounts, classify: Switch, now: datetime) -> View:
    """Return what a reflection came to.

    Args:
        classify: the switch of the task that judges.
    """
    fields = (_tally(done.tally) if classify.mode.is_enabled else {}) | _learned(done)
    lines = [*_held_back(done, classify, now)]
    is_explained = done.at_work or done.postponed or not classify.mode.has_effect
    if done.tally == Tally() and not is_explained:
        lines += _waiting(done, now)
    return View([*([Fields(fields)] if fields else []), *map(Paragraph, lines)])


def marked(decision: Decision, flagged: Sequence[str]) -> View:
    """Return that a decision was marked.

    Args:
        flagged: what its note was flagged for.
    """
    lines = [f"decision {decision.id} is marked {decision.mark}"]
    if flagged:
        lines.append(flag_line(f"decision {decision.id}", f"decision:{decision.id}", flagged))
    return View(list(map(Paragraph, lines)))


def _held_back(done: ReflectionCounts, classify: Switch, now: datetime) -> Iterator[str]:
    """Yield what did not happen, why, and what ends that."""
    if not classify.mode.has_effect:
        yield _held(classify, now)
    for reason in done.tally.parked:
        if remedy := _remedy(reason):
            yield f"{reason}: {remedy}"
    for role_id in done.at_work:
        yield f"{role_id} is left out: a job reflects on it now"
    if done.waiting and done.again_at is not None:
        waits = "waits" if done.waiting == 1 else "wait"
        first = f"{waits} for another try, the first {in_time(done.again_at, now)}"
        yield f"{done.waiting:,} {first}; --parked asks now"
    if done.ladder.anew:
        line = f"{done.ladder.anew:,} outcomes of older rules are measured anew"
        yield f"{line}; {done.ladder.changed:,} of them have another verdict"
    if done.unworded is not None:
        yield f"patterns keep the words of a template: {done.unworded}"


def _waiting(done: ReflectionCounts, now: datetime) -> Iterator[str]:
    """Yield why no decision could be judged."""
    if done.pending:
        when = (
            ""
            if done.next_at is None
            else f"; the next one can be judged {in_time(done.next_at, now)}"
        )
        yield f"pending decisions: {done.pending:,}{when}"
    for reason, number in done.parked.items():
        remedy = _remedy(reason)
        yield f"parked decisions, {reason}: {number:,}" + (f"; {remedy}" if remedy else "")
    if not (done.pending or done.parked or done.waiting):
        yield "no decision waits for a judgement"


def _learned(done: ReflectionCounts) -> dict[str, int]:
    """Return what was measured and weighed beside the judgements."""
    measured = sum(done.ladder.outcomes.values())
    counts: dict[str, int] = {"outcomes measured": measured} if measured else {}
    return counts | {f"patterns, {state}": n for state, n in done.patterns.items()}


def _remedy(reason: str) -> str:
    """Return what ends a wait for this reason; empty if unknown."""
    remedies = (remedy for word, remedy in _REMEDIES.items() if reason.startswith(word))
    return next(remedies, "")


def _held(switch: Switch, now: datetime) -> str:
    """Say that a task does not count, since when and why."""
    since = "" if switch.changed_at is None else f", set {ago(switch.changed_at, now)}"
    note = f" ({switch.note})" if switch.note else ""
    effect = "changes nothing" if switch.mode.is_enabled else "judges nothing"
    how = "in the shadow" if switch.mode.is_enabled else "off"
    remedy = f"`afterword switch set {switch.task} on`"
    return f"{switch.task} is {how}{since}{note}: it {effect}; {remedy} ends that"


def _tally(done: Tally) -> dict[str, int]:
    counts: dict[str, int] = {word.replace("_", " "): n for word, n in done.reflected.items()}
    counts |= {f"parked, {reason}": n for reason, n in done.parked.items()}
    counts |= {f"skipped, {reason}": n for reason, n in done.skipped.items()}
    others = {"to ask again": done.failed, "in shadow": done.shadowed}
    return counts | {name: n for name, n in others.items() if n} or {"reflected": 0}
