"""The verbs of a connection: what would be written, write it, look at it, take it back."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from afterword.pipeline.doors.connect.model import ClientEdit, EditState
from afterword.pipeline.doors.connect.record import ConnectRecord
from afterword.pipeline.errors import ConflictError

_BLOCKING: Final[Mapping[EditState, str]] = {
    "changed": "was changed since it was written",
    "taken": "has something of its own there",
}


class PlannedEdit(NamedTuple):
    """An edit, and how it stands."""

    edit: ClientEdit
    state: EditState

    @property
    def is_due(self) -> bool:
        """Whether connecting writes it."""
        return self.state in ("missing", "outdated")


def plan(edits: Sequence[ClientEdit], record: ConnectRecord) -> list[PlannedEdit]:
    """Return how the edits of a client stand; it reads only.

    Raises:
        InvalidInputError: a file cannot be read.
    """
    return [PlannedEdit(edit, edit.look(record.marks.get(edit.place))) for edit in edits]


def apply(planned: Sequence[PlannedEdit], record: ConnectRecord) -> list[PlannedEdit]:
    """Write what is missing or outdated; a second time it writes nothing.

    The record has the mark of an edit before the edit is written, so that a kill in between leaves
    nothing that is not known.

    Returns:
        What was written.

    Raises:
        ConflictError: something of somebody else stands there; nothing is written.
        InvalidInputError: a file cannot be changed.
    """
    check_free(planned)
    due = [part for part in planned if part.is_due]
    for part in due:
        prepared = part.edit.prepare(record.marks.get(part.edit.place))
        record.put(part.edit.place, prepared.mark)
        prepared.write()
    return due


def check_free(planned: Sequence[PlannedEdit]) -> None:
    """Refuse to connect where somebody else's words stand.

    Raises:
        ConflictError: which places, and what to do.
    """
    blocked = [
        f"{part.edit.place} {_BLOCKING[part.state]}" for part in planned if part.state in _BLOCKING
    ]
    if blocked:
        raise ConflictError(
            f"{'; '.join(blocked)}. Nothing is written: move it away, or set it by hand as "
            "--dry-run shows"
        )


class RemovedEdits(NamedTuple):
    """What was taken back, and what stays since somebody changed it; places."""

    removed: Sequence[str]
    left: Sequence[str]


def remove(edits: Sequence[ClientEdit], record: ConnectRecord) -> RemovedEdits:
    """Take back what the record says was written, the last one first.

    Raises:
        InvalidInputError: a file cannot be read or written; what was before it is taken back.
    """
    removed, left = [], []
    for edit in reversed(edits):
        mark = record.marks.get(edit.place)
        if mark is None:
            continue
        if edit.remove(mark):
            record.drop(edit.place)
            removed.append(edit.place)
        else:
            left.append(edit.place)
    return RemovedEdits(removed, left)
