"""A reply of the embeddings API, believed only where all of it fits what was asked."""

import json
from math import isfinite
from struct import pack
from typing import Any, Final

from afterword.pipeline.gateway.budget import Reply
from afterword.pipeline.gateway.budget.amounts import MOST_TOKENS
from afterword.pipeline.gateway.http.model import AskFailedError

BYTES_PER_NUMBER: Final = 64
"""A double takes 25 bytes of JSON at most, a comma and an indented line the rest."""

BYTES_BESIDE: Final = 65_536
"""Room for all that is not vectors: model, usage, indexes."""


def largest_reply(count: int, dimensions: int) -> int:
    """Return the size beyond which a reply to `count` texts is not worth reading; bytes."""
    return count * (dimensions * BYTES_PER_NUMBER + 256) + BYTES_BESIDE


def read_reply(body: bytes, count: int, dimensions: int) -> Reply[list[bytes]]:
    """Return the vectors and the tokens of a reply, or refuse all of it.

    Args:
        body: JSON as it arrived.
        count: how many texts were sent.
        dimensions: how long each vector must be.

    Raises:
        AskFailedError: something does not fit.
    """
    reply = _decoded(body)
    tokens = _tokens(reply.get("usage"))
    return Reply(_vectors(reply.get("data"), count, dimensions), tokens, output_tokens=0)


def _decoded(body: bytes) -> dict[str, Any]:
    try:
        reply = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise _misfit("no JSON") from None
    if not isinstance(reply, dict):
        raise _misfit("no JSON object")
    return reply


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _tokens(usage: object) -> int:
    """Return the larger of the two counts, so that the dearer reading is paid."""
    counts: list[int] = []
    if isinstance(usage, dict):
        counts = [usage[name] for name in ("prompt_tokens", "total_tokens") if name in usage]
    if not counts or any(type(n) is not int or not 0 <= n <= MOST_TOKENS for n in counts):
        raise _misfit("no whole count of tokens")
    return max(counts)


def _vectors(rows: object, count: int, dimensions: int) -> list[bytes]:
    if not isinstance(rows, list) or len(rows) != count:
        raise _misfit(f"not one vector for each of {count} texts")
    vectors: dict[int, bytes] = {}
    for row in rows:
        if not isinstance(row, dict) or type(row.get("index")) is not int:
            raise _misfit("a vector without an index")
        vectors[row["index"]] = _blob(row.get("embedding"), dimensions)
    if sorted(vectors) != list(range(count)):
        raise _misfit(f"indexes other than 0 to {count - 1}, each once")
    return [vectors[index] for index in range(count)]


def _blob(vector: object, dimensions: int) -> bytes:
    if not isinstance(vector, list):
        raise _misfit("a vector that is no list of numbers")
    if len(vector) != dimensions:
        raise _misfit(
            f"a vector of {len(vector)} numbers, not the {dimensions} of "
            "AFTERWORD_EMBEDDING_DIMENSIONS"
        )
    try:
        # `type`, because true is a number to everything else.
        if set(map(type, vector)) <= {int, float} and all(map(isfinite, vector)):
            return pack(f"<{dimensions}f", *vector)
    except OverflowError:  # 1e39, or an integer of a hundred digits
        pass
    raise _misfit("a vector with something that is no finite float32")


def _misfit(what: str) -> AskFailedError:
    return AskFailedError(f"embedding service sent {what}; try again later")
