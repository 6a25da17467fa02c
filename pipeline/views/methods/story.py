"""A method as a plan: its steps, its record in both gates, and what happened to it."""

from typing import Final

from afterword.pipeline.domain.methodologies.model import (
    HORIZON_HOURS,
    LifecycleEvent,
    MethodNumbers,
    Methodology,
    MethodPhase,
    MethodSighting,
)
from afterword.pipeline.domain.methodologies.read import GraduateCounts, MethodologyStory
from afterword.pipeline.domain.synthesis.judge import FLAGGED_AT, FLAGS_TO_DEMOTE
from afterword.pipeline.rules.evidence.graduation import LOST_AT
from afterword.pipeline.rules.evidence.model import HitCount
from afterword.pipeline.rules.text.numbers import amount
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, Table, View
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.words import moment

_EVENTS: Final = ("at", "event", "gate", "by", "why")
_SIGHTINGS: Final = ("written again", "origin", "recognised by", "likeness")

_STATES: Final = {
    "new": "new: no decision that counts for it has an outcome yet",
    "trying": "trying: it has outcomes, and is not told apart from luck",
    "promising": "promising: by itself told apart from luck; not among all that were tried",
    "graduated": "graduated: prompts show it",
    "demoted": "demoted: it was graduated, and lost its edge or was doubted",
    "flagged": "flagged: a judge doubts it, and no prompt shows it",
    "merged": "merged: it goes on in another one",
    "deleted": "deleted: no prompt shows it; its record keeps counting",
}


def method_story(story: MethodologyStory) -> View:
    """Return a method as a plan, with both gates, and what happened to it."""
    method = story.methodology
    blocks: list[Block] = [Fields(_facts(method))]
    if method.phases:
        blocks.append(Section("", _phases(method.phases)))
    if method.figures is not None:
        blocks.append(Section("", [Fields(_record(method.figures, story.counts))]))
    events = Table(_EVENTS, list(map(_event, story.events)), "no event")
    blocks.append(Section("", [events]))
    if story.sightings:
        again = Table(_SIGHTINGS, list(map(_sighting, story.sightings)))
        blocks.append(Section("", [again]))
    return View(blocks)


def _facts(method: Methodology) -> dict[str, str]:
    days = HORIZON_HOURS[method.timeframe] // 24
    facts = {
        "methodology": f"{method.id} ({method.uid})",
        "name": method.name,
        "state": _STATES[method.state],
        "what to do": method.methodology,
        "evidence": method.evidence,
        "about": f"{method.asset_class}, {method.direction}, {method.primary_signal}",
        "horizon": f"{method.timeframe}: {count(days, 'day')}",
        "watches": ", ".join(method.indicators),
        "source": f"{method.source}, from {method.origin}",
        "known at": moment(method.known_at),
        "written": count(method.sightings, "time"),
        "goes on in": method.merged_into or "",
        "elsewhere": _elsewhere(method),
        "injection": _injection(method),
    }
    return {name: value for name, value in facts.items() if value != ""}


def _elsewhere(method: Methodology) -> str:
    if method.imported_uses is None:
        return ""
    right = f"right {amount(method.imported_correct or 0)} of {amount(method.imported_uses)} uses"
    return f"{right}; shown, and never counted here"


def _injection(method: Methodology) -> str:
    if not method.injection:
        return ""
    kinds = ", ".join(dict.fromkeys(str(found["kind"]) for found in method.injection))
    if method.injection_cleared_at is not None:
        return f"{kinds}; cleared by the owner on {moment(method.injection_cleared_at)}"
    return (
        f"{kinds}: no prompt shows it; `afterword methodology clear {method.id}` if it is harmless"
    )


def _phases(phases: tuple[MethodPhase, ...]) -> list[Block]:
    lines: list[str] = []
    for place, phase in enumerate(phases, 1):
        after = f" (after {', '.join(phase.depends_on)})" if phase.depends_on else ""
        lines.append(f"{place}. {phase.name}{after}")
        lines += (f"- until: {criterion}" for criterion in phase.criteria)
        lines += [f"- with: {', '.join(phase.tools_used)}"] if phase.tools_used else []
    return list(map(Paragraph, lines))


def _record(figures: MethodNumbers, counts: GraduateCounts | None) -> dict[str, str]:
    right = _right(figures.effective_correct, figures.effective_uses, figures.expected)
    facts = {
        "confidence": f"{figures.confidence:.2f}",
        "strict gate": f"{right}; {count(figures.spent, 'stretch', 'stretches')} without a vote",
        "before, since": ""
        if counts is None
        else f"{_count(counts.before)} before it graduated; "
        f"{_count(counts.since)} since, which nobody knew then",
        "evidence": f"a bet of 1 on its skill became {_bet(figures.e_value)}; 20 is the least",
        "edge lost": _lost(figures) if figures.strict_since else "",
        "promising": ""
        if figures.promising_since is None
        else f"since {moment(figures.promising_since)}",
        "graduated since": "" if figures.strict_since is None else moment(figures.strict_since),
        "until a verdict": "" if figures.strict_since else _needed(figures),
        "literal gate": f"right {amount(figures.times_correct)} of"
        f" {count(figures.times_used, 'window')}; "
        + (
            "not graduated"
            if figures.literal_since is None
            else f"since {moment(figures.literal_since)}"
        ),
    }
    return {name: value for name, value in facts.items() if value != ""}


def _lost(figures: MethodNumbers) -> str:
    bet = f"a bet of 1 on that stands at {_bet(figures.reverse_bet)}; {LOST_AT:g} demotes"
    flags = f"{FLAGS_TO_DEMOTE} flags in a row; without a model {FLAGGED_AT:g} flags"
    return f"{bet}, and so do {flags}"


def _needed(figures: MethodNumbers) -> str:
    """Return how much longer a verdict takes; empty without votes."""
    if not figures.effective_uses:
        return ""
    if figures.uses_needed is None:
        return "none in sight at its present rate"
    needed = f"about {count(figures.uses_needed, 'stretch', 'stretches')} more at its present rate"
    at = "" if figures.verdict_at is None else f", not before {figures.verdict_at:%Y-%m-%d}"
    return f"{needed}{at}"


def _right(hits: float, of: int, expected: float) -> str:
    stretches = count(of, "stretch", "stretches")
    return f"right {amount(hits)} of {stretches}, {amount(expected)} without skill"


def _count(hits: HitCount) -> str:
    return _right(hits.hits, hits.n_eff, hits.expected)


def _bet(value: float) -> str:
    return "more than a million" if value > 1_000_000 else f"{value:,.3g}"


def _event(event: LifecycleEvent) -> list[Cell]:
    return [moment(event.known_at), event.kind, event.gate or "", event.said_by, _why(event)]


def _why(event: LifecycleEvent) -> str:
    numbers = ", ".join(
        f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in event.numbers.items()
        if isinstance(value, int | float | str) and not isinstance(value, bool)
    )
    return "; ".join(part for part in (event.reason_text, numbers) if part)


def _sighting(sighting: MethodSighting) -> list[Cell]:
    likeness = "" if sighting.likeness is None else f"{sighting.likeness:.2f}"
    return [moment(sighting.known_at), sighting.origin, sighting.recognised_by, likeness]
