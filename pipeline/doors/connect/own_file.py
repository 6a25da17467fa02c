"""A file that is wholly ours, such as one of a plugin."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from afterword.pipeline.core.files.atomic import check_writable, write_whole
from afterword.pipeline.doors.connect.model import EditMark, EditState, PreparedEdit
from afterword.pipeline.errors import InvalidInputError


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file of ours in a folder of a client."""

    path: Path
    content: bytes

    @property
    def place(self) -> str:
        """Its path."""
        return str(self.path)

    def shown(self) -> str:
        """Return its text."""
        return self.content.decode()

    def look(self, mark: EditMark | None) -> EditState:
        """Compare the file with its content, and with what was written before."""
        check_writable(self.path)
        present = read_bytes(self.path)
        if present is None:
            return "missing"
        if present == self.content:
            # Without a mark a kill came between both: it is ours all the same.
            return "current" if mark is not None else "outdated"
        if mark is None:
            return "taken"
        return "outdated" if is_ours(present, mark) else "changed"

    def prepare(self, mark: EditMark | None) -> PreparedEdit:
        """Return how to write it, with the folders that it needs."""
        kept = file_mark(self.path, self.content, mark)
        return PreparedEdit(kept, lambda: write_whole(self.path, self.content))

    def remove(self, mark: EditMark) -> bool:
        """Delete it, what Python compiled from it, and the folders made for it, if empty."""
        return delete_own(self.path, mark)


def file_mark(path: Path, content: bytes, mark: EditMark | None) -> EditMark:
    """Return the mark of a file that is about to be written.

    Args:
        mark: of what was written before; a kill may come between a mark and its file, so both
            contents are known to be ours.
    """
    before = mark or {}
    return {
        "sha256": _digest(content),
        "before": before.get("sha256", ""),
        "folders": before.get("folders") or "\n".join(_missing_folders(path)),
    }


def is_ours(present: bytes, mark: EditMark) -> bool:
    """Return whether a file holds what was written."""
    return _digest(present) in (mark["sha256"], mark["before"])


def read_bytes(path: Path) -> bytes | None:
    """Return the bytes of a file; None if there is no such file.

    Raises:
        InvalidInputError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        problem = f"{path} cannot be read ({error.strerror})"
        raise InvalidInputError("file", problem, "a file that you may read") from None


def delete_own(path: Path, mark: EditMark) -> bool:
    """Delete a file that holds what was written; False if somebody changed it."""
    present = read_bytes(path)
    if present is not None:
        if not is_ours(present, mark):
            return False
        try:
            path.unlink()
        except OSError as error:
            problem = f"{path} cannot be deleted ({error.strerror})"
            raise InvalidInputError("file", problem, "a file in a folder of yours") from None
    compiled = path.parent / "__pycache__"
    if path.suffix == ".py" and compiled.is_dir():
        for file in compiled.glob(f"{path.stem}.*.pyc"):
            file.unlink(missing_ok=True)
        with suppress(OSError):  # somebody else's is in it
            compiled.rmdir()
    for folder in filter(None, mark["folders"].split("\n")):
        with suppress(OSError):  # not empty
            Path(folder).rmdir()
    return True


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _missing_folders(path: Path) -> Sequence[str]:
    """Return the folders that writing a file makes, the innermost first."""
    return [str(folder) for folder in path.parents if not folder.exists()]
