"""The SQLite driver of this process, and the check that it is safe."""

import platform
import sys
from types import ModuleType
from typing import Any, Final

from afterword.pipeline.errors import UnavailableError

try:
    import pysqlite3.dbapi2 as _found
except ImportError:  # no wheel for this platform: the standard library serves if it is new enough
    import sqlite3 as _found

dbapi: ModuleType = _found

# Of None the driver asks three times whether somebody adapts it: 1 us, more than SQLite takes to
# store it. A row of outcomes has a dozen.
dbapi.register_adapter(type(None), lambda none: none)

# The WAL-reset race corrupts files under concurrent checkpoints in every version from 3.7.0 on
# but these. Source: SQLite release notes of 3.51.3, back-ported to 3.50.7 and 3.44.6.
_SAFE_BRANCHES = {(3, 44): 6, (3, 50): 7}
_SAFE_SINCE = (3, 51, 3)


WHEELS: Final = {("linux", "x86_64"), ("darwin", "arm64")}
"""Systems and machines with a wheel of pysqlite3, as the marker in `pyproject.toml` has them."""


def remedy() -> str:
    """Return how this system gets a safe SQLite."""
    here = sys.platform, platform.machine()
    if here in WHEELS:
        return "install a newer one: pip install 'pysqlite3>=0.6.1'"
    return (
        f"there is no wheel of pysqlite3 for {' '.join(here)}: use a Python whose own SQLite is "
        "3.51.3 or later and loads extensions; docs/platforms.md says which were run"
    )


def is_safe(version: tuple[int, int, int]) -> bool:
    """Return whether this SQLite release is free of the WAL-reset race."""
    major, minor, patch = version
    if (major, minor) in _SAFE_BRANCHES:
        return patch >= _SAFE_BRANCHES[(major, minor)]
    return version >= _SAFE_SINCE


def check_driver(driver: ModuleType = dbapi) -> str:
    """Refuse a SQLite that would damage files, and return its version.

    Raises:
        UnavailableError: too old, or built without extension loading or FTS5.
    """
    version: str = driver.sqlite_version
    if not is_safe(tuple(int(part) for part in version.split("."))):  # type: ignore[arg-type]  # always three parts
        raise UnavailableError(
            f"SQLite {version} has the WAL-reset race that corrupts files; {remedy()}"
        )
    conn: Any = driver.connect(":memory:")
    try:
        if not hasattr(conn, "enable_load_extension"):
            raise UnavailableError(f"this SQLite {version} cannot load extensions; {remedy()}")
        options = {row[0] for row in conn.execute("PRAGMA compile_options")}
        if "ENABLE_FTS5" not in options:
            raise UnavailableError(f"this SQLite {version} was built without FTS5; {remedy()}")
    finally:
        conn.close()
    return version
