"""How much of each file fits a prompt, and a text without its middle where it does not fit."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.workspace.model import WorkspaceText

_FIRST_PART: Final = 0.75
"""Share of a cut text that is its beginning: the rest is its end, where notes are the newest."""

_LINE_PART: Final = 0.8
"""A cut is moved to the end of a line if so much of the text is left."""


def shares(lengths: Sequence[int], most_each: int, most_all: int) -> list[int]:
    """Return how many characters each file gets: no file starves another.

    A file that needs less than an equal share of what is left gets all it needs, and leaves the
    rest to the others (max-min fairness).
    """
    wanted = [min(length, most_each) for length in lengths]
    left, shared = most_all, [0] * len(wanted)
    by_need = sorted(range(len(wanted)), key=lambda place: wanted[place])
    for done, place in enumerate(by_need):
        shared[place] = min(wanted[place], left // (len(wanted) - done))
        left -= shared[place]
    return shared


def fitted(texts: Sequence[WorkspaceText], most_each: int, most_all: int) -> list[str]:
    """Return the texts of files as they fit a prompt; a cut one says so itself."""
    lengths = [_needed(text) for text in texts]
    rooms = shares(lengths, most_each, most_all)
    return [cut(text, room) for text, room in zip(texts, rooms, strict=True)]


def is_cut(text: WorkspaceText, shown: str) -> bool:
    """Return whether a prompt does not have all of a file."""
    return text.unread > 0 or len(shown) < len(text.text)


def cut(text: WorkspaceText, most: int) -> str:
    """Return a file's text, of a longer one its beginning and its end.

    Args:
        most: characters, those of the line that says so included.
    """
    whole = text.text
    if len(whole) <= most and not text.unread:
        return whole
    mark = _mark(text, len(whole) - most)
    room = max(0, min(len(whole), most - len(mark) - 2))
    first = int(room * _FIRST_PART)
    head, tail = whole[:first], whole[len(whole) - (room - first) :]
    if (at := head.rfind("\n")) > _LINE_PART * len(head):
        head = head[:at]
    if 0 <= (at := tail.find("\n")) < (1 - _LINE_PART) * len(tail):
        tail = tail[at + 1 :]
    left_out = len(whole) - len(head) - len(tail)
    return f"{head}\n{_mark(text, left_out)}\n{tail}".strip("\n")[:most]


def _needed(text: WorkspaceText) -> int:
    """Return the characters of a whole text, with the line that says what was not read of it."""
    length = len(text.text)
    return length + len(_mark(text, length)) + 2 if text.unread else length


def _mark(text: WorkspaceText, left_out: int) -> str:
    middle = f", and {text.unread:,} bytes between them," if text.unread else ""
    counted = f"{max(0, left_out):,} of {len(text.text):,} characters of this file{middle}"
    return f"[… {counted} are left out here: too long for a prompt …]"
