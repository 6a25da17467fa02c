"""Check metadata and other objects from a caller, and return them as bounded JSON text."""

import json
import math
from typing import Any, Final

from afterword.pipeline.domain.memory.checks import is_storable
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask_json

MAX_CHARACTERS: Final = 16_000
"""Characters of an object as JSON: every read of its row returns it."""

MAX_DEPTH: Final = 8
"""Levels of an object, itself included."""

MAX_INTEGER_BITS: Final = 256
"""Width of an integer; amounts on chains have 256 bits."""

# json.dumps would make one for each object.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def object_text(value: object, field: str, most: int = MAX_CHARACTERS) -> str:
    """Return a JSON object as compact text.

    Args:
        most: characters of it.

    Raises:
        InvalidInputError: not an object, too large or deep, or a value that JSON does not have.
    """
    if not isinstance(value, dict):
        raise InvalidInputError(field, f"is a {type(value).__name__}", "a JSON object")
    if not value:
        return "{}"
    _check(value, field, most)
    written = _compact(value)
    if len(written) > most:
        raise _too_large(field, most)
    return written


def masked_text(value: object, field: str, most: int = MAX_CHARACTERS) -> str:
    """Return a JSON object as compact text, its secrets masked.

    Args:
        most: characters of it, secrets included.

    Raises:
        InvalidInputError: not an object, too large or deep, or a value that JSON does not have.
    """
    written = object_text(value, field, most)
    masked = mask_json(value)
    return written if masked == value else _compact(masked)


def known_text(value: dict[str, Any]) -> str:
    """Return an object of the program's own making as compact text, unchecked and unmasked."""
    return _compact(value)


def masked_object(value: object, field: str, most: int = MAX_CHARACTERS) -> dict[str, Any]:
    """Return a JSON object, its secrets masked.

    Args:
        most: characters of it as compact JSON, secrets included.

    Raises:
        InvalidInputError: see `masked_text`.
    """
    object_text(value, field, most)
    masked: dict[str, Any] = mask_json(value)
    return masked


def _compact(value: object) -> str:
    return _ENCODER.encode(value)


def _check(value: object, field: str, most: int) -> None:
    """Refuse values that JSON would lose or change, before the C encoder reads them."""
    # Every value takes a character at least, so the count bounds shared and circular ones too.
    left = most
    waiting: list[tuple[Any, int]] = [(value, 1)]
    while waiting:
        inside, depth = waiting.pop()
        left -= 1
        if left < 0:
            raise _too_large(field, most)
        match inside:
            case dict():
                inner = [_checked_key(key, field) for key in inside] + list(inside.values())
            case list() | tuple():
                inner = list(inside)
            case _:
                _check_scalar(inside, field)
                continue
        if depth > MAX_DEPTH:
            raise InvalidInputError(field, "is nested too deeply", f"{MAX_DEPTH} levels")
        waiting.extend((item, depth + 1) for item in inner)


def _checked_key(key: object, field: str) -> str:
    if not isinstance(key, str):
        raise InvalidInputError(field, f"has a key of type {type(key).__name__}", "text keys")
    return key


def _check_scalar(value: object, field: str) -> None:
    match value:
        case None | bool():
            pass
        case str():
            if not is_storable(value):
                problem = "holds a NUL or half a surrogate pair"
                raise InvalidInputError(field, problem, "whole Unicode characters without NUL")
        case int():
            if value.bit_length() > MAX_INTEGER_BITS:
                problem = f"holds a number of {value.bit_length()} bits"
                raise InvalidInputError(field, problem, f"{MAX_INTEGER_BITS} bits, or text")
        case float():
            if not math.isfinite(value):
                raise InvalidInputError(field, f"holds {value}", "finite numbers")
        case _:
            problem = f"holds a {type(value).__name__}"
            raise InvalidInputError(field, problem, "text, numbers, true, false, null, lists")


def _too_large(field: str, most: int) -> InvalidInputError:
    return InvalidInputError(field, "is too large", f"{most} characters of JSON")
