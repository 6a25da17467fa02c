"""The file in which one import sets its rows aside: without a name, so that no crash leaves it."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from afterword.pipeline.core.files.temporary import refused_by_folder, temporary_folder
from afterword.pipeline.core.store.driver import dbapi


class SpoolFile:
    """A SQLite file in the temporary folder; it is gone when it is closed, or its process dies.

    Args:
        schema: statements that make its tables.

    Raises:
        UnavailableError: the folder takes no more; by every method.
    """

    def __init__(self, schema: str) -> None:
        self._folder = temporary_folder()
        with self._told():
            handle, path = tempfile.mkstemp(prefix="afterword-import-", dir=self._folder)
            try:
                self._conn = dbapi.connect(path, isolation_level=None)
            finally:
                os.close(handle)
                Path(path).unlink()
            try:
                self._conn.executescript(schema)
            except BaseException:
                self._conn.close()
                raise

    def close(self) -> None:
        """Give up what is set aside."""
        with suppress(dbapi.Error):
            self._conn.close()

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """Run a statement and return its cursor."""
        with self._told():
            return self._conn.execute(statement, values)

    def rows(self, statement: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """Yield the rows of a statement; reading may write, too: what the cache cannot hold."""
        with self._told():
            yield from self._conn.execute(statement, values)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]]) -> Any:
        """Run a statement once for each row."""
        with self._told():
            return self._conn.executemany(statement, rows)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (OSError, dbapi.OperationalError) as error:
            raise refused_by_folder(self._folder, error) from error
