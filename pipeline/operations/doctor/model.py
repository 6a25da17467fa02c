"""A finding of the doctor, and the input of its checks."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.store import Store
from afterword.pipeline.ids import IdSource
from afterword.pipeline.settings import Settings

FindingState = Literal["fine", "note", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a report.

    Args:
        subject: what was checked, such as `group main`.
        state: `fine`, `note` (good to know) or `wrong`.
        says: what was found, as a sentence.
        remedy: what to do; empty if nothing is wrong, or if `says` names it.
        private: parts of `says` with stored content; an anonymous report hides them.
    """

    subject: str
    state: FindingState
    says: str
    remedy: str = ""
    private: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HomeTools:
    """The inputs of a fix of the home.

    Args:
        apply: whether the fix may change anything.
    """

    home: Path
    apply: bool


@dataclass(frozen=True, slots=True)
class SoundFile:
    """A file without damage, and what a check of its content needs.

    Args:
        store: store of a group or of the instance.
    """

    store: Store
    settings: Settings
    clock: Clock
    monotonic: Monotonic
    ids: IdSource

    @property
    def name(self) -> str:
        """The group's name, or `instance`."""
        return self.store.name

    def now(self) -> datetime:
        """Return the present."""
        return self.clock()
