"""One finding of the doctor."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from afterword.pipeline.settings import Settings

State = Literal["fine", "note", "wrong"]


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
    state: State
    says: str
    remedy: str = ""
    private: tuple[str, ...] = ()


Check = Callable[[Settings], Iterable[Finding]]
"""A check of `workers` or `schedules`, found through the entry-point group `afterword.doctor`."""
