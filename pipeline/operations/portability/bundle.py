"""An export that lies in a folder: its files, and how far each may be trusted."""

import hmac
import json
from collections.abc import Iterator
from hashlib import file_digest
from typing import Any, Final, NamedTuple

from afterword.pipeline.core.files.plain_tree import PlainTree
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.portability.front_matter import read_page
from afterword.pipeline.operations.portability.model import (
    DATA,
    INDEX,
    MOST_PAGE_BYTES,
    SCHEMA_VERSION,
    SIGNATURE,
    TRUST_LEVELS,
    ExportHeader,
    ImportChannel,
)
from afterword.pipeline.operations.portability.signature import (
    instance_name,
    mac,
    read_signature,
)

_MOST_LINE: Final = 4 * 1024 * 1024
"""Characters of a line of data."""

_MOST_SIGNATURE: Final = 64 * 1024 * 1024


class BundleFile(NamedTuple):
    """A file of an export.

    Args:
        trust: see `TRUST_LEVELS`.
        is_signed: whether this installation signed it, for any group.
    """

    path: str
    trust: int
    is_signed: bool

    @property
    def channel(self) -> ImportChannel:
        """R1's channel: A for what this group itself signed."""
        return "A" if self.trust == TRUST_LEVELS["own"] else "B"


class Bundle:
    """An export in a folder.

    Args:
        tree: its files.
        key: of this installation.
        group: that imports.
        is_vouched: whether the owner vouches for files that are not signed here.

    Raises:
        InvalidInputError: it has no index, or is of another schema.
    """

    def __init__(self, tree: PlainTree, key: bytes, group: str, *, is_vouched: bool) -> None:
        self.tree = tree
        self._key, self._group, self._vouched = key, group, is_vouched
        self.header = self._header()
        self.missing: list[str] = []
        self._macs = self._signature()

    def files(self) -> Iterator[BundleFile]:
        """Yield the files but index and signature, each with its trust."""
        for path in self.tree.files:
            if path not in (INDEX, SIGNATURE):
                is_signed = self._is_signed(path)
                trust = "any"
                if is_signed:
                    trust = "own" if self.header.group == self._group else "known"
                elif self._vouched:
                    trust = "known"
                yield BundleFile(path, TRUST_LEVELS[trust], is_signed)  # type: ignore[index]

    def page(self, path: str) -> tuple[dict[str, Any], str]:
        """Return front matter and body of a page.

        Raises:
            InvalidInputError: it is no page, or of another schema.
        """
        fields, body = read_page(_text(self.tree.read(path, MOST_PAGE_BYTES), path), path)
        _check_schema(fields, path)
        return fields, body

    def lines(self, path: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
        """Yield the lines of a file of data by their number, or why one is not read.

        Raises:
            InvalidInputError: the first line does not say that it is this file, of this schema.
        """
        name = path.removeprefix(f"{DATA}/").removesuffix(".jsonl")
        with self.tree.open(path) as stream:
            head = _object(stream.readline(_MOST_LINE))
            if isinstance(head, str) or head.get("kind") != name:
                raise InvalidInputError(
                    path, "does not begin as such a file", f'{{"kind": "{name}"}}'
                )
            _check_schema(head, path)
            number = 1
            while raw := stream.readline(_MOST_LINE):
                number += 1
                yield number, _object(raw)

    def _header(self) -> ExportHeader:
        if INDEX not in self.tree.files:
            raise InvalidInputError("folder", f"has no {INDEX}", "a folder that `export` wrote")
        fields, _ = read_page(_text(self.tree.read(INDEX, MOST_PAGE_BYTES), INDEX), INDEX)
        _check_schema(fields, INDEX)
        named, group, serial = (fields.get(one) for one in ("instance_id", "group", "serial"))
        if not (isinstance(named, str) and isinstance(group, str) and isinstance(serial, int)):
            raise InvalidInputError(
                INDEX, "does not say what it is of", "instance_id, group, serial"
            )
        return ExportHeader(named, group, serial)

    def _signature(self) -> dict[str, str]:
        if SIGNATURE not in self.tree.files:
            return {}
        text = _text(self.tree.read(SIGNATURE, _MOST_SIGNATURE), SIGNATURE)
        header, macs = read_signature(text)
        for path in macs:
            if path.startswith("/") or ".." in path.split("/"):
                raise InvalidInputError(SIGNATURE, f"names {path[:80]!a}", "files below the folder")
        self.missing = sorted(path for path in macs if path not in self.tree.files)
        if header.instance_id != instance_name(self._key) or header.schema != SCHEMA_VERSION:
            return {}
        self.header = header
        return macs

    def _is_signed(self, path: str) -> bool:
        signed = self._macs.get(path)
        if signed is None:
            return False
        with self.tree.open(path) as stream:
            digest = file_digest(stream, "sha256").hexdigest()
        return hmac.compare_digest(mac(self._key, self.header, path, digest), signed)


def _check_schema(fields: dict[str, Any], path: str) -> None:
    version = fields.get("schema_version")
    if version != SCHEMA_VERSION or isinstance(version, bool):
        problem = f"has the schema_version {version!r:.40}"
        raise InvalidInputError(path, problem, f"schema_version: {SCHEMA_VERSION}")


def _text(data: bytes, path: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InvalidInputError(path, "is not UTF-8", "text in UTF-8") from None


def _object(raw: bytes) -> dict[str, Any] | str:
    """Return a line as an object, or why it is none."""
    if len(raw) >= _MOST_LINE:
        return f"has more than {_MOST_LINE:,} bytes"
    try:
        value = json.loads(raw, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return "is no JSON in UTF-8"
    return value if isinstance(value, dict) else "is no JSON object"


def _refuse_constant(name: str) -> None:
    raise ValueError(name)
