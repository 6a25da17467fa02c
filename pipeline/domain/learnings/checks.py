"""Check a new learning; each error names the field that is wrong, and nothing is written."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from afterword.pipeline.domain.learnings.model import LearnedCall, NewLearning
from afterword.pipeline.domain.learnings.triggers import MAX_LEARNING_NAME, MAX_TRIGGER, name_of
from afterword.pipeline.domain.memory.checks import MAX_NAME, check_text, short_repr
from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.memory.json_object import masked_object
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

MAX_LEARNING_NOTE: Final = 1_000
"""Characters of a note."""

MAX_LEARNED_STEPS: Final = 20
"""Calls of a sequence; a longer one is a program, not a procedure."""

MAX_ARGS: Final = 2_000
"""Characters of the arguments of one call, as JSON."""


def require_turn_learning(is_enabled: bool) -> None:
    """Refuse to learn while learning is switched off (R5): nothing is written then.

    Raises:
        InvalidInputError: it is off.
    """
    if not is_enabled:
        problem = "is off, so nothing is learned or suggested"
        raise InvalidInputError("learning_enabled", problem, "AFTERWORD_LEARNING_ENABLED=true")


def check_learning(new: NewLearning) -> NewLearning:
    """Return a learning as it is stored: one line each, its secrets masked, with a name.

    Raises:
        InvalidInputError: the first field found to be wrong, or one that reads like an order to
            the agent: a suggestion never is one.
    """
    check_text(new.trigger, MAX_TRIGGER, "trigger")
    if new.guidance != "":
        check_text(new.guidance, MAX_LEARNING_NOTE, "guidance")
    if new.name is not None:
        check_text(new.name, MAX_LEARNING_NAME, "name")
    sequence = _checked_sequence(new.tool_sequence)
    if not sequence and not new.guidance:
        raise InvalidInputError("tool_sequence", "is empty", "calls, or a note in guidance")
    trigger = one_line(mask(new.trigger), MAX_TRIGGER)
    checked = replace(
        new,
        trigger=trigger,
        tool_sequence=sequence,
        guidance=one_line(mask(new.guidance), MAX_LEARNING_NOTE),
        name=name_of(trigger if new.name is None else mask(new.name)),
    )
    order = order_in(checked)
    if order is not None:
        field, families = order
        problem = f"reads like an order to the agent ({', '.join(families)})"
        raise InvalidInputError(field, problem, "a task, steps and notes in plain words")
    return checked


def order_in(new: NewLearning) -> tuple[str, tuple[str, ...]] | None:
    """Return the first field that reads like an order to the agent, and what it looks like."""
    texts = {
        "trigger": [new.trigger],
        "guidance": [new.guidance],
        "name": [(new.name or "").replace("_", " ")],
        "tool_sequence": [part for call in new.tool_sequence for part in _texts_of(call)],
    }
    for field, parts in texts.items():
        families = families_of(*(part for part in parts if part))
        if families:
            return field, families
    return None


def read_calls(given: object, field: str) -> tuple[LearnedCall, ...]:
    """Return calls as JSON has them, as values; `check_learning` checks what is in them.

    Raises:
        InvalidInputError: not a list of objects, or an object with an unknown or missing field.
    """
    calls = []
    for place, call in enumerate(_listed(given, field)):
        at = f"{field}[{place}]"
        if not isinstance(call, Mapping):
            raise InvalidInputError(at, f"is a {type(call).__name__}", "an object: tool_name, args")
        for name in call:
            if name not in LearnedCall._fields:
                problem = f"unknown field {short_repr(name)}"
                raise InvalidInputError(at, problem, "tool_name, args")
        if "tool_name" not in call:
            raise InvalidInputError(f"{at}.tool_name", "is missing", "the name of the tool")
        calls.append(LearnedCall(call["tool_name"], call.get("args", {})))
    return tuple(calls)


def _checked_sequence(given: object) -> tuple[LearnedCall, ...]:
    calls = []
    for place, call in enumerate(_listed(given, "tool_sequence")):
        at = f"tool_sequence[{place}]"
        if not isinstance(call, LearnedCall):
            raise InvalidInputError(at, f"is a {type(call).__name__}", "a call: tool_name, args")
        check_text(call.tool_name, MAX_NAME, f"{at}.tool_name")
        args = masked_object(call.args, f"{at}.args", MAX_ARGS)
        calls.append(LearnedCall(one_line(mask(call.tool_name), MAX_NAME), args))
    return tuple(calls)


def _listed(given: object, field: str) -> Sequence[Any]:
    accepted = f"a list of up to {MAX_LEARNED_STEPS} calls"
    if not isinstance(given, list | tuple):
        raise InvalidInputError(field, f"{short_repr(given)} is not a list", accepted)
    if len(given) > MAX_LEARNED_STEPS:
        raise InvalidInputError(field, f"has {len(given)}", accepted)
    return given


def _texts_of(call: LearnedCall) -> list[str]:
    """Return the texts of a call that a prompt or a reader could see."""
    texts, left = [call.tool_name], [call.args]
    while left:
        value: Any = left.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, Mapping):
            texts += [str(name) for name in value]
            left += value.values()
        elif isinstance(value, list | tuple):
            left += value
    return texts
