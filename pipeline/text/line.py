"""Text as one line of a prompt: nothing in it ends a line, or is taken for a label or a fence.

A line of a prompt is a prefix of ours and then such a text: `- [fact] ...`. Text that begins a
line could still be a heading or a list, so it never does.
"""

import re
from collections.abc import Sequence
from typing import Final

from pipeline.text.fold import OPENING, fold

FENCE: Final = "memory-context"
"""Name of the tags around what is recalled (R1)."""

MAX_LINE: Final = 2_000
"""Characters of a line: the longest typed entry (R4)."""

MAX_NAME: Final = 64
"""Characters of a name in front of a value."""

# Characters that count as printable and show nothing: joiners, fillers, and the variation
# selectors, which can spell out hidden bytes behind any visible character.
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0000-\U000e0fff]"
)
_SUSPECT: Final = re.compile(rf"[\[［{OPENING}]|&[#al]|\\[ux]|%3c", re.IGNORECASE)

# All below read a folded text. What stands between two letters of the fence does not matter, but
# for brackets: a round one may be what is left of an angle.
_BRACKET: Final = r"(?:<|&(?:amp;){0,3}(?:lt|#0{0,6}60|#x0{0,6}3c)\b;?|\\u003c|\\x3c|%3c)"
_APART: Final = "[^a-z0-9<>()]*"
_LETTERS: Final = _APART.join(re.sub("[^a-z]", "", FENCE))
_ROLES: Final = "system|assistant|user|human|developer|tool"
_REST: Final = "(?:[^<>]{0,64}(?P<close>>))?"

# Opens of comments and of models' own special tokens; then fences and role tags; then what looks
# like the label of a line. In this order: a bracket that fell is no part of a later find.
_MARKS: Final = (
    re.compile(rf"(?P<open>{_BRACKET})(?=[|!])"),
    re.compile(rf"(?P<open>{_BRACKET}){_APART}{_LETTERS}{_REST}"),
    re.compile(rf"(?P<open>{_BRACKET})[/|]?(?:{_ROLES})\b{_REST}"),
    re.compile(r"(?P<open>\[)(?!masked:) ?[a-z_][a-z_ -]{0,39}(?:(?P<close>\])|:)"),
)

_GAPS: Final = re.compile(r"[\s:]+")
_LEADING: Final = re.compile(r"^[\W_]+")


def one_line(text: str, most: int = MAX_LINE) -> str:
    """Return a text as it may follow a prefix of ours in a prompt.

    White space of every kind becomes one space; control, format and other invisible characters
    go. So a Persian word loses its joint, and a family emoji falls into its members. Angle
    brackets of a fence or role tag, however they are spelt, become round ones, and so do square
    ones around a word, unless they mark a masked secret. All else stays: other scripts, emoji,
    arrows, currency, `R:R > 2`.

    Args:
        most: characters returned; a longer text ends in an ellipsis.

    Returns:
        The line, empty if there was nothing to see; done again, it does not change.
    """
    line = _rounded(_visible(text[: 4 * most]))
    if len(line) <= most and len(text) <= 4 * most:
        return line
    return _rounded(line[: most - 1].rstrip() + "…")  # what is cut off a word may leave a mark


def one_name(text: str) -> str:
    """Return a text as a name that may begin a list item: no space, no colon, a letter first."""
    name = _GAPS.sub("_", one_line(text, MAX_NAME))
    return _LEADING.sub("", name) or "_"


def is_visible(text: str) -> bool:
    """Say whether anything of a text can be seen: neither blank, nor of hidden characters alone."""
    return bool(_visible(text))


def _visible(text: str) -> str:
    line = _UNSEEN.sub("", " ".join(text.split()))
    if not line.isprintable():
        line = "".join(filter(str.isprintable, line))
    return " ".join(line.split())


def _rounded(line: str) -> str:
    """Replace the brackets of every mark by round ones."""
    if not _SUSPECT.search(line):
        return line
    folded, places = _folded(line)
    for mark in _MARKS:
        edits = [
            (places[found.start(name)], places[found.end(name) - 1] + 1, instead)
            for found in mark.finditer(folded)
            for name, instead in (("open", "("), ("close", ")"))
            if found.groupdict().get(name)
        ]
        if edits:
            line = _edited(line, edits)
            folded, places = _folded(line)
    return line


def _folded(line: str) -> tuple[str, Sequence[int]]:
    return (line.lower(), range(len(line))) if line.isascii() else fold(line)


def _edited(line: str, edits: Sequence[tuple[int, int, str]]) -> str:
    parts, done = [], 0
    for start, end, instead in edits:
        parts += [line[done:start], instead]
        done = end
    return "".join([*parts, line[done:]])
