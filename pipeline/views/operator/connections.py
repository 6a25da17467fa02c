"""What connecting a client writes, wrote, looks at and takes back."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.views.blocks import Block, Paragraph, Section, Table, Verbatim, View

_MOST_LINES: Final = 20
"""Lines of a text that is shown on a terminal: the code of a plugin is longer."""

_WORDS: Final = {
    "missing": "would be written",
    "outdated": "would be written anew",
    "current": "is as it should be",
    "changed": "was changed since it was written: stays as it is",
    "taken": "has something of its own there: stays as it is",
}


def edits_shown(edits: Sequence[tuple[str, str, str]], advice: Sequence[Block]) -> View:
    """Return what connecting would write, and write nothing.

    Args:
        edits: place, state and text of each; `--json` has the long texts, too.
        advice: for the user of the client.
    """
    blocks: list[Block] = []
    for place, state, text in edits:
        lines = text.count("\n")
        is_long = state != "current" and lines > _MOST_LINES
        blocks.append(Paragraph(f"{place} {_WORDS[state]}{f': {lines} lines' if is_long else ''}"))
        if state != "current" and not is_long:
            blocks.append(Verbatim(text.rstrip("\n")))
    return View([*blocks, *advice])


def edits_written(
    title: str, places: Sequence[str], advice: Sequence[Block], *, has_edits: bool
) -> View:
    """Return what was written, and what to do next."""
    blocks: list[Block] = [Paragraph(f"{place} is written") for place in places]
    if has_edits and not places:
        blocks.append(Paragraph(f"{title} is connected already: nothing is written"))
    return View([*blocks, *advice])


def edits_removed(title: str, removed: Sequence[str], left: Sequence[str]) -> View:
    """Return what was taken back, and what stays."""
    blocks: list[Block] = [Paragraph(f"{place} is removed") for place in removed]
    blocks += [
        Paragraph(f"{place} was changed since it was written: it stays", "warning")
        for place in left
    ]
    if not blocks:
        blocks = [Paragraph(f"nothing of {title} was written: there is nothing to remove")]
    return View(blocks)


def connection_checks(checks: Sequence[tuple[str, bool | None, str]]) -> View:
    """Return what was looked at.

    Args:
        checks: name of each, whether it holds (None if that cannot be known), what was seen.
    """
    marks = {True: "yes", False: "NO", None: "unknown"}
    rows = [(name, marks[holds], said) for name, holds, said in checks]
    return View([Section("", [Table(("check", "holds", "what was seen"), rows)])])
