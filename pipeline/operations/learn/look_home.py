"""The folder of one look at some files: deleted after it, taken up again after a kill."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from afterword.pipeline.core.files.packed import check_regular, printable
from afterword.pipeline.core.files.temporary import (
    LockedFolder,
    delete_left_over,
    named_folder,
    new_folder,
    refused_by_folder,
    temporary_folder,
)
from afterword.pipeline.errors import InvalidInputError, UnavailableError

_KIND: Final = "look"


@contextmanager
def look_home(files: Sequence[Path], options: Sequence[str]) -> Iterator[Path]:
    """Lend a folder that only this user can read.

    The same files with the same options get the same folder, so that a look that was killed goes
    on where it was. It is deleted at the end, whatever that is; only a kill or Ctrl-C leaves it,
    until the next command that opens files.

    Args:
        options: what else decides how the files are read.

    Raises:
        InvalidInputError: a file cannot be read.
        UnavailableError: the folder of temporary files takes none, or no more.
    """
    top = temporary_folder()
    with closing(_folder(files, options, top)) as folder:
        delete_left_over()  # not this one: it is locked
        is_interrupted = False
        try:
            yield folder.path
        except KeyboardInterrupt:
            is_interrupted = True
            raise
        except UnavailableError as error:
            if str(folder.path) not in str(error):
                raise
            # The folder is deleted now: no row is left in it to go on from.
            raise refused_by_folder(top, error) from error
        finally:
            if not is_interrupted:
                folder.delete()


def _folder(files: Sequence[Path], options: Sequence[str], top: Path) -> LockedFolder:
    name = _digest(files, options)
    try:
        # The same look may be running, or another user may have made the folder.
        return named_folder(_KIND, name, top) or new_folder(_KIND, top)
    except OSError as error:
        raise refused_by_folder(top, error) from None


def _digest(files: Sequence[Path], options: Sequence[str]) -> str:
    digest = hashlib.sha256(repr((os.getuid(), list(options))).encode())
    for path in files:
        digest.update(f"\0{path.name}\0".encode(errors="surrogateescape"))
        try:
            check_regular(path)
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            problem = f"cannot be read ({error.strerror})"
            raise InvalidInputError(printable(path), problem, "a readable file") from None
    return digest.hexdigest()[:24]
