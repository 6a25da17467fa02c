"""Which folder a session reads its workspace from, and how much of it enters a prompt."""

import os
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from afterword.pipeline.errors import InvalidInputError

if TYPE_CHECKING:  # pydantic: loaded by who reads the settings
    from afterword.pipeline.settings import Settings

WORKSPACE_FOLDER: Final = "workspace"
"""Name of the folder of our own, in the home."""

FIRST_GROUP: Final = "main"
"""The group whose user has the files at the top of our folder; see `layouts`."""

FILE_CHARS: Final = 20_000
TOTAL_CHARS: Final = 60_000

DAYS: Final = 3
"""Days whose notes a session reads: the day it begins, and those before (R3)."""


@dataclass(frozen=True, slots=True)
class WorkspaceSource:
    """A folder of workspace files, and how it is read.

    Args:
        is_ours: whether it is the folder in the home; no other one is ever written to.
        group: whose user the files are about.
        zone: the user's, in which days begin.
        file_chars: characters of one file in a prompt at most.
        total_chars: of all files together.
    """

    folder: Path
    is_ours: bool
    group: str = FIRST_GROUP
    zone: tzinfo = UTC
    file_chars: int = FILE_CHARS
    total_chars: int = TOTAL_CHARS

    def days(self, at: datetime) -> tuple[date, ...]:
        """Return the days whose notes are read by a session that begins at a moment."""
        today = at.astimezone(self.zone).date()
        return tuple(today - timedelta(days=days) for days in range(DAYS))

    def check(self) -> None:
        """Refuse a folder that was named and is not there; our own may be missing.

        Raises:
            InvalidInputError: there is no such folder, or it may not be read.
        """
        if not self.folder.is_dir() and not (self.is_ours and not os.path.lexists(self.folder)):
            problem = f"{self.folder} is not a folder"
            raise InvalidInputError("workspace", problem, "the folder of a workspace")
        if self.folder.is_dir() and not os.access(self.folder, os.R_OK | os.X_OK):
            problem = f"{self.folder} may not be read"
            raise InvalidInputError("workspace", problem, "a folder that this user may read")


def source_of(settings: "Settings") -> WorkspaceSource:
    """Return the folder that the settings name, or that in the home."""
    own = settings.home / WORKSPACE_FOLDER
    folder = settings.workspace or own
    return WorkspaceSource(
        folder,
        # A link in its place leads to a folder of somebody else.
        is_ours=os.path.realpath(folder)
        == os.path.join(os.path.realpath(settings.home), WORKSPACE_FOLDER),  # noqa: PTH118
        group=settings.group,
        zone=ZoneInfo(settings.timezone) if settings.timezone else UTC,
        file_chars=settings.workspace_file_chars,
        total_chars=settings.workspace_total_chars,
    )
