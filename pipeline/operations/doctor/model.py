"""What the doctor says about one thing."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

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


Check = Callable[[Settings], Iterable[Finding]]
"""A check of a room above, found through the entry-point group `afterword.doctor`."""
