"""Sign the files of an export with the key of the installation, and tell which signatures hold.

A MAC is over path, group, schema, serial and bytes: a file signed under one name, for one group or
in one export is worth nothing under another name, in another group or beside files of another one.
"""

import hmac
import json
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.portability.model import SIGNATURE, ExportHeader

_TITLE: Final = "afterword export signature"
_HEADER: Final = re.compile(r"(instance_id|group|schema|serial): (\S{1,200})")
_LINE: Final = re.compile(r"([0-9a-f]{64})  (\S.{0,999})")
_ID: Final = re.compile(r"[0-9a-f]{16}")
_MOST_DIGITS: Final = 18


def instance_name(key: bytes) -> str:
    """Return the name of an installation in what it exports: 16 digits that do not give its key."""
    return sha256(key).hexdigest()[:16]


def mac(key: bytes, header: ExportHeader, path: str, digest: str) -> str:
    """Return the MAC of a file: HMAC-SHA256, hexadecimal.

    Args:
        digest: SHA-256 of its bytes, hexadecimal.
    """
    signed = json.dumps([path, header.group, header.schema, header.serial, digest])
    own = sha256(key + b"afterword export").digest()  # a key for this purpose alone
    return hmac.digest(own, signed.encode(), "sha256").hex()


def signature_text(key: bytes, header: ExportHeader, digests: Mapping[str, str]) -> str:
    """Return `signature.txt` for files by path with their digests."""
    head = [
        _TITLE,
        f"instance_id: {header.instance_id}",
        f"group: {header.group}",
        f"schema: {header.schema}",
        f"serial: {header.serial}",
        "",
    ]
    lines = [
        f"{mac(key, header, path, digest)}  {path}" for path, digest in sorted(digests.items())
    ]
    return "\n".join([*head, *lines, ""])


def read_signature(text: str) -> tuple[ExportHeader, dict[str, str]]:
    """Return the header of a `signature.txt`, and the MACs by path; nothing in it is trusted.

    Raises:
        InvalidInputError: it is none.
    """
    lines = text.split("\n")
    head = {match[1]: match[2] for line in lines[1:5] if (match := _HEADER.fullmatch(line))}
    numbers = [head.get(name, "") for name in ("schema", "serial")]
    if (
        lines[0] != _TITLE
        or len(head) != 4
        or _ID.fullmatch(head["instance_id"]) is None
        or not all(one.isascii() and one.isdigit() and len(one) < _MOST_DIGITS for one in numbers)
    ):
        raise InvalidInputError(SIGNATURE, "is no signature of an export", f"{_TITLE!r} and a head")
    schema, serial = map(int, numbers)
    return ExportHeader(head["instance_id"], head["group"], serial, schema), _macs(lines[6:])


def _macs(lines: Iterable[str]) -> dict[str, str]:
    macs: dict[str, str] = {}
    for line in filter(None, lines):
        match = _LINE.fullmatch(line)
        if match is None or match[2] in macs:
            raise InvalidInputError(SIGNATURE, f"has the line {line[:60]!a}", "a MAC and a path")
        macs[match[2]] = match[1]
    return macs
