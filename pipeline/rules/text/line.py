"""Text as one line of a prompt: nothing in it ends a line, or is taken for a label or a fence.

A line of a prompt is a prefix of ours and then such a text: `- [fact] ...`. Text that begins a
line could still be a heading or a list, so it never does.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from afterword.pipeline.rules.text.fold import OPENING
from afterword.pipeline.rules.text.spelling import MAY_ESCAPE, FoldedText, spelled

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
_SUSPECT: Final = re.compile(rf"[\[［{re.escape(OPENING)}]|{MAY_ESCAPE}", re.IGNORECASE)

# All below read a text as `spelled` gives it: folded, and without escapes.
_ROLES: Final = "system|assistant|user|human|developer|tool"

# Opens of comments and of models' own special tokens; then fences (`_fences`) and role tags; then
# what looks like the label of a line. In this order: a bracket that fell is no part of a later one.
_SPECIAL: Final = re.compile(r"(?P<open><)(?=[|!])(?P<close>(?!))?")
_ROLE: Final = re.compile(rf"(?P<open><)[/|]?(?:{_ROLES})\b(?:[^<>]{{0,64}}(?P<close>>))?")
_LABEL: Final = re.compile(r"(?P<open>\[)(?!masked:) ?[a-z_][a-z_ -]{0,39}(?:(?P<close>\])|:)")

_ESCAPED: Final = re.compile(MAY_ESCAPE, re.IGNORECASE)
_LETTERS: Final = re.sub("[^a-z]", "", FENCE)
_MOST_BORROWED: Final = 6
"""Letters of the fence that may be other signs, such as digits or letters that no table has; with
more of them a reader does not take it for the fence."""
_LETTER_SIGNS: Final = frozenset("|!@$")
_LONGEST_NAME: Final = 200
_TO_CLOSE: Final = re.compile(r"[^<>]{0,64}>")

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
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    line = _UNSEEN.sub("", " ".join(text.split()))
    if not line.isprintable():
        line = "".join(filter(str.isprintable, line))
    return " ".join(line.split())


def _rounded(line: str) -> str:
    """Replace the brackets of every mark by round ones."""
    if not _SUSPECT.search(line):
        return line
    for mark in (_SPECIAL.finditer, _fences, _ROLE.finditer, _LABEL.finditer):
        said = _spelled(line)
        edits = [edit for found in mark(said.text) for edit in _edits(found, said)]
        if edits:
            line = _edited(line, edits)
    return line


def _spelled(line: str) -> FoldedText:
    if line.isascii() and not _ESCAPED.search(line):
        return FoldedText(line.lower(), range(len(line)), range(1, len(line) + 1))
    return spelled(line)


def _edits(found: "re.Match[str] | _Fence", said: FoldedText) -> Iterator[tuple[int, int, str]]:
    for name, instead in (("open", "("), ("close", ")")):
        at = found.start(name)
        if at >= 0:
            yield said.starts[at], said.ends[at], instead


class _Fence(NamedTuple):
    """Where a fence opens, and where it closes; -1 if it does not."""

    opens: int
    closes: int

    def start(self, name: str) -> int:
        """Return a place as a match of a pattern does."""
        return self.opens if name == "open" else self.closes


def _fences(text: str) -> Iterator[_Fence]:
    """Yield the fences of a text, whatever stands between their letters, but for brackets.

    A round bracket may be what is left of an angle.
    """
    at = text.find("<")
    while at >= 0:
        end = _fence_end(text, at + 1)
        if end:
            rest = _TO_CLOSE.match(text, end)
            yield _Fence(at, rest.end() - 1 if rest else -1)
        at = text.find("<", end or at + 1)


def _fence_end(text: str, start: int) -> int:
    """Return where the name of a fence ends that begins at a place; 0 if none does."""
    # By how many letters are read, how few of them were borrowed.
    read = {0: 0}
    for at in range(start, min(len(text), start + _LONGEST_NAME)):
        character = text[at]
        if character in "<>()":
            return 0
        following: dict[int, int] = {}
        for count, borrowed in read.items():
            for new, cost in _steps(character, count, text, at):
                total = borrowed + cost
                if total <= _MOST_BORROWED and total < following.get(new, total + 1):
                    following[new] = total
        if len(_LETTERS) in following:
            return at + 1
        if not following:
            return 0
        read = following
    return 0


def _steps(character: str, count: int, text: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield how many letters are read after a character, and how many of them it borrows."""
    if character == _LETTERS[count]:
        yield count + 1, 0
    elif character == "r" and _LETTERS[count] == "m" and text.startswith("rn", at):
        yield count, 0  # `rn` passes for `m`; its `n` is read next
    elif character == "n" and _LETTERS[count] == "m" and text.startswith("rn", at - 1):
        yield count + 1, 0
    if not (character.isascii() and character.isalnum()):
        yield count, 0
    if not character.isascii() or character.isdigit() or character in _LETTER_SIGNS:
        yield count + 1, 1


def _edited(line: str, edits: Sequence[tuple[int, int, str]]) -> str:
    parts, done = [], 0
    for start, end, instead in edits:
        parts += [line[done:start], instead]
        done = end
    return "".join([*parts, line[done:]])
