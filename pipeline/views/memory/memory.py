"""Memories: what a write came to, what is remembered, what is flagged, and what was purged."""

from collections.abc import Sequence

from afterword.pipeline.domain.memory.flags import FlaggedText
from afterword.pipeline.domain.memory.model import Memory, MemoryIds, WrittenMemory
from afterword.pipeline.domain.memory.purge_rows import PurgeCounts
from afterword.pipeline.domain.memory.read import MemoryStory
from afterword.pipeline.domain.memory.same_words import same_words_hint
from afterword.pipeline.domain.sessions.import_memories import ImportedMemory, ImportLine
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, Table, Verbatim, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.flagged import flag_line, flagged_count, marked_text
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.words import SHOWN_CHARS, moment, one_line, printable, shorten


def memory_written(written: WrittenMemory, category: str) -> View:
    """Return the ids of a memory just written, and what is to be known of its words."""
    done = Paragraph(f"memory {written.id} ({written.uid}) is written")
    return View([done, *words_notes(written, category)])


def words_notes(written: WrittenMemory, category: str) -> list[Block]:
    """Return that a memory's words were flagged, and what became of a rule with the same words."""
    notes: list[Block] = []
    if written.flagged:
        flag = flag_line(f"memory {written.id}", str(written.id), written.flagged)
        notes.append(Paragraph(flag))
    if written.same_as is not None:
        notes.append(Paragraph(same_words_hint(category, written.same_as)))
    return notes


def memories_imported(lines: Sequence[ImportLine], imported: Sequence[ImportedMemory]) -> View:
    """Return how many lines of a file were written, and how many were known before.

    Args:
        imported: what became of each line, in the same order.
    """
    fresh = sum(memory.is_new for memory in imported)
    known = len(imported) - fresh
    sessions = len({line.session for line in lines if line.session is not None})
    written = f"{count(fresh, 'memory is', 'memories are')} written"
    if sessions:
        written += f", of {count(sessions, 'session')}"
    written += flagged_count(sum(bool(line.row.flags) for line in lines))
    if known:
        written += f"; {count(known, 'was', 'were')} before"
    return View([Paragraph(written)])


def memory_list(memories: Sequence[Memory]) -> View:
    """Return memories below each other."""
    rows: list[list[Cell]] = [
        [
            Ref(str(memory.id), "memory", str(memory.id)),
            memory.category,
            moment(memory.updated_at),
            shorten(marked_text(memory), SHOWN_CHARS),
        ]
        for memory in memories
    ]
    return View([Table(("id", "category", "updated", "text"), rows, "nothing is remembered")])


def memory_shown(story: MemoryStory) -> View:
    """Return one memory with all that is kept of it, and what it replaced or was replaced by."""
    memory = story.memory
    fields: dict[str, str | Ref] = {
        "memory": f"{memory.id} ({memory.uid})",
        "category": memory.category if memory.type is None else f"{memory.category}, typed",
        "said by": memory.origin if memory.source is None else f"{memory.origin}, {memory.source}",
        "known": moment(memory.known_at),
    }
    if memory.occurred_at is not None:
        fields["happened"] = moment(memory.occurred_at)
    if memory.tags:
        fields["tags"] = ", ".join(memory.tags)
    if memory.session_id is not None:
        fields["session"] = one_line(memory.session_id)
    if memory.deleted_at is not None:
        fields["deleted"] = moment(memory.deleted_at)
    if memory.stale_at is not None:
        fields["stale"] = f"since {moment(memory.stale_at)}: what it was made of is gone"
    if story.successor is not None:
        number = str(story.successor.id)
        fields["replaced by"] = Ref(f"memory {number}", "memory", number)
    blocks: list[Block] = [Verbatim("\n".join(map(printable, memory.content.splitlines())))]
    if memory.flagged:
        flag = flag_line(f"memory {memory.id}", str(memory.id), memory.flagged)
        blocks.append(Paragraph(flag, "warning"))
    blocks.append(Fields(fields))
    if story.predecessors:
        blocks.append(Section("It replaced", list(memory_list(story.predecessors).blocks)))
    return View(blocks)


def memory_deleted(name: str) -> View:
    """Return that a memory, or an entry, is out of every read."""
    return View([Paragraph(f"{name} is deleted")])


def memory_restored(name: str) -> View:
    """Return that a deleted memory is read again."""
    return View([Paragraph(f"{name} is back")])


def memory_edited(edited: MemoryIds, name: str) -> View:
    """Return which memory stands in place of another.

    Args:
        name: of the memory that was edited, as its owner gave it.
    """
    return View([Paragraph(f"memory {edited.id} ({edited.uid}) is written for {name}")])


def flagged_list(texts: Sequence[FlaggedText]) -> View:
    """Return the texts that stay out of prompts, and why."""
    rows = [
        [
            text.name,
            ", ".join(text.families),
            moment(text.flagged_at),
            shorten(text.text, SHOWN_CHARS),
        ]
        for text in texts
    ]
    return View([Table(("name", "looks like", "since", "text"), rows, "nothing is flagged")])


def flagged_reasons(texts: Sequence[FlaggedText]) -> View:
    """Return which arm of the scan saw which words in each flagged text."""
    rows = [
        [text.name, arm, shorten(words, SHOWN_CHARS)]
        for text in texts
        for arm, words in (
            zip(text.arms, text.words, strict=True)
            if text.words
            else [("none", "the scan of today finds nothing in it")]
        )
    ]
    return View([Table(("name", "seen by", "words"), rows, "nothing is flagged")])


def flag_cleared(name: str) -> View:
    """Return that prompts show a text after all."""
    return View([Paragraph(f"{name} may enter prompts")])


def memories_purged(counts: PurgeCounts, *, is_applied: bool) -> View:
    """Return how many memories were removed for good, or would be."""
    does = "are removed" if is_applied else "would be removed; --apply does it"
    purged = f"{counts.deleted:,} deleted and {counts.superseded:,} superseded memories {does}"
    return View([Paragraph(purged)])
