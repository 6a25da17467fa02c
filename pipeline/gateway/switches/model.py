"""The modes, and the tasks that have a switch."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from afterword.pipeline.core.area import Area

_Choice = TypeVar("_Choice")


class Mode(StrEnum):
    """How a task runs."""

    ON = "on"
    OFF = "off"
    SHADOW = "shadow"

    @property
    def is_enabled(self) -> bool:
        """Whether the task computes a result: mode `on` or `shadow`."""
        return self is not Mode.OFF

    @property
    def has_effect(self) -> bool:
        """Whether the result takes effect: mode `on`; in `shadow` it is only recorded."""
        return self is Mode.ON

    def choose(self, real: _Choice, *, shadow: _Choice, off: _Choice) -> _Choice:
        """Return the effects a task is given in this mode.

        Args:
            real: writes what the task decides.
            shadow: records what it would decide, and changes nothing else.
            off: finds nothing to decide.
        """
        return {Mode.ON: real, Mode.SHADOW: shadow, Mode.OFF: off}[self]


Tasks = Mapping[str, str]
"""Every task with a switch, and its purpose."""


def tasks_of(areas: Iterable[Area]) -> Tasks:
    """Return the tasks that areas declare."""
    return {task.name: task.does for area in areas for task in area.switches}


@dataclass(frozen=True, slots=True)
class Switch:
    """The mode of one task.

    Args:
        note: the operator's reason.
        changed_at: None if it was never set; aware UTC.
    """

    task: str
    mode: Mode
    meaning: str
    note: str = ""
    changed_at: datetime | None = None


def unset(task: str, meaning: str) -> Switch:
    """Return the default switch of a task: on."""
    return Switch(task, Mode.ON, meaning)
