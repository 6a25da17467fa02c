"""What the doctor says about one thing, and what its checks look at."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.store import Store
from afterword.pipeline.ids import IdSource
from afterword.pipeline.settings import Settings

State = Literal["fine", "note", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a report.

    Args:
        subject: what was looked at, such as `group main`.
        state: `fine`, `note` (worth knowing, nothing to do) or `wrong`.
        says: what was found.
        remedy: what to do about it; empty where nothing is wrong, or `says` names it.
        private: parts of `says` that tell what is remembered; an anonymous report hides them.
    """

    subject: str
    state: State
    says: str
    remedy: str = ""
    private: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SoundFile:
    """A file without damage, and what a check needs to look at what it says.

    Args:
        store: of a group, or of the instance.
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
