"""What of a file may stand in a prompt: its text, without what hides, leaks or pretends."""

import codecs
import re
from functools import lru_cache
from typing import Final

from afterword.pipeline.core.files.inside import FileBytes
from afterword.pipeline.domain.workspace.model import WorkspaceFile, WorkspaceText
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.tabular.decode import encoding_of
from afterword.pipeline.rules.text.invisible import invisible, without_invisible
from afterword.pipeline.rules.text.line import without_tags

_PEEK: Final = 65_536
_CUT_LINE: Final = 1_000
"""Characters of a cut line that are left out at most: half a secret would not be known as one."""

_BAD: Final = "\ufffd"
_MARKER: Final = "[masked:"
_BLANK_LINES: Final = re.compile(r"\n{3,}")

# A rule, a name without a value: what a template has before anybody fills it in.
_UNFILLED: Final = re.compile(r"[-*_=]{3,}|(?:[-*] )?(?:\*\*)?\w[\w ]{0,40}:(?:\*\*)?")

HEADING: Final = "==="
"""Begins and ends the line that names a file in a prompt."""


# A file of a workspace changes once a day, and is read by every session.
@lru_cache(maxsize=64)
def prompt_text(file: WorkspaceFile, read: FileBytes) -> WorkspaceText:
    """Return what a file says, as it may stand in a prompt.

    Line breaks become one kind; hidden characters go, secrets are masked, and no line passes for a
    tag or a heading of the prompt. Lines stay lines.
    """
    encoding = encoding_of(read.head[:_PEEK])
    head, tail = _decoded(read, encoding)
    notes = _encoding_notes(encoding, head + tail)
    text = "\n".join(line.rstrip() for line in (head + tail).splitlines())
    hidden = sum(map(text.count, invisible(text)))
    visible = without_invisible(text)
    masked = mask(visible)
    secrets = masked.count(_MARKER) - visible.count(_MARKER)
    notes += _counted(hidden, "hidden character", "is left out", "are left out")
    notes += _counted(secrets, "secret", "is masked", "are masked")
    if not is_filled(masked):
        return WorkspaceText(file, "", read.size, read.unread, (*notes, "it says nothing yet"))
    untagged = without_tags(masked, roles=file.origin == "agent")
    safe = "\n".join(map(_no_heading, untagged.split("\n")))
    text = _BLANK_LINES.sub("\n\n", safe).strip("\n")
    return WorkspaceText(file, text, read.size, read.unread, tuple(notes))


def is_filled(text: str) -> bool:
    """Return whether a file says anything: a title above names without values does not."""
    lines = [line.strip() for line in _without_comments(text).splitlines()]
    said = [line for line in lines if line and not _UNFILLED.fullmatch(line)]
    return len(said) > 1 or (len(said) == 1 and not said[0].startswith("#"))


def _no_heading(line: str) -> str:
    """Return a line that does not pass for one that names a file."""
    bare = line.strip()
    if not (bare.startswith(HEADING) and bare.endswith(HEADING)) or not bare.strip("= "):
        return line
    return line.replace(HEADING, "==", 1)


def _without_comments(text: str) -> str:
    parts, at = [], 0
    while (begin := text.find("<!--", at)) >= 0 and (end := text.find("-->", begin)) >= 0:
        parts.append(text[at:begin])
        at = end + len("-->")
    return "".join([*parts, text[at:]])


def _decoded(read: FileBytes, encoding: str) -> tuple[str, str]:
    """Return the text of both parts; a line that was cut is left out, of a very long one a part."""
    head = read.head.decode(encoding, "replace").removeprefix("\ufeff")
    if not read.tail:
        return head, ""
    named, tail = encoding.removesuffix("-sig"), read.tail
    if encoding == "utf-16":  # the end has no mark of the order of its bytes
        named = "utf-16-be" if read.head.startswith(codecs.BOM_UTF16_BE) else "utf-16-le"
    if named.startswith("utf-16"):
        tail = tail[(read.size - len(tail)) % 2 :]
    end = tail.decode(named, "replace")
    last, first = head.rfind("\n", -_CUT_LINE), end.find("\n", 0, _CUT_LINE)
    return head[: last if last >= 0 else -_CUT_LINE] + "\n", end[first + 1 or _CUT_LINE :]


def _encoding_notes(encoding: str, text: str) -> list[str]:
    if encoding == "cp1252":
        return ["it is not UTF-8, and is read as Windows-1252"]
    return _counted(text.count(_BAD), "byte or character", "is not UTF-8", "are not UTF-8")


def _counted(count: int, noun: str, singular: str, plural: str) -> list[str]:
    if not count:
        return []
    return [f"1 {noun} {singular}" if count == 1 else f"{count:,} {noun}s {plural}"]
