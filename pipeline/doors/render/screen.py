"""What a text is written on: a terminal of some width, or a pipe that takes lines of any length."""

import shutil
import sys
from typing import Final, NamedTuple

_WIDEST_CHARS: Final = 100
"""Characters of a line of prose at most."""

_NARROWEST_CHARS: Final = 40


class Screen(NamedTuple):
    """Where a text goes.

    Args:
        columns: characters of a line that fit.
        is_terminal: whether a person looks at it; otherwise tables are whole, for programs.
    """

    columns: int = _WIDEST_CHARS
    is_terminal: bool = False

    @property
    def prose(self) -> int:
        """Characters of a line of prose."""
        return max(_NARROWEST_CHARS, min(_WIDEST_CHARS, self.columns))


def this_screen() -> Screen:
    """Return what the standard output of this process is."""
    columns = shutil.get_terminal_size((_WIDEST_CHARS, 24)).columns
    return Screen(columns, sys.stdout is not None and sys.stdout.isatty())
