"""Read and set what may run; one table for all processes."""

from pipeline.clock import Clock
from pipeline.errors import InvalidInputError
from pipeline.store import Store, reading, writing
from pipeline.switches import rows
from pipeline.switches.model import TASKS, Mode, Switch
from pipeline.telemetry import tell


class Switches:
    """The switches of one installation.

    Args:
        store: its `instance.sqlite`.
        clock: the present.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def mode(self, task: str) -> Mode:
        """Return how a task may run; asked once at its start, it holds to its end.

        Raises:
            InvalidInputError: no task of that name has a switch.
        """
        _check_known(task)
        with reading(self._store) as conn:
            return rows.mode(conn, task)

    def all(self) -> list[Switch]:
        """Return every switch."""
        with reading(self._store) as conn:
            return rows.all_switches(conn)

    def set(self, task: str, mode: Mode, note: str = "") -> None:
        """Say how a task may run from now on; what runs already ends as it began.

        Raises:
            InvalidInputError: no task of that name has a switch.
        """
        _check_known(task)
        with writing(self._store) as conn:
            rows.set_mode(conn, task, mode, note, self._clock())
        tell("switch.set", task=task, mode=mode.value, note=note)


def _check_known(task: str) -> None:
    if task not in TASKS:
        raise InvalidInputError("task", f"{task!r} has no switch", ", ".join(TASKS))
