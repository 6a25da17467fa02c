"""What a search found, and why: the share of each arm and each term in a memory's score."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from afterword.pipeline.recall.search.model import Explanation, Hit
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Table, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.flagged import marked_text
from afterword.pipeline.views.words import SHOWN_CHARS, moment, shorten

if TYPE_CHECKING:  # numpy: loaded by who searches
    from afterword.pipeline.recall.search.why import HitExplanation

_COLUMNS: Final = {
    "own": "the memory itself: 0 to 1 for an arm, its weight for a term",
    "window": "the memory and the rows just before and after it in its session, likewise",
    "session": "all rows of its session, likewise",
    "answer": "what the memory got from the question that it answers",
    "all": "the sum of an arm; the arms together, times the factor for assets, are the score",
}
"""What each column of an explanation says."""

_LEGEND: Final = Fields(_COLUMNS, is_legend=True)


def search_results(hits: Sequence[Hit], *, is_explained: bool) -> View:
    """Return the memories that a search found.

    Args:
        is_explained: whether it was asked why each one came.
    """
    # Without a question there is nothing to fit: the newest come first.
    is_ranked = any(hit.relevance for hit in hits)
    columns = ("fits", "id", "category", "updated", "text")[not is_ranked :]
    rows = [_row(hit)[not is_ranked :] for hit in hits]
    blocks: list[Block] = [Table(columns, rows, "nothing found")]
    for hit in hits:
        if hit.explanation:
            blocks += _explained(f"memory {hit.memory.id}", hit.explanation)
    if is_explained and hits:
        blocks.append(_LEGEND)
    return View(blocks)


def place_in_search(place: "HitExplanation") -> View:
    """Return where one memory came in a search, or what kept it out."""
    name = f"memory {place.memory.id}"
    if place.rank is None:
        sentence = f"{name} was not found: {'; '.join(place.reasons)}"
    else:
        sentence = f"{name} is number {place.rank:,} of {place.found:,}"
    if place.explanation is None:
        return View([Paragraph(sentence)])
    return View([Paragraph(sentence), *_explained(name, place.explanation), _LEGEND])


def _row(hit: Hit) -> list[Cell]:
    memory = hit.memory
    text = shorten(marked_text(memory), SHOWN_CHARS)
    if hit.by_neighbours:
        text = f"(by what stands beside it) {text}"
    fits, updated = f"{hit.relevance:.2f}", moment(memory.updated_at)
    number = Ref(str(memory.id), "memory", str(memory.id))
    return [fits, number, memory.category, updated, text]


def _explained(name: str, explanation: Explanation) -> list[Block]:
    """Return the share of each arm and each term in a memory's score."""
    rows = [
        [
            f"{arm.arm}, number {arm.rank:,}" if arm.rank else arm.arm,
            *(f"{part:.2f}" for part in (arm.own, arm.window, arm.session, arm.answer, arm.score)),
        ]
        for arm in explanation.arms
    ]
    rows += [
        [
            term.term,
            *(f"{part:.2f}" for part in (term.own, term.window, term.session)),
            *("", ""),
        ]
        for term in explanation.terms
    ]
    factor = f"{explanation.boost:.1f} for {explanation.overlap} shared assets"
    total = f"{name}: {explanation.fused:.2f} x {factor}"
    return [Paragraph(total), Table(("arm", *_COLUMNS), rows)]
