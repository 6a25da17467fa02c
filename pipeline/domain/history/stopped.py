"""The error of an import that stopped between two of its transactions."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from afterword.pipeline.domain.history.spool import Spool
from afterword.pipeline.errors import UnavailableError


class ImportStoppedError(UnavailableError):
    """An import stopped; what it stored before is kept, and the same import goes on from there.

    Args:
        reason: why it stopped, with what to do.
        stored, rows: fills and closed trades that are stored, and that the file holds; counts.
    """

    def __init__(self, reason: str, name: str, stored: int, rows: int) -> None:
        progress = f"{stored:,} of the {rows:,} rows of {name} are stored"
        if stored == rows:
            progress = f"the {rows:,} rows of {name} are stored, but not all of their trips"
        super().__init__(
            f"{reason}; {progress}: run the same command again, and it goes on from there"
        )
        self.stored, self.rows = stored, rows


@contextmanager
def saying_how_far(spool: Spool, counts: Counter[str]) -> Iterator[None]:
    """Say in an error how much of a file was stored.

    Args:
        counts: `rows` of them.

    Raises:
        ImportStoppedError: in place of an UnavailableError.
    """
    try:
        yield
    except UnavailableError as error:
        if not counts["rows"]:
            raise
        rows = spool.fills + spool.trades
        raise ImportStoppedError(str(error), spool.name, counts["rows"], rows) from error
