"""What a backup holds, written last and believed only when every byte agrees with it."""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pipeline.errors import CorruptStoreError, InvalidInputError
from pipeline.store.names import group_path

NAME: Final = "manifest.json"
FORMAT: Final = 1

_KEY: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}", re.ASCII)
_MAX_BYTES: Final = 100_000_000
"""A manifest is read whole; one group takes about a kilobyte."""

StoreKind = Literal["group", "instance"]


@dataclass(frozen=True, slots=True)
class Copied:
    """One file of a backup.

    Args:
        name: the group's name, the key's file name, or `instance`.
        size: bytes.
        schema: the file's schema number; 0 for a key.
        rows: rows by table, for the reader.
    """

    kind: Literal["group", "instance", "key"]
    name: str
    size: int
    sha256: str
    schema: int
    rows: Mapping[str, int]

    def within(self, folder: Path) -> Path:
        """Return where the file lies in a home or in a backup; a name cannot lead out of it.

        Raises:
            InvalidInputError: the name is none for its kind.
        """
        if self.kind == "group" or self.kind == "instance":
            return store_path(folder, self.kind, self.name)
        if self.kind != "key" or not _KEY.fullmatch(self.name):
            raise InvalidInputError(
                "source", f"{self.kind!a} {self.name!a} is no file's name", "a group or a key"
            )
        return folder / "keys" / self.name


@dataclass(frozen=True, slots=True)
class Manifest:
    """A whole backup.

    Args:
        created_at: as `pipeline.clock.iso` writes it.
        program: version of the Afterword that wrote it.
        sqlite: version of its SQLite.
    """

    created_at: str
    instance_id: str
    program: str
    sqlite: str
    files: tuple[Copied, ...]


def store_path(folder: Path, kind: StoreKind, name: str) -> Path:
    """Return where a store's file lies in a home or in a backup.

    Raises:
        InvalidInputError: the name is not a group name.
    """
    return group_path(folder, name) if kind == "group" else folder / "instance.sqlite"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write a backup's manifest and see it to the disk."""
    path = folder / NAME
    path.write_text(json.dumps({"format": FORMAT} | asdict(manifest), indent=2) + "\n")
    sync(path)


def read_manifest(folder: Path) -> Manifest:
    """Return what a backup says it holds.

    Raises:
        InvalidInputError: the folder holds no whole backup, or one of a newer program.
    """
    accepted = "a folder that `afterword store backup` made"
    path = folder / NAME
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InvalidInputError("source", f"{path} is too large", accepted)
        return _read(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InvalidInputError("source", f"{path}: {error.strerror}", accepted) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InvalidInputError("source", f"{path} is no manifest ({error})", accepted) from None


def check_copy(folder: Path, copied: Copied) -> Path:
    """Return a backup's file if it is what the manifest says.

    Raises:
        CorruptStoreError: it is missing, or differs.
    """
    path = copied.within(folder)
    if path.is_symlink() or not path.is_file() or digest(path) != copied.sha256:
        raise CorruptStoreError(
            f"{path} is not what its manifest says; use another backup, nothing was changed"
        )
    return path


def digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sync(path: Path) -> None:
    """See a file, or a folder's list of names, to the disk."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    except OSError:
        if not path.is_dir():  # some file systems cannot sync a folder
            raise
    finally:
        os.close(fd)


def _read(found: Any) -> Manifest:
    if found["format"] != FORMAT:
        raise ValueError(f"format {found['format']}, this program knows {FORMAT}")
    files = tuple(Copied(**{**entry, "rows": dict(entry["rows"])}) for entry in found["files"])
    for one in files:
        one.within(Path())
    return Manifest(
        str(found["created_at"]),
        str(found["instance_id"]),
        str(found["program"]),
        str(found["sqlite"]),
        files,
    )
