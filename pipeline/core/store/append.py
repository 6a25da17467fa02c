"""Lines added to a file that several processes write."""

import os
from pathlib import Path


def append_line(path: Path, line: str) -> None:
    """Add a line; it is whole or absent, whoever else writes and whenever this process is killed.

    Args:
        path: made if it is missing, for its owner's eyes only.
        line: without its end.
    """
    # One write to an O_APPEND file is never mixed with another's.
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(fd, f"{line}\n".encode())
    finally:
        os.close(fd)
