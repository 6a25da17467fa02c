"""Append a line to a file that several processes write."""

import os
from pathlib import Path


def append_line(path: Path, line: str) -> None:
    """Append a line, whole or not at all, beside other writers and even if this process is killed.

    Args:
        path: made with mode 0600 if it is missing.
        line: without a line end.
    """
    # One write to an O_APPEND file never mixes with another.
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(fd, f"{line}\n".encode())
    finally:
        os.close(fd)
