"""What a session and a turn are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:  # pydantic: loaded by who reads the settings
    from afterword.pipeline.settings import Settings

Outcome = Literal["succeeded", "failed"]
OUTCOMES: Final = ("succeeded", "failed")
"""How a finished turn went."""

TurnState = Literal["busy", "succeeded", "failed", "abandoned"]
"""Where a turn stands: not finished yet, its outcome, or that nobody finished it in time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an agent may write in one session (R4); counts. A supersession is a store too."""

    stores: int = 20
    supersedes: int = 5
    deletes: int = 5


def limits_of(settings: "Settings") -> Limits:
    """Return the limits the settings name."""
    return Limits(
        settings.session_max_stores, settings.session_max_supersedes, settings.session_max_deletes
    )


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation of an agent.

    Args:
        id: the row's primary key; for other rows of the same store.
        uid: its name, as memories and the audit log say it.
        label: what the client calls it.
        stores: memories written in it; count.
        supersedes: how many of those took another's place.
        deletes: memories deleted in it; count.
    """

    id: int
    uid: str
    label: str | None
    started_at: datetime
    ended_at: datetime | None
    stores: int
    supersedes: int
    deletes: int


@dataclass(frozen=True, slots=True)
class NewSession:
    """A new session, and the only time its handle is told.

    Args:
        handle: the key to write with; who has it, writes in the session.
    """

    handle: str = field(repr=False)
    session: Session


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool a turn used.

    Args:
        arguments: a JSON object; masked before it is stored.
        succeeded: whether the tool did what it was asked.
    """

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    succeeded: bool = True


@dataclass(frozen=True, slots=True)
class Turn:
    """What was asked in a session, and how it went.

    Args:
        id: the row's primary key; for other rows of the same store.
        session_uid: the session it belongs to.
        message: what was asked; masked.
        reply: what was answered; masked.
        busy_until: when it counts as abandoned, if nobody finishes it.
    """

    id: int
    uid: str
    session_uid: str
    message: str
    reply: str | None
    tool_calls: tuple[ToolCall, ...]
    outcome: Outcome | None
    started_at: datetime
    busy_until: datetime
    finished_at: datetime | None

    def state(self, now: datetime) -> TurnState:
        """Return where the turn stands at a moment."""
        if self.outcome is not None:
            return self.outcome
        return "busy" if now < self.busy_until else "abandoned"
