"""Where two replays part, and which decisions ended otherwise."""

from typing import Final

from afterword.pipeline.operations.replay_report.compare import (
    DecisionPair,
    DifferingEvent,
    ReplayComparison,
)
from afterword.pipeline.views.blocks import Block, Paragraph, Table, View, paragraphs
from afterword.pipeline.views.words import moment, shorten

_LONGEST: Final = 160
"""Characters of a value that is shown."""

_SAID: Final = frozenset({"event", "moment", "name"})
"""What the line above the values says."""


def replay_comparison(comparison: ReplayComparison) -> View:
    """Return the first event in which two replays differ, and the decisions that do."""
    blocks = paragraphs(
        f"setting {name}: {' | '.join(shorten(value, _LONGEST) for value in values)}"
        for name, values in comparison.written_settings().items()
    )
    if comparison.first is None:
        until = "" if comparison.same_until is None else f" until {moment(comparison.same_until)}"
        names = f"{comparison.left} and {comparison.right}"
        equal = f"{names} are equal{until}: every hashed row is the same"
        return View([*blocks, Paragraph(equal)])
    if comparison.same_until is not None:
        blocks.append(Paragraph(f"equal until {moment(comparison.same_until)}"))
    return View([*blocks, *_event(comparison, comparison.first), *_decisions(comparison)])


def _event(comparison: ReplayComparison, first: DifferingEvent) -> list[Block]:
    at = "at the end" if first.at is None else f"at {moment(first.at)}"
    sentences = [f"the first difference is {at}: {first.kind} {first.name}"]
    for name, line in ((comparison.left, first.left), (comparison.right, first.right)):
        if line is None:
            sentences.append(f"{name} has no such event there")
            continue
        values = first.written_values(line)
        shown = ", ".join(f"{key} {value}" for key, value in values.items() if key not in _SAID)
        sentences.append(f"{name}: {shorten(shown, _LONGEST)}")
    return paragraphs(sentences)


def _decisions(comparison: ReplayComparison) -> list[Block]:
    left, right = comparison.left, comparison.right
    counts = (
        f"{comparison.paired:,} decisions in both, {comparison.differing:,} of them with another "
        f"end; {comparison.only_left:,} only in {left}, {comparison.only_right:,} only in {right}"
    )
    columns = ("decision", "decided", "differs in", left, right)
    return [Paragraph(counts), Table(columns, list(map(_row, comparison.pairs)))]


def _row(pair: DecisionPair) -> tuple[str, ...]:
    ends = (
        " ".join(str(side[name] or "-") for name in ("direction", "outcome", "result"))
        for side in (pair.left, pair.right)
    )
    return pair.key, moment(pair.at), ", ".join(pair.differing), *ends
