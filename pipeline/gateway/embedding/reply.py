"""Check and decode a reply of the embeddings API; one wrong part rejects the whole reply."""

import json
from math import isfinite
from struct import pack
from typing import Any, Final

from afterword.pipeline.gateway.budget import Reply
from afterword.pipeline.gateway.budget.amounts import MOST_TOKENS
from afterword.pipeline.gateway.http.model import AskFailedError

BYTES_PER_NUMBER: Final = 64
"""A double needs 25 bytes of JSON at most; the rest is for a comma and indentation."""

_BYTES_BESIDE: Final = 65_536
"""Bytes for everything except the vectors: model, usage, indexes."""


def largest_reply(count: int, dimensions: int) -> int:
    """Return the size limit of a reply to `count` texts; bytes."""
    return count * (dimensions * BYTES_PER_NUMBER + 256) + _BYTES_BESIDE


def read_reply(body: bytes, count: int, dimensions: int) -> Reply[list[bytes]]:
    """Return the vectors and the tokens of a reply.

    Args:
        body: the received JSON.
        count: number of texts sent.
        dimensions: required length of each vector.

    Raises:
        AskFailedError: a part of the reply is missing or wrong.
    """
    reply = _decoded(body)
    tokens = _tokens(reply.get("usage"))
    return Reply(_vectors(reply.get("data"), count, dimensions), tokens, output_tokens=0)


def _decoded(body: bytes) -> dict[str, Any]:
    try:
        reply = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise _invalid("something that is not JSON") from None
    if not isinstance(reply, dict):
        raise _invalid("JSON that is not an object")
    return reply


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _tokens(usage: object) -> int:
    """Return the larger of the two counts, so that the budget never books too little."""
    counts: list[int] = []
    if isinstance(usage, dict):
        counts = [usage[name] for name in ("prompt_tokens", "total_tokens") if name in usage]
    if not counts or any(type(n) is not int or not 0 <= n <= MOST_TOKENS for n in counts):
        raise _invalid("no whole number of tokens")
    return max(counts)


def _vectors(rows: object, count: int, dimensions: int) -> list[bytes]:
    if not isinstance(rows, list) or len(rows) != count:
        raise _invalid(f"a number of vectors other than {count}, one per text")
    vectors: dict[int, bytes] = {}
    for row in rows:
        if not isinstance(row, dict) or type(row.get("index")) is not int:
            raise _invalid("a vector without an index")
        vectors[row["index"]] = _blob(row.get("embedding"), dimensions)
    if sorted(vectors) != list(range(count)):
        raise _invalid(f"indexes other than 0 to {count - 1}, each once")
    return [vectors[index] for index in range(count)]


def _blob(vector: object, dimensions: int) -> bytes:
    if not isinstance(vector, list):
        raise _invalid("a vector that is not a list of numbers")
    if len(vector) != dimensions:
        raise _invalid(
            f"a vector of {len(vector)} numbers, but AFTERWORD_EMBEDDING_DIMENSIONS is {dimensions}"
        )
    try:
        # `type`, because isinstance(True, int) holds.
        if set(map(type, vector)) <= {int, float} and all(map(isfinite, vector)):
            return pack(f"<{dimensions}f", *vector)
    except OverflowError:  # 1e39, or an integer of a hundred digits
        pass
    raise _invalid("a vector with a value that is not a finite float32")


def _invalid(content: str) -> AskFailedError:
    return AskFailedError(f"embedding service sent {content}; try again later")
