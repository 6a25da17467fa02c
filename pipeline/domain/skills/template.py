"""The template of a role's prompt: places in braces, filled in one pass."""

import re
from collections.abc import Mapping
from string import Formatter
from typing import Final

PROMPT_PLACES: Final = ("asset", "decision", "window", "pnl", "evidence", "type")
"""What a reflection prompt may name."""

_PLACE: Final = re.compile(r"\{\{|\}\}|\{([a-z]+)\}")
_BRACES: Final = {"{{": "{", "}}": "}"}


def misplaced(template: str) -> str | None:
    """Return what is wrong with a template; None if all its places can be filled.

    A literal brace is doubled, as in `str.format`.
    """
    try:
        parts = list(Formatter().parse(template))
    except ValueError as error:
        return f"is not a template ({error})"
    for _, name, spec, conversion in parts:
        if name is not None and (name not in PROMPT_PLACES or spec or conversion):
            return f"has the unknown place {{{name}}}"
    return None


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return a template with its places filled; braces in a value stay as they are.

    Args:
        values: one for each of `PROMPT_PLACES`.
    """
    return _PLACE.sub(lambda match: _BRACES.get(match[0]) or values[match[1]], template)
