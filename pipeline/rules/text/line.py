"""Turn a text into one line of a prompt, without line breaks, fences or fake labels; or into many.

A line of a prompt is a prefix of ours and then such a text: `- [fact] ...`. The text must never
start the line, where it could be a heading or a list.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.text.fold import OPENING
from afterword.pipeline.rules.text.invisible import without_invisible
from afterword.pipeline.rules.text.spelling import MAY_ESCAPE, FoldedText, spelled

FENCE: Final = "memory-context"
"""Name of the tags around recalled text (R1)."""

MAX_LINE_CHARS: Final = 2_000
"""Length limit of a line: the longest typed entry (R4); characters."""

MAX_NAME_CHARS: Final = 64
"""Length limit of a name before a value; characters."""

_SUSPECT: Final = expression(rf"[\[［{re.escape(OPENING)}]|{MAY_ESCAPE}", re.IGNORECASE)

# The patterns below read a text as `spelled` returns it: folded, with escapes decoded.
_ROLES: Final = "system|assistant|user|human|developer|tool"

# First the openings of comments and of special tokens of models, then fences (`_fences`) and role
# tags, then text that looks like a line's label. The order matters: a bracket that was replaced
# must not count as part of a later match.
_SPECIAL: Final = expression(r"(?P<open><)(?=[|!])(?P<close>(?!))?")
_ROLE: Final = expression(rf"(?P<open><)[/|]?(?:{_ROLES})\b(?:[^<>]{{0,64}}(?P<close>>))?")
_LABEL: Final = expression(r"(?P<open>\[)(?!masked:) ?[a-z_][a-z_ -]{0,39}(?:(?P<close>\])|:)")

# In a text of several lines, which has links and boxes to tick.
_TOKEN: Final = expression(r"(?P<open><)(?=\|)(?P<close>(?!))?")
_SYSTEM_LABEL: Final = expression(r"(?P<open>\[) ?system\b[a-z_ -]{0,39}(?:(?P<close>\])|:)?")

_ESCAPED: Final = expression(MAY_ESCAPE, re.IGNORECASE)
_LETTERS: Final = re.sub("[^a-z]", "", FENCE)
_MOST_BORROWED: Final = 6
"""Letters of the fence's name that may be other signs, such as digits. With more of them a reader
does not recognise the fence."""
_LETTER_SIGNS: Final = frozenset("|!@$")
_LONGEST_NAME: Final = 200
_TO_CLOSE: Final = expression(r"[^<>]{0,64}>")

_GAPS: Final = expression(r"[\s:]+")
_LEADING: Final = expression(r"^[\W_]+")


class _Fence(NamedTuple):
    """Where a fence opens, and where it closes; -1 without a closing bracket."""

    opens: int
    closes: int

    def start(self, name: str) -> int:
        """Return a position, as a match of a pattern does."""
        return self.opens if name == "open" else self.closes


_Mark = Callable[[str], Iterator["re.Match[str] | _Fence"]]


def one_line(text: str, most: int = MAX_LINE_CHARS) -> str:
    """Return a text that may follow a prefix of ours in a prompt line.

    White space becomes one space. Control, format and other invisible characters are removed, so a
    Persian word loses its joiner and a family emoji splits into its members. Angle brackets of a
    fence or role tag, in any spelling, become round brackets. So do square brackets around a word,
    unless they are the marker of a masked secret. Everything else stays: other scripts, emoji,
    arrows, currency, `R:R > 2`.

    Args:
        most: length limit; a longer text ends in an ellipsis; characters.

    Returns:
        The line, empty without visible characters. A second call does not change it.
    """
    line = _rounded(_visible(text[: 4 * most]))
    if len(line) <= most and len(text) <= 4 * most:
        return line
    return _rounded(line[: most - 1].rstrip() + "…")  # cutting a word off can leave a new match


def one_name(text: str) -> str:
    """Return a text as a name that may start a list item: no space, no colon, a letter first."""
    name = _GAPS.sub("_", one_line(text, MAX_NAME_CHARS))
    return _LEADING.sub("", name) or "_"


def without_tags(text: str, *, roles: bool) -> str:
    """Return a text of several lines in which nothing passes for a tag of a prompt.

    The angle brackets of a fence and of a special token, in any spelling and over several lines,
    become round ones, and so do the brackets of `[System note`. A second call does not change it.

    Args:
        roles: also those of tags of a role, such as `<system>`, and of comments.
    """
    if not _SUSPECT.search(text):
        return text
    of_models: tuple[_Mark, ...] = (_TOKEN.finditer,)
    if roles:
        of_models = (_SPECIAL.finditer, _ROLE.finditer)
    return _without(text, (*of_models, _fences, _SYSTEM_LABEL.finditer))


def is_visible(text: str) -> bool:
    """Return whether a text has a visible character: not blank, not only hidden characters."""
    return bool(without_invisible(text).strip())


def _visible(text: str) -> str:
    return " ".join(without_invisible(text).split())


def _rounded(line: str) -> str:
    """Replace the brackets of every match by round ones."""
    if not _SUSPECT.search(line):
        return line
    return _without(line, (_SPECIAL.finditer, _fences, _ROLE.finditer, _LABEL.finditer))


def _without(text: str, marks: Iterable[_Mark]) -> str:
    """Return a text with the brackets of what some marks find as round ones."""
    spelled_out = _spelled(text)
    for mark in marks:
        edits = [edit for found in mark(spelled_out.text) for edit in _edits(found, spelled_out)]
        if edits:
            text = _edited(text, edits)
            spelled_out = _spelled(text)
    return text


def _spelled(line: str) -> FoldedText:
    if line.isascii() and not _ESCAPED.search(line):
        return FoldedText(line.lower(), range(len(line)), range(1, len(line) + 1))
    return spelled(line)


def _edits(match: "re.Match[str] | _Fence", folded: FoldedText) -> Iterator[tuple[int, int, str]]:
    for name, instead in (("open", "("), ("close", ")")):
        at = match.start(name)
        if at >= 0:
            yield folded.starts[at], folded.ends[at], instead


def _fences(text: str) -> Iterator[_Fence]:
    """Yield the fences of a text, with any characters except brackets between their letters.

    A round bracket may be an angle bracket that was already replaced.
    """
    at = text.find("<")
    while at >= 0:
        end = _fence_end(text, at + 1)
        if end:
            rest = _TO_CLOSE.match(text, end)
            yield _Fence(at, rest.end() - 1 if rest else -1)
        at = text.find("<", end or at + 1)


def _fence_end(text: str, start: int) -> int:
    """Return the end of a fence name that starts at a position; 0 if there is none."""
    # Maps the number of letters read to the least number of substitutes among them.
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
    """Yield how many letters a character stands for, and how many of them are substitutes."""
    if character == _LETTERS[count]:
        yield count + 1, 0
    elif character == "r" and _LETTERS[count] == "m" and text.startswith("rn", at):
        yield count, 0  # `rn` looks like `m`; its `n` is read in the next step
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
