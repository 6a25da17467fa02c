"""An entry with a token of its own, in a file of the user's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.core.files.atomic import PRIVATE_MODE
from afterword.pipeline.doors.connect.config_entry import ConfigEntry, ConfigFormat
from afterword.pipeline.doors.connect.model import (
    ConnectTarget,
    EditMark,
    EditState,
    PreparedEdit,
)

_HIDDEN: Final = "(the token)"
"""What the record keeps where the token stands: a token is told once."""


@dataclass(frozen=True, slots=True)
class TokenEntry:
    """An entry whose value holds a token, which is issued when it is written.

    Args:
        keys: the names on the way to the entry, from the outermost.
        value_with: returns its value with a token; plain JSON.
        token_of: returns the token in such a value; None if it has none.
        label: of the token.
    """

    path: Path
    keys: Sequence[str]
    value_with: Callable[[str], Any]
    token_of: Callable[[Any], str | None]
    format: ConfigFormat
    label: str
    target: ConnectTarget

    @property
    def place(self) -> str:
        """The path and the names on the way to the entry."""
        return self._entry(_HIDDEN).place

    def shown(self) -> str:
        """Return the entry as a file of its own would hold it, without the token."""
        return self._entry("(a new token)").shown()

    def look(self, mark: EditMark | None) -> EditState:
        """Compare the entry with its value, and ask whether its token lives."""
        token = self._present_token()
        state = self._entry(token).look(_with(mark, token))
        if state == "current" and mark is not None:
            return "current" if self.target.tokens.is_live(int(mark["token"])) else "outdated"
        return state

    def prepare(self, mark: EditMark | None) -> PreparedEdit:
        """Issue a token; return how to write it. The one before it ends."""
        if mark is not None:
            self.target.tokens.revoke(int(mark["token"]))
        issued = self.target.tokens.issue(self.target.group, self.label)
        prepared = self._entry(issued.text).prepare(_with(mark, self._present_token()))
        kept = {name: text.replace(issued.text, _HIDDEN) for name, text in prepared.mark.items()}
        kept |= {
            "token": str(issued.token.id),
            "url": self.target.url,
            "group": self.target.group,
            "user": self.target.user,
        }
        return PreparedEdit(kept, prepared.write)

    def remove(self, mark: EditMark) -> bool:
        """End the token, and take the entry out."""
        self.target.tokens.revoke(int(mark["token"]))
        token = self._present_token()
        known = _with(mark, token)
        assert known is not None
        return self._entry(token).remove(known)

    def _entry(self, token: str) -> ConfigEntry:
        return ConfigEntry(self.path, self.keys, self.value_with(token), self.format, PRIVATE_MODE)

    def _present_token(self) -> str:
        """Return the token that the file has now; empty if it has none."""
        return self.token_of(self._entry("").present()) or ""


def _with(mark: EditMark | None, token: str) -> EditMark | None:
    """Return a mark with the token in it."""
    if mark is None:
        return None
    return {name: text.replace(_HIDDEN, token) for name, text in mark.items()}
