"""Load sqlite-vec into the connections that search, and into no other."""

from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.errors import UnavailableError

_LOADED: Final = "sqlite-vec"


def load_extension(conn: Connection) -> None:
    """Load sqlite-vec's functions into a connection, unless they are there.

    Raises:
        UnavailableError: the package or its library is missing, or cannot be loaded here.
    """
    if _LOADED in conn.info:  # the pool keeps `info` as long as the connection is open
        return
    raw: Any = conn.connection.driver_connection
    try:
        import sqlite_vec  # without it one arm of the search is off, the program runs

        raw.enable_load_extension(True)
        try:
            raw.load_extension(sqlite_vec.loadable_path())
        finally:
            raw.enable_load_extension(False)
    except (ImportError, OSError, AttributeError, dbapi.Error) as error:
        raise UnavailableError(
            f"sqlite-vec cannot be loaded ({error}); reinstall it with `pip install sqlite-vec`"
        ) from error
    conn.info[_LOADED] = True
