"""How a task may run, and which tasks there are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from afterword.pipeline.core.area import Area

T = TypeVar("T")


class Mode(StrEnum):
    """How a task may run."""

    ON = "on"
    OFF = "off"
    SHADOW = "shadow"

    @property
    def runs(self) -> bool:
        """Whether the task computes at all."""
        return self is not Mode.OFF

    @property
    def counts(self) -> bool:
        """Whether what it computes takes effect; in the shadow it is only recorded."""
        return self is Mode.ON

    def choose(self, real: T, *, shadow: T, off: T) -> T:
        """Return the effects a task is given in this mode.

        Args:
            real: writes what the task decides.
            shadow: records what it would decide, and changes nothing else.
            off: finds nothing to decide.
        """
        return {Mode.ON: real, Mode.SHADOW: shadow, Mode.OFF: off}[self]


Tasks = Mapping[str, str]
"""Every task that has a switch, and what it does."""


def tasks_of(areas: Iterable[Area]) -> Tasks:
    """Return the tasks that areas declare."""
    return {task.name: task.does for area in areas for task in area.switches}


@dataclass(frozen=True, slots=True)
class Switch:
    """One task and its mode.

    Args:
        note: why it is not on, for those who come after.
        changed_at: None while it was never set.
    """

    task: str
    mode: Mode
    meaning: str
    note: str = ""
    changed_at: datetime | None = None


def unset(task: str, meaning: str) -> Switch:
    """Return the switch of a task that nobody ever set: on."""
    return Switch(task, Mode.ON, meaning)
