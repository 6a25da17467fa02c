"""A pass of the synthesis: what it did to methods, and what it had to leave undone."""

from datetime import datetime
from typing import Final

from afterword.pipeline.domain.synthesis.luck import luck_of
from afterword.pipeline.domain.synthesis.model import SynthesisReport
from afterword.pipeline.views.blocks import Paragraph, View

_OFF: Final = "learning is off (AFTERWORD_LEARNING_ENABLED): nothing is scored or written"

_DONE: Final = {
    "promising": "became promising",
    "not_promising": "no longer promising",
    "graduated": "graduated",
    "demoted": "demoted by their record",
    "requantized_by_judge": "demoted by the judge",
    "synthesis_auto_demote": "demoted by repeated flags",
    "flag": "flagged by the judge",
    "recover": "recovered by the judge",
    "merged": "merged into another",
    "seeded": "made from cases and patterns, to be tried",
}

_PARTS: Final = {
    "judge": "the judge of graduates was not asked",
    "seeds": "no methodology was made from cases and patterns",
}


def synthesis_off() -> View:
    """Return that no pass is made."""
    return View([Paragraph(_OFF)])


def synthesis_done(report: SynthesisReport, now: datetime) -> View:
    """Return what a pass did, and what the gate that is not in force would say."""
    numbers = report.numbers
    cases = numbers["cases"]
    lines = [
        f"cases: {cases['opened']:,} opened, {cases['closed']:,} closed, "
        f"{cases['settled']:,} with a new result"
    ]
    lines += (
        f"{group} stands still, nothing of it is graduated: {why}"
        for group, why in numbers["frozen"].items()
    )
    lines += (
        f"{_DONE.get(change, change.replace('_', ' '))}: {number:,}"
        for change, number in numbers["changes"].items()
    )
    lines += (
        f"{_PARTS[part]}, and the next pass tries again: {why}"
        for part, why in numbers["waits"].items()
    )
    if not numbers["changes"]:
        lines.append("no methodology changed its state")
    lines.append(luck_of(numbers, now).words)
    other = "literal" if report.gate == "strict" else "strict"
    graduated = numbers["literal_graduated" if other == "literal" else "graduated"]
    lines.append(f"The {other} gate, which is not in force, has {graduated:,} graduated.")
    return View(list(map(Paragraph, lines)))
