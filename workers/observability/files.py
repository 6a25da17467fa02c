"""Sizes of the files, read from the file system without opening a store."""

import shutil
from pathlib import Path

from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.store.names import log_path
from afterword.pipeline.core.telemetry.numbers import Values

MOST_STORES = 20
"""Stores shown with a series of their own: the largest ones (count)."""


def file_sizes(stores: Stores) -> dict[str, Values]:
    """Return the sizes of the largest stores and of their logs, and the free space."""
    sizes = [(_size(path), _size(log_path(path)), path.stem) for path in stores.files()]
    largest = sorted(sizes, key=lambda size: size[0] + size[1], reverse=True)[:MOST_STORES]
    return {
        "afterword_store_bytes": {(name,): whole for whole, _log, name in largest},
        "afterword_store_wal_bytes": {(name,): log for _whole, log, name in largest},
        "afterword_home_free_bytes": {(): shutil.disk_usage(stores.home).free},
    }


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:  # an idle store has no log
        return 0
