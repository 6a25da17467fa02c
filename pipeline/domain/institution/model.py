"""A run of an institution: who said what, what was decided, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple, get_args

from afterword.pipeline.rules.market.outcome import Stance

OutputForm = Literal[
    "analyst_report",
    "debate_argument",
    "risk_assessment",
    "trader_proposal",
    "portfolio_decision",
]
"""What a role hands in; each is the input of a tool that the model is forced to call."""

OUTPUT_FORMS: Final = get_args(OutputForm)

DECIDING_FORM: Final[OutputForm] = "portfolio_decision"
"""The form of the one output that decides; a run has one of them."""

RunAnswer = Literal["yes", "no", "unclear"]
"""`unclear`: the move was too small to tell, or the question does not apply to it."""

WindowState = Literal["answered", "waits", "unmeasured"]
"""`waits`: its window is not over. `unmeasured`: it is over, and a price is missing; nothing is
guessed."""

NoteKind = Literal["lazy", "manual"]
"""`lazy`: told to the next run on the asset. `manual`: a person's words. Neither feeds anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRoleOutput:
    """What one role handed in; either its form, or the reply of the model that filled it in.

    Args:
        role: its name at the desk, such as `market analyst`.
        form: which form it is.
        output: the form, as the model filled it in; a JSON object.
        reply: instead: the whole reply of the Messages API, of which the tool call alone is kept.
        model: the model that filled it in; taken from the reply if missing.
    """

    role: str
    form: str
    output: object = None
    reply: object = None
    model: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewInstitutionRun:
    """A run to be captured.

    Args:
        uid: its id where it ran; captured again under it, nothing is written.
        asset: the ticker, in any written form.
        outputs: of the roles in their order; exactly one is a portfolio decision.
        decided_at: aware, not in the future; now if missing.
        decision: uid of the decision in role memory that this run led to, where the desk recorded
            it; None records one.
        retrospect: digest of the retrospect that the run began with.
        meta: what else belongs to it, such as versions and costs; a JSON object.
    """

    uid: str
    asset: str
    outputs: tuple[NewRoleOutput, ...]
    decided_at: datetime | None = None
    decision: str | None = None
    retrospect: str | None = None
    meta: Mapping[str, Any] | None = None


class CheckedOutput(NamedTuple):
    """An output as it is kept: checked, its secrets masked.

    Args:
        body: the form as JSON.
        cited: ids of the methodologies it cites.
    """

    role: str
    form: OutputForm
    body: Mapping[str, Any]
    cited: tuple[str, ...]
    model: str | None


@dataclass(frozen=True, slots=True)
class CapturedRun:
    """What a capture did.

    Args:
        is_kept: False where captures are off: nothing was written.
        is_new: False where this run was captured before.
        decision: uid of its decision; None where nothing is kept.
        cited: ids of the methodologies that its roles cite; `unknown` of them nobody knows.
        flagged: what kinds of orders to the agent its texts read like.
    """

    uid: str
    is_kept: bool
    is_new: bool
    decision: str | None = None
    cited: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    flagged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoleOutput:
    """What one role handed in, as it is read."""

    role: str
    form: OutputForm
    body: Mapping[str, Any]
    cited: tuple[str, ...]
    model: str | None


@dataclass(frozen=True, slots=True)
class WindowAnswer:
    """The answer to the question of one window.

    Args:
        answer: None until it is answered.
        why: one line with the numbers behind the answer.
        exit_at: when the measured window ended.
    """

    window_hours: int
    question: str
    state: WindowState
    due_at: datetime
    answer: RunAnswer | None = None
    why: str = ""
    exit_at: datetime | None = None
    answered_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RunNote:
    """A snapshot that feeds nothing; see `NoteKind`."""

    kind: NoteKind
    text: str
    known_at: datetime


@dataclass(frozen=True, slots=True)
class InstitutionRun:
    """A run as it is read.

    Args:
        decision: uid of its decision in role memory.
        horizon_hours: within which the move was expected, as the decision states it.
        trigger, base_case, thesis: what the decision rests on, in its words.
        retrospect: digest of what it was told of earlier runs.
        windows: the ladder, the shortest window first.
    """

    id: int
    uid: str
    asset: str
    asset_key: str
    direction: Stance
    confidence: float
    horizon_hours: int
    trigger: str
    base_case: str
    thesis: str
    decision: str
    session_id: str | None
    retrospect: str | None
    meta: Mapping[str, Any]
    cited: tuple[str, ...]
    decided_at: datetime
    known_at: datetime
    windows: tuple[WindowAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class RunCitation:
    """What became of a methodology that a run cites.

    Args:
        standing: whether it votes and if not, why; `unknown` where no such methodology is known,
            `open` before the next synthesis.
        outcome_state: over the methodology's own horizon; empty where none is looked for.
        is_repeat: whether a decision of a role on the same asset and stretch votes for it instead.
    """

    methodology: str
    standing: str
    outcome_state: str
    is_repeat: bool


@dataclass(frozen=True, slots=True)
class RunStory:
    """A run with all that was said in it and of it."""

    run: InstitutionRun
    outputs: tuple[RoleOutput, ...]
    notes: tuple[RunNote, ...]
    citations: tuple[RunCitation, ...]


class ReflectTally(NamedTuple):
    """What a look at the ladder did; counts of windows.

    Args:
        looked: runs with a window that is over.
        answered: answers that were written, by answer.
    """

    looked: int
    answered: Mapping[RunAnswer, int]
