"""The frozen context of a decision: everything its maker saw, stored once under its digest."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from afterword.pipeline.domain.memory.json_object import masked_object

MAX_CONTEXT: Final = 400_000
"""Characters of a context as JSON: a long prompt with the outputs of several tools."""


class FrozenJson(NamedTuple):
    """A JSON object as it is stored, once for all that name its digest.

    Args:
        hash: SHA-256 of the body, 64 hexadecimal digits.
        body: JSON with sorted keys, its secrets masked.
    """

    hash: str
    body: str


def frozen(body: str) -> FrozenJson:
    """Return a body with its digest."""
    return FrozenJson(hashlib.sha256(body.encode()).hexdigest(), body)


def freeze(context: Mapping[str, Any], field: str) -> FrozenJson | None:
    """Return a context as it is stored; None for an empty one.

    Raises:
        InvalidInputError: not an object, too large or deep, or not expressible as JSON.
    """
    if context == {}:
        return None
    masked = masked_object(context, field, MAX_CONTEXT)
    return frozen(json.dumps(masked, ensure_ascii=False, sort_keys=True, separators=(",", ":")))
