"""A learning, what became of it, and the review of a turn."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from afterword.pipeline.core.store.codec import Coding
from afterword.pipeline.domain.sessions.model import Outcome

if TYPE_CHECKING:  # pydantic: loaded by who reads the settings
    from afterword.pipeline.settings import Settings

LearningSource = Literal["review", "agent"]
"""Whether a review of a turn made it, or the agent said it with a tool."""

LearningArm = Literal["shown", "left_out", "before", "taught"]
"""What a learning had to do with a turn: it was `shown` in it, a draw left it out (`left_out`), the
turn was `before` it was known, or the turn `taught` it."""

LearningResult = Literal["succeeded", "failed", "ignored", "noted"]
"""What came of it: the turn ran its tools in order and `succeeded`, or `failed`; it was `ignored`;
or it has no tools, or was not shown, so that the turn is only `noted`."""

LEARNING_STATES: Final = ("active", "waiting", "deleted")
LearningState = Literal["active", "waiting", "deleted"]
"""`waiting`: until the turn in which the agent said it has succeeded; nobody is shown it."""

LearningSort = Literal["rate", "used", "new", "shown"]
LEARNING_SORTS: Final = ("rate", "used", "new", "shown")
"""By successes less failures (R5), by last use (R5), newest first, by how often it was shown."""

DECAY: Final = 0.95
"""What an ignored showing leaves of a learning's weight (R5: ignored learnings decay; 5 %)."""

ReviewedVerdict = Literal["learned", "repeated", "below", "refused"]
REVIEWED_VERDICTS: Final = ("learned", "repeated", "below", "refused")
"""What became of a review: a new learning, one more success of a stored one, a score below the
threshold, or something in it that may not be stored."""


class LearnedCall(NamedTuple):
    """One step of a tool sequence; its arguments are masked."""

    tool_name: str
    args: Mapping[str, Any]


def _calls_of(text: str) -> tuple[LearnedCall, ...]:
    return tuple(LearnedCall(call["tool_name"], call["args"]) for call in json.loads(text))


def _calls_text(calls: Sequence[LearnedCall]) -> str:
    return json.dumps([call._asdict() for call in calls], ensure_ascii=False)


CALLS: Final = Coding(_calls_of, _calls_text)
"""How a tool sequence is stored: `[{tool_name, args}]` (R5)."""


@dataclass(frozen=True, slots=True)
class NewLearning:
    """A learning to be kept.

    Args:
        trigger: the task it is about, in words.
        tool_sequence: the tools in order; may be empty for a note.
        guidance: what to mind; may be empty beside a sequence.
        name: in lower case with underscores; made of the trigger if None.
    """

    trigger: str
    tool_sequence: tuple[LearnedCall, ...] = ()
    guidance: str = ""
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Learning:
    """A learning with its counts.

    Args:
        id: the row's primary key.
        session_id: uid of the session that it comes from.
        turn: uid of the turn that taught it; None if there was none, or it was erased.
        created_at: when it became known.
        success_count: turns that ran its tools and succeeded, that which taught it included.
        failure_count: turns that were shown it, ran its tools and failed.
        shown_count: turns it was shown in; of these `ignored` in a row did not run its tools.
        last_used_at: when a turn last ran its tools, or taught it again.
    """

    id: int
    uid: str
    name: str
    trigger: str
    tool_sequence: tuple[LearnedCall, ...]
    guidance: str
    source: LearningSource
    session_id: str | None
    turn: str | None
    created_at: datetime
    active_at: datetime | None
    success_count: int
    failure_count: int
    shown_count: int
    ignored: int
    last_used_at: datetime | None
    deleted_at: datetime | None

    @property
    def state(self) -> LearningState:
        """Return its state."""
        if self.deleted_at is not None:
            return "deleted"
        return "waiting" if self.active_at is None else "active"

    @property
    def weight(self) -> float:
        """Return what ignored showings left of it, in (0, 1]; a turn that ran it makes it whole."""
        return float(DECAY**self.ignored)


class LearningTurn(NamedTuple):
    """What a learning had to do with one turn."""

    turn: str
    arm: LearningArm
    place: int | None
    similarity: float | None
    known_at: datetime
    result: LearningResult | None
    outcome: Outcome | None
    settled_at: datetime | None


class KeptLearning(NamedTuple):
    """What became of a new learning.

    Args:
        is_new: whether it is a row of its own; else one that says the same counts it.
        likeness: to that one: cosine, 0 to 1.
        waits: whether it is kept back until its turn has succeeded.
    """

    id: int
    uid: str
    is_new: bool
    likeness: float = 1.0
    waits: bool = False


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """What a reviewer says of a finished turn (R5).

    Args:
        score: how much it is worth keeping: 0 to 10.
        summary: what was done, in one sentence.
        suggested_trigger: the task in general words; empty if there is none.
        suggested_tool_sequence: calls of the turn, in their order.
        guidance: what to mind next time; may be empty.
    """

    score: int
    summary: str
    suggested_trigger: str
    suggested_tool_sequence: tuple[LearnedCall, ...] = ()
    guidance: str = ""


@dataclass(frozen=True, slots=True)
class TurnReview:
    """The review of a turn, as it is kept.

    Args:
        turn: its uid.
        reviewer: `rule`, or the name of the model.
        learning: uid of what it taught or repeated.
        shadow: what a model in shadow mode says: `reviewer` and the fields of a `ReviewResult`.
    """

    turn: str
    reviewer: str
    result: ReviewResult
    verdict: ReviewedVerdict
    reason: str
    learning: str | None
    reviewed_at: datetime
    shadow: Mapping[str, Any] | None = field(default=None)


class LearningRules(NamedTuple):
    """What the settings say of learning from turns.

    Args:
        is_enabled: whether turns are reviewed and learnings kept and shown.
        min_calls: tool calls a turn needs to be reviewed; count.
        score_threshold: score from which a review is kept; 0 to 10.
        top_k: learnings shown in a turn at most; count.
        holdout: the share of turns that go without a learning, each drawn by itself.
    """

    is_enabled: bool = True
    min_calls: int = 3
    score_threshold: int = 7
    top_k: int = 3
    holdout: float = 0.0


def rules_of(settings: "Settings") -> LearningRules:
    """Return what the settings say of learning from turns."""
    return LearningRules(
        settings.learning_enabled,
        settings.learning_min_calls,
        settings.learning_score_threshold,
        settings.learning_top_k,
        settings.lesson_holdout,
    )
