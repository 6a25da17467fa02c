"""Metrics of the workspaces of all groups, as their last sessions read them."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.telemetry.numbers import Values
from afterword.pipeline.domain.workspace import rows

_Read = tuple[int, int]
"""Files that were cut, and files that were not read (counts)."""


class WorkspaceNumbers:
    """Reads what the last session of a group could not be shown; see `GroupNumbers`."""

    def __init__(self, process: object) -> None:
        del process

    def read(self, conn: Connection) -> _Read:
        """Return the numbers of a group's last session; zeros where none read a workspace."""
        workspace = rows.latest(conn)
        return (0, 0) if workspace is None else (workspace.cut_files, workspace.faults)

    def sums(
        self, present: Sequence[_Read], gone: Sequence[_Read], now: datetime, /
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        del gone, now
        return {
            "afterword_workspace_cut_files": {(): sum(cut for cut, _ in present)},
            "afterword_workspace_unread_files": {(): sum(faults for _, faults in present)},
        }
