"""Print a methodology: as a row of a list, and as a plan with its record and its story."""

from typing import Final

from afterword.pipeline.domain.methodologies.model import (
    HORIZON_HOURS,
    LifecycleEvent,
    MethodNumbers,
    Methodology,
)
from afterword.pipeline.domain.methodologies.read import GraduateCounts, MethodologyStory
from afterword.pipeline.domain.synthesis.judge import FLAGGED_AT, FLAGS_TO_DEMOTE
from afterword.pipeline.doors.cli.output import Cell, print_fields, print_line, print_table
from afterword.pipeline.rules.evidence.graduation import LOST_AT
from afterword.pipeline.rules.evidence.model import HitCount
from afterword.pipeline.rules.text.numbers import amount
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.words import moment

COLUMNS: Final = ("number", "id", "state", "class", "direction", "timeframe", "record", "name")

STATE_WORDS: Final = {
    "new": "new: no decision that counts for it has an outcome yet",
    "trying": "trying: it has outcomes, and is not told apart from luck",
    "promising": "promising: by itself told apart from luck; not among all that were tried",
    "graduated": "graduated: prompts show it",
    "demoted": "demoted: it was graduated, and lost its edge or was doubted",
    "flagged": "flagged: a judge doubts it, and no prompt shows it",
    "merged": "merged: it goes on in another one",
    "deleted": "deleted: no prompt shows it; its record keeps counting",
}
_NO_RECORD: Final = "none"


def row(one: Methodology) -> list[Cell]:
    """Return a methodology as a row of a list."""
    found = one.figures
    record = _NO_RECORD
    if found is not None and found.effective_uses:
        record = f"{amount(found.effective_correct)} of {amount(found.effective_uses)}"
    mark = " (placebo)" if one.source == "placebo" else "" if one.is_clean else " (like an order)"
    return [
        *(one.id, one.uid, f"{one.state}{mark}", one.asset_class, one.direction),
        *(one.timeframe, record, one.name),
    ]


def print_story(story: MethodologyStory) -> None:
    """Print a methodology as a plan, with both gates, and what happened to it."""
    one = story.methodology
    print_fields(_facts(one))
    if one.phases:
        print_line("")
        for place, phase in enumerate(one.phases, 1):
            after = f" (after {', '.join(phase.depends_on)})" if phase.depends_on else ""
            print_line(f"{place}. {phase.name}{after}")
            for criterion in phase.criteria:
                print_line(f"- until: {criterion}")
            if phase.tools_used:
                print_line(f"- with: {', '.join(phase.tools_used)}")
    if one.figures is not None:
        print_line("")
        print_fields(_record(one.figures, story.counts))
    print_line("")
    rows = [
        [moment(event.known_at), event.kind, event.gate or "", event.said_by, _why(event)]
        for event in story.events
    ]
    print_table(("at", "event", "gate", "by", "why"), rows, "no event")
    if story.sightings:
        print_line("")
        again: list[list[Cell]] = [
            [
                *(moment(other.known_at), other.origin, other.recognised_by),
                "" if other.likeness is None else f"{other.likeness:.2f}",
            ]
            for other in story.sightings
        ]
        print_table(("written again", "origin", "recognised by", "likeness"), again)


def _facts(one: Methodology) -> dict[str, Cell]:
    days = HORIZON_HOURS[one.timeframe] // 24
    found: dict[str, Cell] = {
        "methodology": f"{one.id} ({one.uid})",
        "name": one.name,
        "state": STATE_WORDS[one.state],
        "what to do": one.methodology,
        "evidence": one.evidence,
        "about": f"{one.asset_class}, {one.direction}, {one.primary_signal}",
        "horizon": f"{one.timeframe}: {count(days, 'day')}",
        "watches": ", ".join(one.indicators),
        "source": f"{one.source}, from {one.origin}",
        "known at": moment(one.known_at),
        "written": count(one.sightings, "time"),
        "goes on in": one.merged_into or "",
        "elsewhere": _elsewhere(one),
        "injection": _injection(one),
    }
    return {name: value for name, value in found.items() if value != ""}


def _elsewhere(one: Methodology) -> str:
    if one.imported_uses is None:
        return ""
    right = f"right {amount(one.imported_correct or 0)} of {amount(one.imported_uses)} uses"
    return f"{right}; shown, and never counted here"


def _injection(one: Methodology) -> str:
    if not one.injection:
        return ""
    kinds = ", ".join(dict.fromkeys(str(found["kind"]) for found in one.injection))
    if one.injection_cleared_at is not None:
        return f"{kinds}; cleared by the owner on {moment(one.injection_cleared_at)}"
    return f"{kinds}: no prompt shows it; `afterword methodology clear {one.id}` if it is harmless"


def _lost(found: MethodNumbers) -> str:
    bet = f"a bet of 1 on that stands at {_bet(found.reverse_bet)}; {LOST_AT:g} demotes"
    flags = f"{FLAGS_TO_DEMOTE} flags in a row; without a model {FLAGGED_AT:g} flags"
    return f"{bet}, and so do {flags}"


def _record(found: MethodNumbers, counts: GraduateCounts | None) -> dict[str, Cell]:
    facts: dict[str, Cell] = {
        "confidence": f"{found.confidence:.2f}",
        "strict gate": f"{_right(found.effective_correct, found.effective_uses, found.expected)}; "
        f"{count(found.spent, 'stretch', 'stretches')} without a vote",
        "before, since": ""
        if counts is None
        else f"{_count(counts.before)} before it graduated; "
        f"{_count(counts.since)} since, which nobody knew then",
        "evidence": f"a bet of 1 on its skill became {_bet(found.e_value)}; 20 is the least",
        "edge lost": _lost(found) if found.strict_since else "",
        "promising": ""
        if found.promising_since is None
        else f"since {moment(found.promising_since)}",
        "graduated since": "" if found.strict_since is None else moment(found.strict_since),
        "until a verdict": "" if found.strict_since else _needed(found),
        "literal gate": f"right {amount(found.times_correct)} of"
        f" {count(found.times_used, 'window')}; "
        + (
            "not graduated"
            if found.literal_since is None
            else f"since {moment(found.literal_since)}"
        ),
    }
    return {name: value for name, value in facts.items() if value != ""}


def _needed(found: MethodNumbers) -> str:
    """Return how much longer a verdict takes; empty without votes."""
    if not found.effective_uses:
        return ""
    if found.uses_needed is None:
        return "none in sight at its present rate"
    needed = f"about {count(found.uses_needed, 'stretch', 'stretches')} more at its present rate"
    at = "" if found.verdict_at is None else f", not before {found.verdict_at:%Y-%m-%d}"
    return f"{needed}{at}"


def _right(hits: float, of: int, expected: float) -> str:
    stretches = count(of, "stretch", "stretches")
    return f"right {amount(hits)} of {stretches}, {amount(expected)} without skill"


def _count(one: HitCount) -> str:
    return _right(one.hits, one.n_eff, one.expected)


def _bet(value: float) -> str:
    return "more than a million" if value > 1_000_000 else f"{value:,.3g}"


def _why(event: LifecycleEvent) -> str:
    numbers = ", ".join(
        f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in event.numbers.items()
        if isinstance(value, int | float | str) and not isinstance(value, bool)
    )
    return "; ".join(one for one in (event.reason_text, numbers) if one)
