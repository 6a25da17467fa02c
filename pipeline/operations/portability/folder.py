"""The folder of an export while it is written: it gets its name when all of it is on the disk."""

import os
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

from afterword.pipeline.core.files.temporary import TEMPORARY_PREFIX, locked, new_folder
from afterword.pipeline.core.store.failures import answered
from afterword.pipeline.core.store.filesystem import sync
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import InvalidInputError

_KIND: Final = "export"


class ExportFolder:
    """The files of one export, each with its digest.

    Args:
        digests: SHA-256 of the bytes of each file so far, by path; hexadecimal.
    """

    def __init__(self, top: Path) -> None:
        self._top = top
        self.digests: dict[str, str] = {}

    def write(self, path: str, pieces: Iterable[str]) -> None:
        """Write a file, a piece at a time; its folders are made.

        Args:
            path: below the folder, with slashes.
        """
        place = self._top / path
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        digest = sha256()
        with place.open("xb") as file:
            for piece in pieces:
                part = piece.encode()
                digest.update(part)
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        self.digests[path] = digest.hexdigest()
        emit("export.file_written", path=path)


@contextmanager
def folder_that_becomes(target: Path) -> Iterator[ExportFolder]:
    """Yield a folder with a temporary name, and rename it after success.

    What killed exports left beside it is deleted first.

    Raises:
        InvalidInputError: the target exists.
        UnavailableError: the disk is full, or cannot be written.
    """
    if os.path.lexists(target):
        raise InvalidInputError("out", f"{target} exists", "the path of a new folder")
    with answered(target):
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _delete_left_over(target.parent)
        folder = new_folder(_KIND, target.parent)
        with closing(folder):
            try:
                yield ExportFolder(folder.path)
                for place, _, _ in os.walk(folder.path):
                    sync(Path(place))
                emit("export.written")
                folder.path.rename(target)
                sync(target.parent)
            except BaseException:
                folder.delete()
                raise


def _delete_left_over(top: Path) -> None:
    for path in top.glob(f"{TEMPORARY_PREFIX}{_KIND}-*"):
        folder = locked(path)
        if folder is not None:
            with closing(folder):
                folder.delete()
