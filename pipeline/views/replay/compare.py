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


def replay_comparison(found: ReplayComparison) -> View:
    """Return the first event in which two replays differ, and the decisions that do."""
    blocks = paragraphs(
        f"setting {name}: {' | '.join(shorten(value, _LONGEST) for value in values)}"
        for name, values in found.written_settings().items()
    )
    if found.first is None:
        until = "" if found.same_until is None else f" until {moment(found.same_until)}"
        equal = f"{found.left} and {found.right} are equal{until}: every hashed row is the same"
        return View([*blocks, Paragraph(equal)])
    if found.same_until is not None:
        blocks.append(Paragraph(f"equal until {moment(found.same_until)}"))
    return View([*blocks, *_event(found, found.first), *_decisions(found)])


def _event(found: ReplayComparison, first: DifferingEvent) -> list[Block]:
    at = "at the end" if first.at is None else f"at {moment(first.at)}"
    said = [f"the first difference is {at}: {first.kind} {first.name}"]
    for name, line in ((found.left, first.left), (found.right, first.right)):
        if line is None:
            said.append(f"{name} has no such event there")
            continue
        values = first.written_values(line)
        shown = ", ".join(f"{key} {value}" for key, value in values.items() if key not in _SAID)
        said.append(f"{name}: {shorten(shown, _LONGEST)}")
    return paragraphs(said)


def _decisions(found: ReplayComparison) -> list[Block]:
    counts = (
        f"{found.paired:,} decisions in both, {found.differing:,} of them with another end; "
        f"{found.only_left:,} only in {found.left}, {found.only_right:,} only in {found.right}"
    )
    columns = ("decision", "decided", "differs in", found.left, found.right)
    return [Paragraph(counts), Table(columns, list(map(_row, found.pairs)))]


def _row(pair: DecisionPair) -> tuple[str, ...]:
    ends = (
        " ".join(str(side[name] or "-") for name in ("direction", "outcome", "result"))
        for side in (pair.left, pair.right)
    )
    return pair.key, moment(pair.at), ", ".join(pair.differing), *ends
