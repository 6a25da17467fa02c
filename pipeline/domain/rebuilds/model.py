"""The state of a rebuild, and what a run of it did, as frozen values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Literal

from sqlalchemy import Connection

RebuildOutcome = Literal[
    "rebuilt", "failed", "postponed", "overtaken", "resting", "nothing_new", "disabled"
]
"""What a run came to. `postponed`: a budget or a circuit is closed, and nobody is at fault;
`overtaken`: another run ended meanwhile, and its result stands;
`resting`: the pause after the last run is not over."""


@dataclass(frozen=True, slots=True)
class RebuildState:
    """When a rebuild ran, and when it may run again; moments are aware UTC.

    Args:
        name: of the rebuild, such as `trading_summary`.
        runs: runs that ended; count.
        tried_at: end of the last run, also of one that failed.
        updated_at: of the last success; None before it, like `next_update`, the end of its pause.
        failures: consecutive ones; count.
        retry_at: end of the pause after a failure; None after a success. `error` is its reason.
        worded_by: the model whose words were taken at the last success; None for the template.
        refusal: why the words of a model were not taken; None if they were, or none was asked.
    """

    name: str
    runs: int = 0
    tried_at: datetime | None = None
    updated_at: datetime | None = None
    next_update: datetime | None = None
    failures: int = 0
    retry_at: datetime | None = None
    error: str | None = None
    worded_by: str | None = None
    refusal: str | None = None


@dataclass(frozen=True, slots=True, order=True)
class Cursor:
    """How far a rebuild has read one source.

    Args:
        name: as R3 names it.
        seen: id of the last row that was read; 0 before the first.
        error: why the source could not be read at the last run; None if it could.
    """

    name: str
    seen: int = 0
    error: str | None = None


SHADOW_REFUSAL: Final = "its switch is in shadow mode: checked, but not taken"

WriteChanges = Callable[[Connection, datetime], Sequence[str]]
"""Writes what a rebuild came to at a moment, in an open transaction; returns what changed, in
words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRebuild:
    """What a rebuild came to before anything was written.

    Args:
        write: writes it.
        cursors: how far it read each source, by name; a source that is missing keeps its cursor.
        broken: why sources could not be read, by the name of their cursor.
        worded_by: the model whose words are taken; None for the template.
        refusal: why they are not taken; None if they are, or none was asked.
        pause: the pause after it, where that is shorter than usual.
        unfinished: the error of what could not be done. What was computed is written all the same;
            then cursors stay, and it is tried again.
    """

    write: WriteChanges
    cursors: Mapping[str, int] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)
    worded_by: str | None = None
    refusal: str | None = None
    pause: timedelta | None = None
    unfinished: Exception | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildReport:
    """What a run did.

    Args:
        changes: what was written, in words; empty if it was written like that before.
        state: after it; `cursors` likewise.
    """

    name: str
    outcome: RebuildOutcome
    changes: tuple[str, ...] = ()
    state: RebuildState
    cursors: tuple[Cursor, ...] = ()
