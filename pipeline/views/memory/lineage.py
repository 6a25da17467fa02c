"""Where a memory, decision, lesson or method comes from: one row for each step back."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.recall.lineage.trace import TracedStep
from afterword.pipeline.views.blocks import Block, Paragraph, Table, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.words import SHOWN_CHARS, moment, shorten

_KINDS: Final = {
    "memory": "memory",
    "trip": "trade",
    "decision": "decision",
    "methodology": "method",
    "learning": "learning",
}
"""What the pages of things call them, by what a step calls them."""

_COLUMNS: Final = ("step", "how", "what", "known", "says")


def lineage_view(steps: Sequence[TracedStep]) -> View:
    """Return the steps back from a thing, each below the one that it led to."""
    numbers: list[int] = []
    rows: list[list[Cell]] = []
    for traced in steps:
        numbers = numbers[: traced.depth + 1]
        numbers += [0] * (traced.depth + 1 - len(numbers))
        numbers[traced.depth] += 1
        step = traced.step
        known = "" if step.at is None else moment(step.at)
        rows.append([_place(numbers), traced.how, _what(step.name), known, _says(traced)])
    blocks: list[Block] = [Table(_COLUMNS, rows, spare=("known",))]
    if len(steps) == 1:
        blocks.append(Paragraph(f"nothing is stored of what {steps[0].step.name} comes from"))
    return View(blocks)


def _place(numbers: Sequence[int]) -> str:
    """Return the place of a step, such as 2.1; the thing itself has none."""
    return ".".join(map(str, numbers[1:]))


def _what(name: str) -> Cell:
    """Return the name of a thing, such as `memory 12`; a page leads to the thing."""
    kind, _, key = name.partition(" ")
    return Ref(name, _KINDS[kind], key) if kind in _KINDS else name


def _says(traced: TracedStep) -> str:
    if traced.is_repeat:
        return "(above)"
    left = f" (and {traced.not_followed:,} more)" if traced.not_followed else ""
    return shorten(traced.step.says, SHOWN_CHARS) + left
