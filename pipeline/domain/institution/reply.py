"""Read the tool call of a reply of the Messages API; the text beside it is not kept.

A form that a model filled in is compared with those of other runs. Prose is not: it changes with
each model, so a rescue parse of it would drift.
"""

from typing import Any, NamedTuple

from afterword.pipeline.domain.institution.model import OutputForm
from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.errors import InvalidInputError


class FilledForm(NamedTuple):
    """The form in a reply.

    Args:
        output: the input of the tool call.
        model: the model that answered; None if the reply does not say.
    """

    output: dict[str, Any]
    model: str | None


def read_reply(reply: object, form: OutputForm, field: str) -> FilledForm:
    """Return the form that a model filled in.

    Args:
        reply: the body of a reply: an object with `content`, a list of blocks. Of a message of the
            SDK give `message.model_dump()`.
        field: its place in a run, for errors.

    Raises:
        InvalidInputError: the reply was cut off, or has no call of this tool, or more than one.
    """
    if not isinstance(reply, dict) or not isinstance(reply.get("content"), list):
        accepted = "a reply of the Messages API: an object with a list `content`"
        raise InvalidInputError(field, f"{short_repr(reply)} is not a reply", accepted)
    if reply.get("stop_reason") == "max_tokens":
        raise InvalidInputError(field, "was cut off", "a whole reply; raise max_tokens")
    calls = [
        block
        for block in reply["content"]
        if isinstance(block, dict) and block.get("type") == "tool_use"
    ]
    named = [call for call in calls if call.get("name") == form]
    if len(named) != 1 or len(calls) != 1:
        problem = f"has {len(calls)} tool calls, {len(named)} of them of {form}"
        raise InvalidInputError(field, problem, f"one call of the tool {form}")
    output, model = named[0].get("input"), reply.get("model")
    if not isinstance(output, dict):
        raise InvalidInputError(field, f"fills in {short_repr(output)}", f"the fields of {form}")
    return FilledForm(output, model if isinstance(model, str) and model else None)
