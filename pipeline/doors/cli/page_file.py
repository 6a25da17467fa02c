"""Write a report as one file, a page or a picture, where its reader asked for that."""

from pathlib import Path
from typing import Final

from afterword.pipeline.errors import InvalidInputError

_ACCEPTED: Final = "a file in a folder of yours"


def check_page(path: Path | None, option: str = "html") -> None:
    """Refuse a file that could not be written, before the work for it is done.

    Args:
        option: that names the file.

    Raises:
        InvalidInputError: a pipe, which would wait for a reader; or there is no such folder.
    """
    if path is None:
        return
    if path.is_fifo():
        raise InvalidInputError(option, f"{path} is a pipe", _ACCEPTED)
    if not path.absolute().parent.is_dir():
        problem = f"{path} cannot be written: there is no such folder"
        raise InvalidInputError(option, problem, _ACCEPTED)


def write_page(path: Path, page: str, option: str = "html") -> None:
    """Write the page; see `check_page`.

    Raises:
        InvalidInputError: the file cannot be written.
    """
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        problem = f"{path} cannot be written ({error.strerror})"
        raise InvalidInputError(option, problem, _ACCEPTED) from None
