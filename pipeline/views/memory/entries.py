"""Entries: short typed notes."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.memory.model import Memory, WrittenMemory
from afterword.pipeline.recall.search.model import Hit
from afterword.pipeline.views.blocks import Block, Paragraph, Table, View
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.memory.memory import words_notes
from afterword.pipeline.views.words import SHOWN_CHARS, moment, shorten

_COLUMNS: Final = ("id", "type", "made", "state", "text")


def entry_written(written: WrittenMemory, category: str) -> View:
    """Return the id of an entry that its owner wrote, and what is to be known of its words."""
    return View([_written(written.uid), *words_notes(written, category)])


def entry_stored(uid: str, hint: str | None) -> View:
    """Return the id of an entry that was stored in a session.

    Args:
        hint: what the agent is told of its words; None for most.
    """
    return View([_written(uid), *([Paragraph(hint)] if hint else [])])


def entries_found(hits: Sequence[Hit]) -> View:
    """Return entries by how well they fit a query."""
    rows = [[f"{hit.relevance:.2f}", *_row(hit.memory)] for hit in hits]
    return View([Table(("fits", *_COLUMNS), rows, "nothing found")])


def entry_list(entries: Sequence[Memory]) -> View:
    """Return entries below each other."""
    return View([Table(_COLUMNS, list(map(_row, entries)), "no entries")])


def _written(uid: str) -> Block:
    return Paragraph(f"entry {uid} is written")


def _row(entry: Memory) -> list[Cell]:
    state = "superseded" if entry.superseded_at else ""
    text = shorten(entry.content, SHOWN_CHARS)
    return [entry.uid, entry.type or "", moment(entry.created_at), state, text]
