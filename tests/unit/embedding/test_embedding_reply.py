"""A reply of the embeddings API is accepted as a whole or rejected."""

import json
import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.gateway.embedding.reply import largest_reply, read_reply
from afterword.pipeline.gateway.http.model import AskFailedError

Reply = dict[str, Any]
Change = Callable[[Reply], object]


def honest(count: int = 3, dimensions: int = 2) -> Reply:
    rows = [{"index": index, "embedding": [float(index)] * dimensions} for index in range(count)]
    return {"data": rows, "usage": {"prompt_tokens": 9, "total_tokens": 9}}


def refusal(change: Change) -> str:
    reply = honest()
    change(reply)
    with pytest.raises(AskFailedError) as refused:
        read_reply(json.dumps(reply).encode(), count=3, dimensions=2)
    return str(refused.value)


def numbers(blob: bytes) -> list[float]:
    return list(struct.unpack(f"<{len(blob) // 4}f", blob))


def test_vectors_come_back_in_the_order_of_the_texts():
    reply = honest()
    reply["data"].reverse()

    found = read_reply(json.dumps(reply).encode(), count=3, dimensions=2)

    assert [numbers(blob) for blob in found.content] == [[0, 0], [1, 1], [2, 2]]


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_every_float32_survives_the_way_through_json(vector):
    reply = {"data": [{"index": 0, "embedding": vector}], "usage": {"total_tokens": 0}}

    found = read_reply(json.dumps(reply).encode(), count=1, dimensions=len(vector))

    assert numbers(found.content[0]) == vector


def test_the_larger_of_two_token_counts_is_the_one_to_pay():
    reply = honest() | {"usage": {"prompt_tokens": 9, "total_tokens": 12}}

    assert read_reply(json.dumps(reply).encode(), count=3, dimensions=2).input_tokens == 12


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        [9],
        {"prompt_tokens": -1},
        {"prompt_tokens": 9, "total_tokens": -9},
        {"prompt_tokens": 9.0},
        {"prompt_tokens": 2**31},
        {"prompt_tokens": "9"},
        {"prompt_tokens": True},
        {"prompt_tokens": None, "total_tokens": 9},
    ],
)
def test_a_reply_without_a_whole_count_of_tokens_is_refused(usage):
    assert "no whole number" in refusal(lambda reply: reply.update(usage=usage))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda reply: reply.pop("data"), "one per text"),
        (lambda reply: reply.update(data={}), "one per text"),
        (lambda reply: reply["data"].pop(), "one per text"),
        (lambda reply: reply["data"].append(reply["data"][0]), "one per text"),
        (lambda reply: reply["data"][0].pop("index"), "without an index"),
        (lambda reply: reply["data"].insert(0, "row") or reply["data"].pop(), "without an index"),
        (lambda reply: reply["data"][0].update(index=True), "without an index"),
        (lambda reply: reply["data"][0].update(index=1), "indexes other"),
        (lambda reply: reply["data"][0].update(index=3), "indexes other"),
        (lambda reply: reply["data"][0].update(index=-1), "indexes other"),
        (lambda reply: reply["data"][0].pop("embedding"), "not a list"),
        (lambda reply: reply["data"][0].update(embedding="AAAA"), "not a list"),
        (
            lambda reply: reply["data"][0]["embedding"].append(0.0),
            "vector of 3 numbers, but AFTERWORD_EMBEDDING_DIMENSIONS is 2",
        ),
        (
            lambda reply: reply["data"][0].update(embedding=[]),
            "vector of 0 numbers, but AFTERWORD_EMBEDDING_DIMENSIONS is 2",
        ),
        (lambda reply: reply["data"][0].update(embedding=[0.0, "1"]), "not a finite"),
        (lambda reply: reply["data"][0].update(embedding=[0.0, True]), "not a finite"),
        (lambda reply: reply["data"][0].update(embedding=[0.0, None]), "not a finite"),
        (lambda reply: reply["data"][0].update(embedding=[0.0, 1e39]), "not a finite"),
        (lambda reply: reply["data"][0].update(embedding=[0.0, 10**400]), "not a finite"),
    ],
)
def test_vectors_that_do_not_fit_are_refused(change, what):
    assert what in refusal(change)


def test_infinity_written_as_a_large_number_is_refused():
    body = json.dumps(honest()).replace("2.0", "1e999").encode()

    with pytest.raises(AskFailedError, match="not a finite"):
        read_reply(body, count=3, dimensions=2)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>busy</html>",
        b'{"data": [',
        b"\xff\xfe",
        b"[" * 100_000,
        b"9" * 5_000,
        b"[]",
        b'"text"',
        b'{"data": NaN}',
        b'{"data": -Infinity}',
    ],
)
def test_what_is_no_json_object_is_refused(body):
    with pytest.raises(AskFailedError, match=r"not JSON|JSON that is not"):
        read_reply(body, count=1, dimensions=1)


def test_the_largest_reply_has_room_for_the_longest_numbers_and_indentation():
    reply = honest(count=64, dimensions=8)
    for row in reply["data"]:
        row["embedding"] = [-1.7976931348623157e-308] * 8

    assert len(json.dumps(reply, indent=8)) < largest_reply(64, 8)
