"""Search files for patterns, in a process of its own.

A process that opens and closes a database file loses all its locks on it (POSIX), also those of
SQLite; another process may then reset the log under a reader. A separate process without open
stores has no lock to lose.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.operations.forget.finder import Finder

_CHUNK_BYTES: Final = 8 * 1024 * 1024
"""Bytes that are searched at once."""


def search_files(files: Sequence[Path], pieces: Sequence[bytes]) -> dict[Path, set[bytes]]:
    """Return the patterns that each file contains; a missing file contains none.

    Args:
        pieces: the patterns; the process gets them through a pipe, because every user can see a
            command line.

    Raises:
        UnavailableError: a file could not be read.
    """
    asked = {"files": [str(path) for path in files], "pieces": [piece.hex() for piece in pieces]}
    done = subprocess.run(
        [sys.executable, "-m", __name__],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["it was killed"])[-1]
        raise UnavailableError(f"the files could not be searched: {said}; run it again")
    found = json.loads(done.stdout)
    return {path: {pieces[number] for number in found[str(path)]} for path in files}


def _main() -> None:
    asked = json.load(sys.stdin)
    pieces = [bytes.fromhex(piece) for piece in asked["pieces"]]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    finder = Finder(pieces)
    answer = {
        path: sorted(numbers[piece] for piece in _held(Path(path), finder))
        for path in asked["files"]
    }
    json.dump(answer, sys.stdout)


def _held(path: Path, finder: Finder) -> set[bytes]:
    found: set[bytes] = set()
    for chunk in _chunks(path, finder.longest):
        found |= finder.search(chunk)
    return found


def _chunks(path: Path, overlap: int) -> Iterator[bytes]:
    """Yield a file in overlapping chunks, so that no pattern is split."""
    if not path.exists():
        return
    tail = b""
    with path.open("rb") as stream:
        while more := stream.read(_CHUNK_BYTES):
            yield tail + more
            tail = (tail + more)[-overlap:] if overlap else b""


if __name__ == "__main__":
    _main()
