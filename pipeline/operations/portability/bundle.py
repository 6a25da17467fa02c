"""An export that lies in a folder: its files, and how far each may be trusted."""

import hmac
import json
from collections.abc import Iterator
from hashlib import file_digest
from typing import Any, Final, NamedTuple

from afterword.pipeline.core.area import ExportTrust
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
    ImportSigner,
)
from afterword.pipeline.operations.portability.signature import (
    instance_name,
    mac,
    read_signature,
)

_MOST_LINE: Final = 4 * 1024 * 1024
"""Characters of a line of data."""

_MOST_SIGNATURE: Final = 64 * 1024 * 1024

_TRUST: Final[dict[ImportSigner, ExportTrust]] = {"group": "own", "home": "signed", "key": "signed"}


class BundleFile(NamedTuple):
    """A file of an export.

    Args:
        trust: see `TRUST_LEVELS`.
    """

    path: str
    trust: int
    signed_by: ImportSigner

    @property
    def channel(self) -> ImportChannel:
        """R1's channel: A for what this group itself signed."""
        return "A" if self.signed_by == "group" else "B"

    @property
    def is_signed(self) -> bool:
        """Whether a key that is here or was given signed it."""
        return self.signed_by != "nobody"


class Bundle:
    """An export in a folder.

    Args:
        tree: its files.
        key: of this installation.
        group: that imports.
        is_vouched: whether the owner vouches for files that nobody signed.
        given: the key of the home that wrote it, from its owner.

    Raises:
        InvalidInputError: it has no index, is of another schema, or the given key is not that with
            which it was signed.
    """

    def __init__(
        self,
        tree: PlainTree,
        key: bytes,
        group: str,
        *,
        is_vouched: bool,
        given: bytes | None = None,
    ) -> None:
        self.tree = tree
        self._key, self._group, self._vouched = key, group, is_vouched
        self._given = given
        self.header = self._header()
        self.missing: list[str] = []
        self._macs = self._signature()

    def files(self) -> Iterator[BundleFile]:
        """Yield the files but index and signature, each with its trust."""
        for path in self.tree.files:
            if path in (INDEX, SIGNATURE):
                continue
            if self._is_signed(path):
                yield BundleFile(path, TRUST_LEVELS[_TRUST[self._signer]], self._signer)
            else:
                trust = TRUST_LEVELS["known" if self._vouched else "any"]
                yield BundleFile(path, trust, "nobody")

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
        self._signer: ImportSigner = "nobody"
        if SIGNATURE not in self.tree.files:
            if self._given is not None:
                accepted = "an export with --sign, or --keep-provenance if it is your own"
                raise InvalidInputError("key", "proves nothing of an unsigned folder", accepted)
            return {}
        text = _text(self.tree.read(SIGNATURE, _MOST_SIGNATURE), SIGNATURE)
        header, macs = read_signature(text)
        for path in macs:
            if path.startswith("/") or ".." in path.split("/"):
                raise InvalidInputError(SIGNATURE, f"names {path[:80]!a}", "files below the folder")
        self.missing = sorted(path for path in macs if path not in self.tree.files)
        if header.schema != SCHEMA_VERSION:
            return {}
        if header.instance_id == instance_name(self._key):
            self._signer = "group" if header.group == self._group else "home"
        elif self._given is not None:
            if header.instance_id != instance_name(self._given):
                problem = f"is of home {instance_name(self._given)}"
                raise InvalidInputError("key", problem, f"the key of home {header.instance_id}")
            self._signer, self._key = "key", self._given
        else:
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
