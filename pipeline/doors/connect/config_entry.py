"""One entry in a configuration file of the user's; every other byte of the file stays."""

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from afterword.pipeline.core.files.atomic import check_writable, write_whole
from afterword.pipeline.doors.connect.model import EditMark, EditState, PreparedEdit
from afterword.pipeline.doors.connect.own_file import read_bytes
from afterword.pipeline.errors import InvalidInputError

_EMPTY: Final = (None, "")
"""Values that stand for an entry that is not set."""


class TextSplice(NamedTuple):
    """A piece of a text, and what takes its place."""

    at: int
    old: str
    new: str

    def applied(self, text: str) -> str:
        """Return the text with the new piece."""
        return text[: self.at] + self.new + text[self.at + len(self.old) :]


class ConfigFormat(Protocol):
    """A format of configuration files.

    What it proposes is tried on the text, and used only if the file then says the same but for the
    entry: so a proposal may be wrong, and is `None` where the format cannot tell.
    """

    def parse(self, text: str) -> Any:
        """Return what the file says.

        Raises:
            ValueError: it cannot be read.
        """

    def whole(self, keys: Sequence[str], value: Any) -> str:
        """Return a file with this entry alone."""

    def insertion(self, text: str, keys: Sequence[str], value: Any) -> TextSplice | None:
        """Return how the text gets an entry that it has not, or has without a value."""

    def deletion(self, text: str, keys: Sequence[str]) -> TextSplice | None:
        """Return how the text loses an entry."""


@dataclass(frozen=True, slots=True)
class ConfigEntry:
    """An entry that is set in a file, such as `memory.provider`.

    Args:
        keys: the names on the way to it, from the outermost.
        value: plain JSON.
        mode: of the file from then on; None keeps the mode that it has.
    """

    path: Path
    keys: Sequence[str]
    value: Any
    format: ConfigFormat
    mode: int | None = None

    @property
    def place(self) -> str:
        """The path and the names on the way to the entry."""
        return f"{self.path} {'.'.join(self.keys)}"

    def shown(self) -> str:
        """Return the entry as a file of its own would hold it."""
        return self.format.whole(self.keys, self.value)

    def present(self) -> Any:
        """Return the value that the file has now; None if the entry is not there."""
        return _value_at(self._parsed(self._read()), self.keys)

    def look(self, mark: EditMark | None) -> EditState:
        """Compare the entry with its value, and with what was written before.

        Raises:
            InvalidInputError: the file cannot be read or written, or has a form in which no entry
                can be added safely.
        """
        check_writable(self.path)
        text = self._read()
        present = _value_at(self._parsed(text), self.keys)
        if present == self.value:
            return "current"
        state: EditState = "changed" if mark is not None else "taken"
        if present in _EMPTY:
            state = "missing"
        elif mark is not None and json.dumps(present) in (mark["value"], mark["before"]):
            state = "outdated"
        if state in ("missing", "outdated"):
            self._insertion(self._cleared(text, mark))
        return state

    def prepare(self, mark: EditMark | None) -> PreparedEdit:
        """Return how to write it."""
        text = self._cleared(self._read(), mark)
        splice = self._insertion(text)
        before = mark or {}
        kept = {
            "value": json.dumps(self.value),
            "before": before.get("value", ""),
            "created": before.get("created") or ("" if self.path.exists() else "yes"),
            "old": splice.old,
            "new": splice.new,
        }
        content = splice.applied(text).encode()
        return PreparedEdit(kept, lambda: write_whole(self.path, content, self.mode))

    def remove(self, mark: EditMark) -> bool:
        """Take the entry out; a file that was made for it, and holds nothing else, is deleted."""
        text = self._read()
        present = _value_at(self._parsed(text), self.keys)
        if present in _EMPTY:
            return True
        if json.dumps(present) not in (mark["value"], mark["before"]):
            return False
        left = self._without(text, mark)
        if left is None:
            return False
        if mark["created"] and not left.strip():
            self.path.unlink()
        else:
            write_whole(self.path, left.encode())
        return True

    def _read(self) -> str:
        try:
            return (read_bytes(self.path) or b"").decode()
        except UnicodeDecodeError:
            raise self._unreadable("no text in UTF-8") from None

    def _parsed(self, text: str) -> Any:
        try:
            return self.format.parse(text)
        except ValueError as error:
            raise self._unreadable(" ".join(str(error).split())) from None

    def _unreadable(self, problem: str) -> InvalidInputError:
        accepted = f"a file without mistakes; or add it yourself: {self._in_words()}"
        return InvalidInputError(str(self.path), f"cannot be read ({problem:.200})", accepted)

    def _in_words(self) -> str:
        return f"{'.'.join(self.keys)} = {json.dumps(self.value)}"

    def _cleared(self, text: str, mark: EditMark | None) -> str:
        """Return the text without the entry that was written before, if it has one."""
        if mark is None or _value_at(self._parsed(text), self.keys) in _EMPTY:
            return text
        return self._without(text, mark) or text

    def _insertion(self, text: str) -> TextSplice:
        """Return how a text without the entry gets it, and changes in nothing else."""
        if not text:
            return TextSplice(0, "", self.format.whole(self.keys, self.value))
        splice = self.format.insertion(text, self.keys, self.value)
        if splice is not None and self._changes_alone(text, splice, (self.value,)):
            return splice
        problem = "has a form in which nothing can be added without changing more"
        accepted = f"your own hand: {self._in_words()}"
        raise InvalidInputError(str(self.path), problem, accepted)

    def _without(self, text: str, mark: EditMark) -> str | None:
        """Return the text without the entry; None if it cannot be taken out alone."""
        splices = (
            *_occurrences(text, mark["new"], mark["old"]),
            self.format.deletion(text, self.keys),
        )
        for splice in splices:
            if splice is not None and self._changes_alone(text, splice, _EMPTY):
                return splice.applied(text)
        return None

    def _changes_alone(self, text: str, splice: TextSplice, values: Sequence[Any]) -> bool:
        """Return whether a splice gives the entry one of these values, and changes nothing else."""
        try:
            after = self.format.parse(splice.applied(text))
        except ValueError:
            return False
        is_same = _stripped(self._parsed(text), self.keys) == _stripped(after, self.keys)
        return is_same and _value_at(after, self.keys) in values


def _occurrences(text: str, new: str, old: str) -> Iterator[TextSplice]:
    at = text.find(new)
    while at >= 0:
        yield TextSplice(at, new, old)
        at = text.find(new, at + 1)


def _value_at(document: Any, keys: Sequence[str]) -> Any:
    """Return the value of an entry; None if it is not there."""
    for key in keys:
        if not isinstance(document, Mapping) or key not in document:
            return None
        document = document[key]
    return document


def _stripped(document: Any, keys: Sequence[str]) -> Any:
    """Return a document without an entry, and without what holds nothing else."""
    if not keys or not isinstance(document, Mapping):
        return None if document in ({}, "") else document
    left = dict(deepcopy(document))
    if keys[0] in left:
        inner = None if len(keys) == 1 else _stripped(left.pop(keys[0]), keys[1:])
        left.pop(keys[0], None)
        if inner is not None:
            left[keys[0]] = inner
    return left or None
