"""The modes, and the tasks that have a switch."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final


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


TASKS: Final[Mapping[str, str]] = {
    "judge_facts": "Ask a model which facts say the same.",
    "classify_entry": "Judge decisions once their outcome is known.",
    "draft_lesson": "Draft a lesson from a decision that teaches one.",
}
"""Every task with a switch, and its purpose."""


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


def unset(task: str) -> Switch:
    """Return the default switch of a task: on."""
    return Switch(task, Mode.ON, TASKS[task])
