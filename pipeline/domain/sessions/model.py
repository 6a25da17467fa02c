"""A session, its limits, and a turn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:  # pydantic: loaded by who reads the settings
    from afterword.pipeline.settings import Settings

Outcome = Literal["succeeded", "failed"]
TURN_OUTCOMES: Final = ("succeeded", "failed")
"""How a finished turn went."""

SessionOrigin = Literal["agent", "import"]
"""Whose a session is: an agent's own, or a conversation that its owner imported."""

TurnState = Literal["busy", "succeeded", "failed", "abandoned"]
"""The state of a turn: busy, its outcome once finished, or abandoned if not finished in time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an agent may write in one session (R4), each kind counted apart.

    Args:
        stores: memories written, and values of the profile set.
        supersedes: how many of those may supersede another memory.
        deletes: memories deleted.
        decisions: decisions recorded.
        trades: trades recorded, and their outcomes.
        methodologies: methodologies added.
    """

    stores: int = 20
    supersedes: int = 5
    deletes: int = 5
    decisions: int = 1_000
    trades: int = 1_000
    methodologies: int = 20


def limits_of(settings: "Settings") -> Limits:
    """Return the limits the settings name."""
    return Limits(
        stores=settings.session_max_stores,
        supersedes=settings.session_max_supersedes,
        deletes=settings.session_max_deletes,
        decisions=settings.session_max_decisions,
        trades=settings.session_max_trades,
        methodologies=settings.session_max_methodologies,
    )


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation of an agent.

    Args:
        id: the row's primary key; for other rows of the same store.
        uid: its name in memories and the audit log.
        label: what the client calls it.
        stores: memories written in it; count.
        supersedes: how many of those superseded another one.
        deletes: memories deleted in it; count.
        origin: `agent` for an agent's own, `import` for a conversation its owner imported.
        decisions, trades, methodologies: of each, how many were recorded in it.
    """

    id: int
    uid: str
    label: str | None
    started_at: datetime
    ended_at: datetime | None
    stores: int
    supersedes: int
    deletes: int
    origin: SessionOrigin = "agent"
    decisions: int = 0
    trades: int = 0
    methodologies: int = 0


@dataclass(frozen=True, slots=True)
class NewSession:
    """A new session, with its handle, which is returned only here.

    Args:
        handle: the key to write with; anyone who has it can write in the session.
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
    """A message to the agent, and how its work on it went.

    Args:
        id: the row's primary key; for other rows of the same store.
        session_uid: the session it belongs to.
        message: the question or order; masked.
        reply: the agent's answer; masked.
        busy_until: when it counts as abandoned, unless it is finished before.
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
        """Return the state of the turn at a moment."""
        if self.outcome is not None:
            return self.outcome
        return "busy" if now < self.busy_until else "abandoned"
