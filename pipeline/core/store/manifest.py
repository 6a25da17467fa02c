"""The manifest of a backup: its files with their digests, written last and checked on restore."""

import hashlib
import json
import os
import re
import stat
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import ConfigDict, NonNegativeInt, TypeAdapter, ValidationError, with_config

from afterword.pipeline.core.store.filesystem import sync
from afterword.pipeline.core.store.names import group_path
from afterword.pipeline.errors import CorruptStoreError, InvalidInputError

MANIFEST_NAME: Final = "manifest.json"
_FORMAT: Final = 1

_KEY: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}", re.ASCII)
_MAX_BYTES: Final = 100_000_000
"""Size limit, since a manifest is read whole; one group takes about a kilobyte; bytes."""

StoreKind = Literal["group", "instance"]


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class BackupFile:
    """One file of a backup.

    Args:
        name: the group's name, the key's file name, or `instance`.
        size: bytes.
        schema: the file's schema number; 0 for a key.
        rows: rows by table, for the reader.
    """

    kind: Literal["group", "instance", "key"]
    name: str
    size: NonNegativeInt
    sha256: str
    schema: NonNegativeInt
    rows: Mapping[str, NonNegativeInt]

    def within(self, folder: Path) -> Path:
        """Return the path of the file in a home or in a backup; it never leaves that folder.

        Raises:
            InvalidInputError: the name is not valid for the kind.
        """
        if self.kind == "group" or self.kind == "instance":
            return store_path(folder, self.kind, self.name)
        if self.kind != "key" or not _KEY.fullmatch(self.name):
            raise InvalidInputError(
                "source", f"{self.kind!a} {self.name!a} is not a file name", "a group or a key"
            )
        return folder / "keys" / self.name


@with_config(ConfigDict(strict=True))  # strict: a size is a number, never its text
@dataclass(frozen=True, slots=True)
class Manifest:
    """A whole backup.

    Args:
        created_at: as `afterword.pipeline.clock.iso` writes it.
        program: version of the Afterword that wrote it.
        sqlite: version of its SQLite.
    """

    created_at: str
    instance_id: str
    program: str
    sqlite: str
    files: tuple[BackupFile, ...]


_MANIFEST: Final = TypeAdapter(Manifest)


def store_path(folder: Path, kind: StoreKind, name: str) -> Path:
    """Return the path of a store's file in a home or in a backup.

    Raises:
        InvalidInputError: the name is not a group name.
    """
    return group_path(folder, name) if kind == "group" else folder / "instance.sqlite"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of a backup, and sync it to the disk."""
    path = folder / MANIFEST_NAME
    path.write_text(json.dumps({"format": _FORMAT} | asdict(manifest), indent=2) + "\n")
    sync(path)


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a backup.

    Raises:
        InvalidInputError: the folder is not a complete backup, or a newer program made it.
    """
    accepted = "a folder that `afterword store backup` made"
    path = folder / MANIFEST_NAME
    try:
        return _read(_bytes_of(path))
    except OSError as error:
        raise InvalidInputError("source", f"{path}: {error.strerror}", accepted) from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InvalidInputError("source", f"{path}: {where}: {first['msg']}", accepted) from None
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InvalidInputError("source", f"{path} is not a manifest ({error})", accepted) from None


def check_copy(folder: Path, copied: BackupFile) -> Path:
    """Return the path of a backup's file if it matches the manifest.

    Raises:
        CorruptStoreError: it is missing, or differs.
    """
    path = copied.within(folder)
    if (
        path.is_symlink()
        or not path.is_file()
        or path.stat().st_size != copied.size
        or digest(path) != copied.sha256
    ):
        raise CorruptStoreError(
            f"{path} does not match its manifest; use another backup, nothing was changed"
        )
    return path


def digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _bytes_of(path: Path) -> bytes:
    """Return the bytes of a plain file; opening a pipe would wait for a writer."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as stream:
        found = os.fstat(stream.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("it is not a plain file")
        if found.st_size > _MAX_BYTES:
            raise ValueError(f"it has {found.st_size:,} bytes, more than {_MAX_BYTES:,}")
        return stream.read()


def _read(content: bytes) -> Manifest:
    found = json.loads(content)["format"]
    if found != _FORMAT:
        raise ValueError(f"format {found!r}, this program knows {_FORMAT}")
    manifest = _MANIFEST.validate_json(content)
    places = [one.within(Path()) for one in manifest.files]
    for place, more in Counter(places).items():
        if more > 1:
            raise ValueError(f"it names {place} {more} times")
    return manifest
