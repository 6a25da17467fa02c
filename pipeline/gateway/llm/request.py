"""The request body: one tool with the form as its input schema."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from afterword.pipeline.gateway.budget import most_tokens
from afterword.pipeline.gateway.llm.model import Form, Question

TOOL: Final = "answer"

LLM_TOKENS_AROUND: Final = 2_048
"""Tokens a service adds to a request with a tool: at most 804 in Anthropic's price list ("Tool use
pricing", 2026), and room for the next model."""

FORCED: Final = frozenset(
    {
        "claude-haiku-4-5",
        "claude-haiku-5-5",
        "claude-opus-4-8",
        "claude-opus-5",
        "claude-sonnet-4-6",
        "claude-sonnet-5",
    }
)
"""Models that can be forced to call a tool if thinking is off; with thinking on, the default of
some, they answer 400."""

ASKED: Final = frozenset({"claude-opus-5-5", "claude-sonnet-5-5"})
"""Models that answer 400 when forced, with or without thinking (Anthropic's "What's new" pages)."""

_CALL_IT: Final = f"Answer by calling the tool `{TOOL}`, once, and in no other way."


def request_of(question: Question[Any], model: str) -> dict[str, Any]:
    """Return the body of the request, as the Messages API takes it."""
    form: type[Form] = question.form
    request: dict[str, Any] = {
        "model": model,
        "max_tokens": question.max_output_tokens,
        "system": question.system,
        "messages": [{"role": "user", "content": question.user}],
        "tools": [_tool(form)],
        "tool_choice": {"type": "tool", "name": TOOL},
    }
    if model in FORCED:
        request["thinking"] = {"type": "disabled"}
    elif model in ASKED:
        request["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
        request["output_config"] = {"effort": "low"}  # what it thinks counts as written
        request["system"] = f"{question.system}\n\n{_CALL_IT}".lstrip()
    if not request["system"]:
        del request["system"]
    return request


def most_tokens_of(request: Mapping[str, Any]) -> int:
    """Return an upper bound of the tokens of a request."""
    words = json.dumps(request, ensure_ascii=False, separators=(",", ":"))
    return most_tokens(words) + LLM_TOKENS_AROUND


@cache
def _tool(form: type[Form]) -> dict[str, Any]:
    schema = form.model_json_schema()
    description = schema.pop("description", "") or "Fill in this form."
    return {"name": TOOL, "description": description, "input_schema": schema}
