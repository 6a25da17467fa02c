"""Read the JSON text of an option."""

import json
from typing import Any

from afterword.pipeline.errors import InvalidInputError


def read_json(text: str, field: str, accepted: str) -> Any:
    """Return the value of a JSON text.

    Args:
        accepted: what it must be, for the error.

    Raises:
        InvalidInputError: not JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(field, f"is not JSON ({error})", accepted) from None


def read_object(text: str, field: str) -> dict[str, Any]:
    """Return the object of a JSON text.

    Raises:
        InvalidInputError: not a JSON object.
    """
    value = read_json(text, field, "a JSON object")
    if not isinstance(value, dict):
        raise InvalidInputError(field, f"is a {type(value).__name__}", "a JSON object")
    return value
