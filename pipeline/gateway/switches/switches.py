"""Read and set the switches; one table for all processes."""

from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.switches import rows
from afterword.pipeline.gateway.switches.model import TASKS, Mode, Switch
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

MAX_NOTE: Final = 500
"""Length limit of the operator's reason; characters."""


class Switches:
    """The switches of one installation.

    Args:
        store: its `instance.sqlite`.
        clock: the present.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def mode(self, task: str) -> Mode:
        """Return the mode of a task; a verb reads it once and keeps it until its end.

        Raises:
            InvalidInputError: no task of this name has a switch.
        """
        _check_known(task)
        with reading(self._store) as conn:
            return rows.mode(conn, task)

    def all(self) -> list[Switch]:
        """Return every switch."""
        with reading(self._store) as conn:
            return rows.all_switches(conn)

    def changes(self, limit: int) -> list[Switch]:
        """Return the changes of switches, newest first."""
        with reading(self._store) as conn:
            return rows.changes(conn, limit)

    def set(self, task: str, mode: Mode, note: str = "") -> None:
        """Set the mode of a task; runs that have begun keep their mode.

        Args:
            note: the reason; stored as one line, with secrets masked.

        Raises:
            InvalidInputError: no task of this name has a switch, or the note is too long.
        """
        _check_known(task)
        if len(note) > MAX_NOTE:
            accepted = f"text of up to {MAX_NOTE} characters"
            raise InvalidInputError("note", f"has {len(note)} characters", accepted)
        stored_note = one_line(mask(note), MAX_NOTE)
        with writing(self._store) as conn:
            rows.set_mode(conn, task, mode, stored_note, self._clock())
        emit("switch.set", task=task, mode=mode.value, note=stored_note)


def _check_known(task: str) -> None:
    if task not in TASKS:
        raise InvalidInputError("task", f"{task!a:.60} has no switch", ", ".join(TASKS))
