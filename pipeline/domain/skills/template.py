"""The words a role reflects with: places in braces, filled in one pass."""

import re
from collections.abc import Mapping
from string import Formatter
from typing import Final

PLACES: Final = ("asset", "decision", "window", "pnl", "evidence", "type")
"""What a reflection prompt may name."""

_PLACE: Final = re.compile(r"\{\{|\}\}|\{([a-z]+)\}")
_BRACES: Final = {"{{": "{", "}}": "}"}


def misplaced(template: str) -> str | None:
    """Say which place of a template cannot be filled; None if all can.

    A brace that is none is doubled, as in Python's own templates.
    """
    try:
        parts = list(Formatter().parse(template))
    except ValueError as error:
        return f"is no template ({error})"
    for _, name, spec, conversion in parts:
        if name is not None and (name not in PLACES or spec or conversion):
            return f"has the unknown place {{{name}}}"
    return None


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return a template with its places filled; braces in a value stay as they are.

    Args:
        values: one for each of `PLACES`.
    """
    return _PLACE.sub(lambda found: _BRACES.get(found[0]) or values[found[1]], template)
