"""What stands in the place of a group that moved to another home: where it is now."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

from afterword.pipeline.core.store.filesystem import sync
from afterword.pipeline.core.store.names import group_path
from afterword.pipeline.errors import CorruptStoreError, NotFoundError

MOVED_SUFFIX: Final = ".moved"
"""Ends the name of a tombstone, in place of the one of the group's file."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """Where a group went.

    Args:
        to: the home that has it now, or will have it.
        at: when the move began, as `afterword.pipeline.clock.iso` writes it.
        created_at: of the group's file, in microseconds since 1970: its mark at both places.
        state: `moving` until the group is there, whole.
    """

    group: str
    to: str
    at: str
    created_at: int
    state: Literal["moving", "moved"]


def tombstone_path(home: Path, group: str) -> Path:
    """Return the path of the tombstone of a group, which may not exist."""
    return group_path(home, group).with_suffix(MOVED_SUFFIX)


def read_tombstone(home: Path, group: str) -> Tombstone | None:
    """Return the tombstone of a group; None if it did not move.

    Raises:
        CorruptStoreError: it cannot be read as one.
    """
    path = tombstone_path(home, group)
    try:
        return Tombstone(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise CorruptStoreError(
            f"{path} is not the tombstone of a moved group ({error}); if the group did not move, "
            "remove it"
        ) from error


def write_tombstone(home: Path, stone: Tombstone) -> None:
    """Write a tombstone, whole or not at all, and sync it to the disk."""
    path = tombstone_path(home, stone.group)
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    fd = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "w", encoding="utf-8") as stream:
        stream.write(json.dumps(asdict(stone)) + "\n")
    sync(fresh)
    fresh.rename(path)
    sync(path.parent)


def check_not_moved(home: Path, group: str) -> None:
    """Refuse to use a group that moved, or is being moved.

    Raises:
        NotFoundError: it says where the group is.
    """
    stone = read_tombstone(home, group)
    if stone is None:
        return
    if stone.state == "moving":
        raise NotFoundError(
            f"group {group!r} is being moved to {stone.to} since {stone.at}; end it: "
            f"`afterword store move {group} --to {stone.to}`"
        )
    raise NotFoundError(
        f"group {group!r} moved to {stone.to} at {stone.at}; use `--home {stone.to}`, or "
        "AFTERWORD_HOME"
    )
