"""The workspace: what prompts have of its files, what they lack, and what was made."""

from collections.abc import Iterator, Sequence
from typing import Final

from afterword.pipeline.domain.workspace.create import CreatedWorkspace
from afterword.pipeline.domain.workspace.model import FilePlace, ReadWorkspace, WorkspaceText
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from afterword.pipeline.recall.workspace.block import PromptFile, counted_passages, prompt_notes
from afterword.pipeline.recall.workspace.missing import MissingMemory
from afterword.pipeline.recall.workspace.preview import WorkspacePreview
from afterword.pipeline.views.blocks import Block, Fields, Items, Paragraph, Table, Verbatim, View
from afterword.pipeline.views.words import SHOWN_CHARS, printable, shorten

_GOES: Final[dict[FilePlace, str]] = {
    "prefix": "prefix",
    "user": "memory",
    "memory": "memory, fenced",
    "bootstrap": "prefix, one turn",
    "display": "no prompt",
}
_LAYOUTS: Final = {"own": "Afterword's own", "openclaw": "OpenClaw", "hermes": "Hermes Agent"}
_COLUMNS: Final = ("file", "goes to", "words of", "characters", "in prompts", "notes")
_MOST_NAMES: Final = 12
"""Names of files that are shown of a list (count); JSON has all of them."""


def workspace_made(created: CreatedWorkspace) -> View:
    """Return which files were made."""
    if not created.made:
        return View([Paragraph(f"{created.folder} has all its files; nothing was changed")])
    blocks: list[Block] = [Paragraph(f"{created.folder} has {', '.join(created.made)}")]
    if created.there:
        blocks.append(Paragraph(f"left as they were: {', '.join(created.there)}"))
    next_step = "fill in USER.md; `afterword workspace show` prints what a prompt has of them"
    return View([*blocks, Paragraph(next_step)])


def prompt_part(text: str, empty: str) -> View:
    """Return a text of a prompt, or that it is empty."""
    return View([Verbatim(text) if text else Paragraph(empty)])


def prompt_parts(prefix: str, block: str) -> View:
    """Return both parts of a prompt."""
    parts = "\n\n".join(part for part in (prefix, block) if part)
    return prompt_part(parts, "the workspace says nothing; `afterword workspace init` makes one")


def workspace_report(
    source: WorkspaceSource, preview: WorkspacePreview, unread: Sequence[str]
) -> View:
    """Return what a prompt has of each file, what is wrong, and what is not read."""
    known = {prompt.file.name: prompt for prompt in preview.files}
    rows = [_row(text, known.get(text.file.name), preview) for text in preview.read.texts]
    blocks: list[Block] = [
        Fields({"folder": _folder(source), "laid out as": _LAYOUTS[preview.read.layout]}),
        Table(_COLUMNS, rows, "it has no file that is read", spare=("words of",)),
    ]
    blocks += [
        Paragraph(printable(f"{fault.words}; accepted: {fault.accepted}"), "warning")
        for fault in preview.read.faults
    ]
    looked_at = [
        f"{name}: {passage}"
        for name, passages in [
            *((prompt.file.name, prompt.withheld) for prompt in preview.files),
            *preview.suspects.items(),
        ]
        for passage in passages
    ]
    if looked_at:
        blocks.append(Paragraph("passages that read like an order to the agent:"))
        blocks.append(Items([shorten(line, SHOWN_CHARS) for line in looked_at]))
    if unread:
        more = f" and {len(unread) - _MOST_NAMES:,} more" if len(unread) > _MOST_NAMES else ""
        names = ", ".join(map(printable, unread[:_MOST_NAMES]))
        blocks.append(Paragraph(f"not read: {names}{more}"))
    return View(blocks)


def missing_list(missing: Sequence[MissingMemory]) -> View:
    """Return what the store keeps and the files do not say, as lines for MEMORY.md."""
    if not missing:
        return View([Paragraph("the files say all that the store keeps for good")])
    return View(
        [
            Paragraph("kept in the store, and not said by USER.md or MEMORY.md:"),
            Items([memory.text for memory in missing]),
        ]
    )


def _folder(source: WorkspaceSource) -> str:
    return f"{source.folder}, {'ours' if source.is_ours else 'never written to'}"


def _row(text: WorkspaceText, prompt: PromptFile | None, preview: WorkspacePreview) -> list[str]:
    notes = [
        *(prompt_notes(prompt) if prompt is not None else ()),
        *text.notes,
        *_of(text, preview),
    ]
    return [
        printable(text.file.name),
        _GOES[text.file.place],
        text.file.origin,
        f"{len(text.text):,}",
        f"{len(prompt.shown):,}" if prompt is not None else "",
        "; ".join(notes),
    ]


def _of(text: WorkspaceText, preview: WorkspacePreview) -> Iterator[str]:
    if text.file.place == "bootstrap" and preview.is_seen:
        yield "a session has seen it; no other one will"
    if passages := preview.suspects.get(text.file.name):
        counted = counted_passages(passages)
        yield f"{counted} like an injection, and the agent follows the owner: look at it"


def check_values(
    source: WorkspaceSource, preview: WorkspacePreview, unread: Sequence[str]
) -> dict[str, object]:
    """Return what `workspace_report` shows, for JSON."""
    known = {prompt.file.name: prompt for prompt in preview.files}
    return {
        "folder": source.folder,
        "is_ours": source.is_ours,
        "layout": preview.read.layout,
        "files": [_value(text, known.get(text.file.name), preview) for text in preview.read.texts],
        "faults": _faults(preview.read),
        "not_read": list(unread),
    }


def _value(
    text: WorkspaceText, prompt: PromptFile | None, preview: WorkspacePreview
) -> dict[str, object]:
    return {
        "file": text.file.name,
        "place": text.file.place,
        "origin": text.file.origin,
        "characters": len(text.text),
        "in_prompts": 0 if prompt is None else len(prompt.shown),
        "is_cut": prompt is not None and prompt.is_cut,
        "withheld": [] if prompt is None else list(prompt.withheld),
        "suspect": list(preview.suspects.get(text.file.name, ())),
        "notes": [*text.notes, *_of(text, preview)],
    }


def _faults(read: ReadWorkspace) -> list[dict[str, str]]:
    return [fault._asdict() for fault in read.faults]
