"""Say how the code of a skill failed: what went wrong, in which file and line."""

from pathlib import PurePath
from traceback import walk_tb
from types import FrameType, TracebackType
from typing import Final

from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

MAX_FAILURE: Final = 300
"""Characters of the message of an error."""

_OURS: Final = __name__.partition(".")[0] + "."


def failure_of(error: BaseException) -> str:
    """Return an error of a skill's code as one masked line: type, message, file and line.

    The place is the last line run in the file that we called, so an error inside a library is shown
    where the skill used it. There is no place if that file was never reached, as with wrong
    arguments.

    Returns:
        Such as `ValueError: no wallet at my_skill.py:12`.
    """
    message = one_line(mask(str(error)), MAX_FAILURE)
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    place = _place(error)
    return f"{text} at {place}" if place else text


def _place(error: BaseException) -> str | None:
    if isinstance(error, SyntaxError) and error.filename:
        return f"{PurePath(error.filename).name}:{error.lineno}"
    lines = [(frame.f_code.co_filename, line) for frame, line in _theirs(error.__traceback__)]
    own = [line for name, line in lines if name == lines[0][0]]
    return f"{PurePath(lines[0][0]).name}:{own[-1]}" if own else None


def _theirs(traceback: TracebackType | None) -> list[tuple[FrameType, int]]:
    """Return the frames that are not of this program, nor of the loading of a file."""
    return [
        (frame, line)
        for frame, line in walk_tb(traceback)
        if not f"{frame.f_globals.get('__name__')}.".startswith(_OURS)
        and "importlib" not in frame.f_code.co_filename
    ]
