"""What was written into the files of clients, in one file of the home."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from afterword.pipeline.core.files.atomic import PRIVATE_MODE, write_whole
from afterword.pipeline.doors.connect.model import EditMark
from afterword.pipeline.doors.connect.own_file import read_bytes
from afterword.pipeline.errors import CorruptStoreError

RECORD_FILE: Final = "connected.json"
"""Its name in the home."""


class ConnectRecord:
    """The marks of all edits of one client, by place; each change is written at once.

    Args:
        home: the folder of all files of Afterword.

    Raises:
        CorruptStoreError: the record cannot be understood.
    """

    def __init__(self, home: Path, client: str, folder: Path) -> None:
        self._path = home / RECORD_FILE
        self._key = json.dumps([client, str(folder)])
        self._all = _read(self._path)

    @property
    def marks(self) -> Mapping[str, EditMark]:
        """The marks by place."""
        return self._all.get(self._key, {})

    @property
    def tokens(self) -> Mapping[str, EditMark]:
        """The marks of the files with tokens, by their user."""
        return {mark["user"]: mark for mark in self.marks.values() if "token" in mark}

    def put(self, place: str, mark: EditMark) -> None:
        """Keep the mark of an edit that is about to be written."""
        self._all.setdefault(self._key, {})[place] = dict(mark)
        self._write()

    def drop(self, place: str) -> None:
        """Forget an edit that was removed."""
        del self._all[self._key][place]
        if not self._all[self._key]:
            del self._all[self._key]
        self._write()

    def _write(self) -> None:
        content = json.dumps(self._all, indent=2, ensure_ascii=False) + "\n"
        write_whole(self._path, content.encode(), PRIVATE_MODE)


def _read(path: Path) -> dict[str, dict[str, EditMark]]:
    try:
        known = json.loads(read_bytes(path) or b"{}")
        if isinstance(known, dict):
            return known
    except ValueError:
        pass
    raise CorruptStoreError(
        f"{path} says which files of clients are ours, and cannot be read; restore it from a copy, "
        "or delete it and remove by hand what `afterword connect CLIENT --dry-run` shows"
    )
