"""What a value of a wrong type should have been, in our words instead of pydantic's."""

from collections.abc import Mapping
from typing import Any, Final

_TYPES: Final = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "decimal_type": "a number",
    "decimal_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "dict_type": "an object",
    "list_type": "a list",
    "tuple_type": "a list",
    "sequence_str": "a list",
    "time_delta_type": "a length of time",
    "datetime_type": "a moment",
    "path_type": "a path",
}
_BOUNDS: Final = {
    "greater_than_equal": ("ge", "{} or more"),
    "greater_than": ("gt", "more than {}"),
    "less_than_equal": ("le", "{} or less"),
    "less_than": ("lt", "less than {}"),
    "literal_error": ("expected", "{}"),
    "enum": ("expected", "{}"),
}


def wanted(error: Mapping[str, Any]) -> str | None:
    """Return what would be accepted in place of a value, such as `a whole number`.

    Args:
        error: one of the `errors()` of a pydantic `ValidationError`.

    Returns:
        None for an error that is not about a type or a bound.
    """
    kind = error["type"]
    if kind in _TYPES:
        return _TYPES[kind]
    if kind not in _BOUNDS:
        return None
    name, words = _BOUNDS[kind]
    return words.format(error["ctx"][name])
