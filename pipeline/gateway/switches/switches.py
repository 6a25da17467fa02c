"""Read and set the switches; one table for all processes."""

from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import ConflictError, InvalidInputError
from afterword.pipeline.gateway.switches import rows
from afterword.pipeline.gateway.switches.model import Mode, Switch, Tasks
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

_MAX_NOTE: Final = 500
"""Length limit of the operator's reason; characters."""


class Switches:
    """The switches of one installation.

    Args:
        store: its `instance.sqlite`.
        clock: the present.
        tasks: those that have a switch.
    """

    def __init__(self, store: Store, clock: Clock, tasks: Tasks) -> None:
        self._store, self._clock, self._tasks = store, clock, tasks

    def mode(self, task: str) -> Mode:
        """Return the mode of a task; a verb reads it once and keeps it until its end.

        Raises:
            InvalidInputError: no task of this name has a switch.
        """
        self._check_known(task)
        with reading(self._store) as conn:
            return rows.mode(conn, task)

    def all(self) -> list[Switch]:
        """Return every switch."""
        with reading(self._store) as conn:
            return rows.all_switches(conn, self._tasks)

    def changes(self, limit: int) -> list[Switch]:
        """Return the changes of switches, newest first."""
        with reading(self._store) as conn:
            return rows.changes(conn, limit, self._tasks)

    def set(self, task: str, mode: Mode, note: str = "", *, shown: str | None = None) -> None:
        """Set the mode of a task; runs that have begun keep their mode.

        Args:
            note: the reason; stored as one line, with secrets masked.
            shown: the mode that it must have now, if somebody decided by it.

        Raises:
            InvalidInputError: no task of this name has a switch, or the note is too long.
            ConflictError: it has another mode than was shown.
        """
        self._check_known(task)
        if len(note) > _MAX_NOTE:
            accepted = f"text of up to {_MAX_NOTE} characters"
            raise InvalidInputError("note", f"has {len(note)} characters", accepted)
        stored_note = one_line(mask(note), _MAX_NOTE)
        with writing(self._store) as conn:
            present = rows.mode(conn, task)
            if shown not in (None, present.value):
                raise ConflictError(f"{task} was {shown} before, and is {present} now")
            rows.set_mode(conn, task, mode, stored_note, self._clock())
        emit("switch.set", task=task, mode=mode.value, note=stored_note)

    def _check_known(self, task: str) -> None:
        if task not in self._tasks:
            raise InvalidInputError("task", f"{task!a:.60} has no switch", ", ".join(self._tasks))
