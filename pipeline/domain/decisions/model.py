"""A decision of a role, and what became of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, get_args

from afterword.pipeline.rules.market.outcome import Stance

State = Literal["pending", "parked", "skipped", "reflected"]
"""A decision waits for its outcome; waits for something that is missing; waited too long; is judged
and, where there was one to learn, has left a lesson."""

STATES: Final = get_args(State)

ENDED: Final[tuple[State, ...]] = ("skipped", "reflected")
"""Final states; reads as of a moment know no other state but `pending`."""

Classification = Literal["logic_error", "missing_data", "exogenous", "variance"]
"""Why a decision that was not right was not (R2): bad reasoning; evidence it should have fetched;
what nobody could know; a move too small to tell skill from luck."""

CLASSIFICATIONS: Final = get_args(Classification)

Mark = Literal["right", "wrong", "noise"]
"""An outcome that is known."""

REASONS: Final[Mapping[str, str]] = {
    "no_asset": "no asset",
    "no_series": "no price",
    "no_entry": "no price",
    "no_exit": "no price",
    "too_coarse": "bars too coarse",
    "no_volatility": "too little history",
    "unexplained_jump": "unexplained jump",
    "no_mark": "no mark",
    "no_answer": "no answer",
}
"""Why a decision is parked, by why its outcome is unknown."""

TRAINABLE: Final = frozenset({"logic_error", "missing_data"})
"""The classes that leave a lesson; the others leave their narrative."""


MAX_NARRATIVE: Final = 600
"""Characters of a verdict's narrative."""


@dataclass(frozen=True, slots=True)
class NewDecision:
    """What is to be recorded.

    Args:
        role_id: the role that decided.
        decision: what it decided, in its words.
        inputs: what it decided on, by name; a JSON object.
        asset: what it is about, in any written form; else taken from the input its role names.
        direction: what the price is said to do; may be left out where no price judges it.
        confidence: 0 to 1, as its maker says.
        decided_at: when; aware, not in the future; now if missing.
        context: all that was in front of its maker: prices, tool outputs, prompt; a JSON object,
            kept once however many decisions were made on it.
        key: names this recording: a second one of it is the first.
        session_id: uid of the session it was made in.
        scenario_id: the scenario it belongs to, named by the system.
        origin: where its words came from.
        supersedes: uid of the decision it is a better account of.
    """

    role_id: str
    decision: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    asset: str | None = None
    direction: Stance | None = None
    confidence: float | None = None
    decided_at: datetime | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = None
    session_id: str | None = None
    scenario_id: str | None = None
    origin: str = "agent"
    supersedes: str | None = None


@dataclass(frozen=True, slots=True)
class DecisionIds:
    """The names of a decision: `id` inside the store, `uid` outside.

    Args:
        is_new: False where this was recorded before.
    """

    id: int
    uid: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class DecisionVerdict:
    """What is said of a decision whose outcome is known: stage one.

    Args:
        outcome: `right`, `wrong` or `noise`, as the probe measured it.
        measured: the numbers it was measured by.
        classification: why it was not right; None where it was.
        by: who says so: `probe`, `heuristic`, a model's name, a person.
    """

    outcome: Mark
    measured: Mapping[str, Any]
    classification: Classification | None
    narrative: str
    by: str

    @property
    def is_trainable(self) -> bool:
        """Whether it leaves a lesson."""
        return self.classification in TRAINABLE


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as it is read; moments are aware UTC.

    In a read as of a moment, `retry_at`, `tries` and `embedding_state` are None: their past is not
    kept. So is the parking: the decision is `pending` until it is skipped or reflected.

    Args:
        asset_key: what its asset is filed under, such as `BTC`.
        context_hash: names its frozen context; None where it had none, or that was forgotten.
        reason: why it is parked or skipped, in a word or two of ours.
        why: the same in the words of whoever could not say more.
        retry_at: not looked at before then.
        tries: questions about it that failed.
        mark: its outcome as a person says it; stronger than what a probe measures.
        verdict: what is said of it so far.
    """

    id: int
    uid: str
    role_id: str
    skill_id: str
    key: str | None
    session_id: str | None
    scenario_id: str | None
    origin: str
    decision: str
    inputs: Mapping[str, Any]
    asset: str | None
    asset_key: str | None
    direction: Stance
    confidence: float | None
    context_hash: str | None
    decided_at: datetime
    known_at: datetime
    superseded_by: int | None
    superseded_at: datetime | None
    state: State
    reason: str | None
    why: str | None
    state_at: datetime
    retry_at: datetime | None
    tries: int | None
    mark: Mark | None
    mark_note: str | None
    marked_at: datetime | None
    verdict: DecisionVerdict | None
    classified_at: datetime | None
    lesson: str | None
    lesson_by: str | None
    reflected_at: datetime | None
    embedding_state: str | None


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson as a prompt or a person is given it.

    Args:
        text: as it was drafted.
        classification: what it was learned from.
    """

    id: int
    uid: str
    role_id: str
    asset: str | None
    direction: Stance
    text: str
    classification: Classification
    by: str
    decided_at: datetime
    reflected_at: datetime


def told_once(lessons: Iterable[Lesson]) -> list[Lesson]:
    """Return lessons in their order; of those that say the same, the first."""
    found: dict[str, Lesson] = {}
    for lesson in lessons:
        found.setdefault(lesson.text, lesson)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Tally:
    """What one pass did; counts of decisions.

    Args:
        reflected: by class, `right` and `noise` decisions among them.
        parked: by reason.
        failed: questions to a judge that failed; asked again later.
        shadowed: looked at in the shadow.
        again_at: when the first of the failed questions is asked again.
    """

    reflected: Mapping[str, int] = field(default_factory=dict)
    parked: Mapping[str, int] = field(default_factory=dict)
    skipped: int = 0
    failed: int = 0
    shadowed: int = 0
    again_at: datetime | None = None

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            _sum(self.reflected, other.reflected),
            _sum(self.parked, other.parked),
            self.skipped + other.skipped,
            self.failed + other.failed,
            self.shadowed + other.shadowed,
            min(filter(None, (self.again_at, other.again_at)), default=None),
        )

    @property
    def settled(self) -> int:
        """Decisions that wait no more."""
        return sum(self.reflected.values()) + self.skipped


def tally_all(tallies: Sequence[Tally]) -> Tally:
    """Return the sum of tallies."""
    return sum(tallies, Tally())


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in sorted({*one, *other})}
