"""Methods of analysis: their list, what is suggested, and what became of one that was written."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from afterword.pipeline.domain.methodologies.checks import CheckedMethodology
from afterword.pipeline.domain.methodologies.model import (
    AddedMethodology,
    Methodology,
    MethodState,
)
from afterword.pipeline.domain.synthesis.luck import ExpectedLuck
from afterword.pipeline.rules.text.numbers import amount
from afterword.pipeline.views.blocks import Block, Paragraph, Table, Verbatim, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.numbers import count

if TYPE_CHECKING:  # loaded by who asks for a suggestion
    from afterword.pipeline.recall.methods.suggest import SuggestedMethods

_METHODS: Final = ("number", "id", "state", "class", "direction", "timeframe", "record", "name")
_NO_RECORD: Final = "none"
_ALIKE: Final = {"fields": "its fields", "tfidf": "its words", "jaccard": "its characters"}


def method_list(
    methods: Sequence[Methodology],
    counts: Mapping[MethodState, int],
    placebos: int,
    luck: ExpectedLuck | None,
) -> View:
    """Return methods below each other, how many there are, and how many are expected to be luck.

    Args:
        counts: methods by state, also of those that are not listed; without placebos.
        placebos: count of these.
    """
    blocks: list[Block] = [Table(_METHODS, list(map(_row, methods)), "no method fits")]
    numbers = [f"{number:,} {state}" for state, number in counts.items()]
    numbers += [count(placebos, "placebo")] if placebos else []
    if numbers:
        blocks.append(Paragraph(", ".join(numbers)))
    if luck is not None:
        blocks.append(Paragraph(luck.words))
    return View(blocks)


def method_added(done: AddedMethodology) -> View:
    """Return what became of a method that was written."""
    return View([Paragraph(_added_words(done))])


def methods_added(done: Sequence[AddedMethodology], written: Sequence[CheckedMethodology]) -> View:
    """Return what became of the methods of a file."""
    fresh = sum(one.is_new for one in done)
    before = sum(one.is_repeat for one in done)
    again = len(written) - fresh - before
    orders = sum(bool(one.payloads) for one in done)
    added = f"{fresh:,} added, {again:,} say the same as a stored one, {before:,} were added before"
    if orders:
        added += f"; {orders:,} read like an order, and no prompt shows them: `methodology ls`"
    return View([Paragraph(added)])


def method_suggested(suggested: "SuggestedMethods") -> View:
    """Return the block of methods that an agent is shown, and what a decision cites it by."""
    if not suggested.block:
        return View(
            [Paragraph(f"no method of {suggested.asset_class} is graduated. {suggested.luck}")]
        )
    hint = [] if suggested.hint_hash is None else [Paragraph(f"hint: {suggested.hint_hash}")]
    return View([Verbatim(suggested.block), *hint])


def method_changed(method: Methodology, change: str) -> View:
    """Return that a method is now, for instance, deleted."""
    return View([Paragraph(f"methodology {method.id} ({method.uid}) is {change}")])


def _row(method: Methodology) -> list[Cell]:
    figures, record = method.figures, _NO_RECORD
    if figures is not None and figures.effective_uses:
        record = f"{amount(figures.effective_correct)} of {amount(figures.effective_uses)}"
    mark = (
        " (placebo)"
        if method.source == "placebo"
        else ""
        if method.is_clean
        else " (like an order)"
    )
    return [
        *(
            method.id,
            Ref(method.uid, "method", method.uid),
            f"{method.state}{mark}",
            method.asset_class,
            method.direction,
        ),
        *(method.timeframe, record, method.name),
    ]


def _added_words(done: AddedMethodology) -> str:
    named = f"methodology {done.id} ({done.uid})"
    if done.is_repeat:
        return f"{named} is added, as before"
    order = f"its text reads like an order ({', '.join(done.payloads)})"
    if done.is_new and done.payloads:
        remedy = f"unless `afterword methodology clear {done.id}` says that it is harmless"
        return f"{named} is added; {order}: no prompt shows it, {remedy}"
    if done.is_new:
        return f"{named} is added; no prompt shows it until it graduates"
    warned = f"; {order}: no prompt shows it" if done.payloads else ""
    by = _ALIKE[cast(str, done.recognised_by)]
    return f"{named} says the same, by {by}: counted as a sighting; --as-new keeps it apart{warned}"
