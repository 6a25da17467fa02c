"""The folder of temporary files, and the error where it takes none."""

import tempfile
from pathlib import Path

from afterword.pipeline.descriptors import file_size_limit
from afterword.pipeline.errors import UnavailableError


def temporary_folder() -> Path:
    """Return the folder in which temporary files are made.

    Raises:
        UnavailableError: none can be written to.
    """
    try:
        return Path(tempfile.gettempdir())
    except OSError:
        problem = "no folder for temporary files can be written to"
        raise UnavailableError(
            f"{problem}; free some space in /tmp, or name another folder with TMPDIR"
        ) from None


def refused_by_folder(folder: Path, error: BaseException) -> UnavailableError:
    """Return the error for a temporary file that could not be written.

    Args:
        error: what was raised; the first cause of it is told.
    """
    while error.__cause__ is not None:
        error = error.__cause__
    reason = getattr(error, "strerror", None) or error
    told, limit = f"temporary files cannot be written in {folder} ({reason})", file_size_limit()
    if limit is not None and "full" not in str(reason):
        most = f"this process may write {limit:,} bytes a file"
        return UnavailableError(f"{told}: {most}; raise the limit (`ulimit -f`) and try again")
    return UnavailableError(
        f"{told}; free some space there, or name another folder with TMPDIR, and try again"
    )
