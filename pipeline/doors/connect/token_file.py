"""A file with a token and an address, which the client alone reads."""

import json
from dataclasses import dataclass
from pathlib import Path

from afterword.pipeline.core.files.atomic import PRIVATE_MODE, check_writable, write_whole
from afterword.pipeline.doors.connect.model import (
    ConnectTarget,
    EditMark,
    EditState,
    PreparedEdit,
)
from afterword.pipeline.doors.connect.own_file import (
    delete_own,
    file_mark,
    is_ours,
    read_bytes,
)


@dataclass(frozen=True, slots=True)
class TokenFile:
    """JSON with `url`, `group` and `token`, of mode 0600; the token is issued when it is written.

    Args:
        label: of the token.
    """

    path: Path
    label: str
    target: ConnectTarget

    @property
    def place(self) -> str:
        """Its path."""
        return str(self.path)

    def shown(self) -> str:
        """Return its text; the token is issued when it is written."""
        return self._text("(a new token)").decode()

    def look(self, mark: EditMark | None) -> EditState:
        """Return whether it has a live token for this address and group."""
        check_writable(self.path)
        present = read_bytes(self.path)
        if present is None:
            return "missing"
        if mark is None:
            return "taken"
        if not is_ours(present, mark):
            return "changed"
        is_same = (mark["url"], mark["group"]) == (self.target.url, self.target.group)
        lives = self.target.tokens.is_live(int(mark["token"]))
        return "current" if is_same and lives else "outdated"

    def prepare(self, mark: EditMark | None) -> PreparedEdit:
        """Issue a token; return how to write it. The one before it ends."""
        if mark is not None:
            self.target.tokens.revoke(int(mark["token"]))
        issued = self.target.tokens.issue(self.target.group, self.label)
        content = self._text(issued.text)
        kept = dict(file_mark(self.path, content, mark)) | {
            "token": str(issued.token.id),
            "url": self.target.url,
            "group": self.target.group,
            "user": self.target.user,
        }
        return PreparedEdit(kept, lambda: write_whole(self.path, content, PRIVATE_MODE))

    def remove(self, mark: EditMark) -> bool:
        """End the token, and delete the file."""
        self.target.tokens.revoke(int(mark["token"]))
        return delete_own(self.path, mark)

    def _text(self, token: str) -> bytes:
        fields = {"url": self.target.url, "group": self.target.group, "token": token}
        return (json.dumps(fields, indent=2) + "\n").encode()


def token_in(content: bytes) -> str | None:
    """Return the token in the text of such a file; None if it has none."""
    try:
        return str(json.loads(content)["token"])
    except (ValueError, TypeError, KeyError):
        return None
