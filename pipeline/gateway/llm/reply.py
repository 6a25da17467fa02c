"""Check a reply of the Messages API: all of it must fit the request, or all is refused."""

import json
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from pydantic import ValidationError

from afterword.pipeline.gateway.budget import Reply
from afterword.pipeline.gateway.budget.amounts import MOST_TOKENS
from afterword.pipeline.gateway.http.model import AskFailedError
from afterword.pipeline.gateway.llm.model import DeclinedError, Filled, UnusableAnswerError
from afterword.pipeline.gateway.llm.request import TOOL

LARGEST_REPLY: Final = 4_000_000
"""Bytes beyond which a reply is not read: the longest answer has some 100,000."""

REFUSAL_CATEGORIES: Final = frozenset(
    {"bio", "cyber", "frontier_llm", "general_harms", "reasoning_extraction"}
)
"""Values of `stop_details.category` that error messages may quote."""


@dataclass(frozen=True, slots=True)
class Message:
    """A paid reply; its content is not checked yet."""

    body: dict[str, Any]
    request_id: str


def read_message(body: bytes, request_id: str) -> Reply[Message]:
    """Return a reply and the tokens it names, or refuse all of it.

    Raises:
        AskFailedError: it is not a message, or has no whole counts of tokens.
    """
    reply = _decoded(body)
    if reply.get("type") != "message":
        _misfit("no message")
    read, written = _tokens(reply.get("usage"))
    return Reply(Message(reply, request_id), read, written)


def read_value(message: Message, form: type[Filled], model: str) -> Filled:
    """Return the form as the model filled it in; its prose and other calls are dropped.

    Raises:
        DeclinedError: it refused.
        UnusableAnswerError: cut short, no call or several, or a field that does not fit.
    """
    reason = message.body.get("stop_reason")
    if reason == "refusal":
        raise DeclinedError(model, _category(message.body.get("stop_details")))
    if reason not in ("tool_use", "end_turn"):
        known = reason if reason in ("max_tokens", "model_context_window_exceeded") else "other"
        raise _unusable(model, f"was cut short ({known})")
    calls = [call for call in _blocks(message.body) if _is_answer(call)]
    if len(calls) != 1:
        raise _unusable(model, f"called the tool {len(calls)} times")
    filled = json.dumps(calls[0].get("input"))
    if "\\u0000" in filled:  # no tool of ours, and no shell, expects one in a text
        raise _unusable(model, "filled in a NUL")
    try:
        # As JSON: strict mode then accepts a choice by its text, and still no text for a number.
        return form.model_validate_json(filled)
    except ValidationError as error:
        raise _unusable(model, f"filled in {_wrong(error, form)}") from None


def _decoded(body: bytes) -> dict[str, Any]:
    try:
        reply = json.loads(
            body.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_once
        )
    except (ValueError, RecursionError):
        _misfit("no JSON")
    if not isinstance(reply, dict):
        _misfit("no JSON object")
    return reply


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} must be a JSON number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a key stands twice")
    return values


def _tokens(usage: object) -> tuple[int, int]:
    """Return the tokens read and written; those written to the cache cost up to twice as much."""
    if not isinstance(usage, dict):
        _misfit("no count of tokens")
    read, written = _count(usage, "input_tokens", 1), _count(usage, "output_tokens", 1)
    cached = _count(usage, "cache_creation_input_tokens", 0)
    reread = _count(usage, "cache_read_input_tokens", 0)
    total = read + 2 * cached + reread
    if total > MOST_TOKENS:
        _misfit("an absurd count of tokens")
    return total, written


def _count(usage: dict[str, Any], name: str, least: int) -> int:
    count = usage.get(name)
    if count is None and least == 0:
        return 0
    if type(count) is not int or not least <= count <= MOST_TOKENS:
        _misfit("no whole count of tokens")
    return count


def _blocks(body: dict[str, Any]) -> list[dict[str, Any]]:
    blocks = body.get("content")
    return (
        [block for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    )


def _is_answer(block: dict[str, Any]) -> bool:
    return block.get("type") == "tool_use" and block.get("name") == TOOL


def _category(details: object) -> str | None:
    category = details.get("category") if isinstance(details, dict) else None
    return category if isinstance(category, str) and category in REFUSAL_CATEGORIES else None


def _wrong(error: ValidationError, form: type[Filled]) -> str:
    """Name the fields that do not fit and how, without quoting them."""
    problems = []
    for problem in error.errors(include_input=False, include_url=False, include_context=False)[:5]:
        field = str(problem["loc"][0]) if problem["loc"] else ""
        problems.append(
            f"{field if field in form.model_fields else 'the form'} ({problem['type']})"
        )
    return ", ".join(dict.fromkeys(problems))


def _unusable(model: str, what: str) -> UnusableAnswerError:
    return UnusableAnswerError(f"{model} {what}; nothing of its answer was taken, try again later")


def _misfit(what: str) -> NoReturn:
    raise AskFailedError(f"model service sent {what}; try again later")
