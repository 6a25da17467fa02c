"""sqlite-vec, loaded into the connections that search and into no other."""

from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.errors import UnavailableError

_LOADED: Final = "sqlite-vec"


def load_extension(conn: Connection) -> None:
    """Make sqlite-vec's functions known to a connection, once in its life.

    Raises:
        UnavailableError: the package or its library is missing, or cannot be loaded here.
    """
    if _LOADED in conn.info:  # kept beside the connection as long as the pool keeps it open
        return
    raw: Any = conn.connection.driver_connection
    try:
        import sqlite_vec  # its absence turns one arm of the search off, not the program

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
