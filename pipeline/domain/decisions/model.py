"""A decision of a role, and what became of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final, Literal, get_args

from afterword.pipeline.domain.decisions.frozen_context import FrozenJson
from afterword.pipeline.domain.decisions.lateness import is_late, is_too_long
from afterword.pipeline.domain.decisions.plan import WrittenNumber
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS
from afterword.pipeline.rules.market.outcome import Stance
from afterword.pipeline.rules.market.windows import HOUR_US

DecisionState = Literal["pending", "parked", "skipped", "reflected"]
"""`pending`: waits for its outcome. `parked`: waits for something that is missing. `skipped`:
waited too long. `reflected`: judged, with a lesson if it teaches one."""

DECISION_STATES: Final = get_args(DecisionState)

ENDED: Final[tuple[DecisionState, ...]] = ("skipped", "reflected")
"""Final states; a read as of a moment shows every other state as `pending`."""

Classification = Literal["logic_error", "missing_data", "exogenous", "variance"]
"""Why a decision was not right (R2): its setup was confirmed as failing; a source had something
that it lacked; the market's own move; luck, as far as the record shows."""

CLASSIFICATIONS: Final = get_args(Classification)

Mark = Literal["right", "wrong", "noise"]
"""A known outcome."""

PARK_REASONS: Final[Mapping[str, str]] = {
    "no_asset": "no asset",
    "no_series": "no price",
    "no_entry": "no price",
    "no_exit": "no price",
    "too_coarse": "bars too coarse",
    "no_volatility": "too little history",
    "closed": "market closed",
    "unexplained_jump": "unexplained jump",
    "no_mark": "no mark",
    "no_answer": "no answer",
}
"""The reason a decision is parked for, by the reason its outcome is unknown."""

TRAINABLE: Final = frozenset({"logic_error", "missing_data"})
"""The classes that leave a lesson; the others leave a narrative only."""


_MICROSECOND: Final = timedelta(microseconds=1)

MAX_NARRATIVE: Final = 600
"""Characters of a verdict's narrative."""


@dataclass(frozen=True, slots=True)
class NewDecision:
    """A decision to be recorded.

    Args:
        role_id: the role that decided.
        decision: the decision and its reasons, as text.
        inputs: the data it rests on, by name; a JSON object.
        asset: in any written form; if missing, taken from the input its role names.
        direction: the expected move of the price; optional where no price judges the role.
        confidence: 0 to 1, as its maker states it.
        decided_at: when; aware, not in the future; now if missing.
        context: everything its maker saw: prices, tool outputs, prompt; a JSON object, stored once
            for all decisions made on it.
        key: idempotency key of this recording; a second one changes nothing.
        session_id: uid of the session it was made in.
        scenario_id: the scenario it belongs to, named by the system.
        origin: where its text came from.
        supersedes: uid of the decision it replaces.
        stop_price, target_price: its own plan: where it leaves at a loss, and with a gain. Like the
            size and the leverage they are read from `inputs` if missing; see `plan.INPUT_NAMES`.
        size_usd: what it buys or sells, leverage included; USD.
        leverage: the size over the capital that stands behind it; above 0.
        methods: ids of the methods it cites.
        hint_hash: digest of the hint its maker was shown; 64 hexadecimal digits.
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
    stop_price: WrittenNumber | None = None
    target_price: WrittenNumber | None = None
    size_usd: WrittenNumber | None = None
    leverage: WrittenNumber | None = None
    methods: Sequence[str] = ()
    hint_hash: str | None = None


@dataclass(frozen=True, slots=True)
class NewDecisionRow:
    """A decision as it is written, checked and its secrets masked; moments in microseconds.

    Args:
        inputs: a JSON object as text.
        decided_at: None for now.
        stop_price, target_price, size_usd, leverage: exact decimal numbers as text.
        methods: a JSON list as text.
        supersedes: uid of the decision whose place it takes.
        at: its place in a list, such as `decisions[3].`; prefix of field names.
        uid: given once it is written.
        known_at: when it is recorded, if not as of now: a replay records many moments in one write.
        from_trip_uid: the round trip it was made from; see `from_trips`.
        lessons_hash: digest of the lessons that its prompt held; given when it is written.
        first_look_hours: the first window that no reflection of its role measures.
        recorded_by: given once it is written.
    """

    role_id: str
    skill_id: str
    record_key: str | None
    session_id: str | None
    scenario_id: str | None
    origin: str
    decision: str
    inputs: str
    asset: str | None
    asset_key: str | None
    direction: Stance
    confidence: float | None
    context: FrozenJson | None
    decided_at: int | None
    supersedes: str | None
    stop_price: str | None
    target_price: str | None
    size_usd: str | None
    leverage: str | None
    methods: str
    hint_hash: str | None
    at: str = ""
    uid: str = ""
    known_at: int | None = None
    from_trip_uid: str | None = None
    lessons_hash: str | None = None
    first_look_hours: int = LADDER_HOURS[0]
    recorded_by: Actor = "agent"

    @property
    def context_hash(self) -> str | None:
        """The digest its context is stored under."""
        return None if self.context is None else self.context.hash

    @property
    def measure_at(self) -> int | None:
        """When the first window of the ladder is over; None for one about no asset."""
        if self.asset_key is None or self.decided_at is None:
            return None
        return self.decided_at + self.first_look_hours * HOUR_US


@dataclass(frozen=True, slots=True)
class DecisionIds:
    """The identifiers of a decision: `id` inside the store, `uid` outside.

    Args:
        is_new: False where this was recorded before.
        flagged: what kinds of orders to the agent a new one reads like.
    """

    id: int
    uid: str
    is_new: bool
    flagged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionVerdict:
    """The judgement of a decision whose outcome is known, before any lesson.

    Args:
        outcome: `right`, `wrong` or `noise`, as the probe measured it.
        measured: the numbers of the outcome; see `reflection.measure.numbers_of`.
        classification: why it was not right; None where it was.
        by: its author: `probe`, `mark` (a person), `heuristic` or the name of a model.
        rule_class: the class by rule, beside the judge's; None where it was right, and of verdicts
            from before it was kept.
        evidence_hash: digest of what the judge saw; None where none was asked, or it was forgotten.
    """

    outcome: Mark
    measured: Mapping[str, Any]
    classification: Classification | None
    narrative: str
    by: str
    rule_class: Classification | None = None
    evidence_hash: str | None = None

    @property
    def is_trainable(self) -> bool:
        """Whether it leaves a lesson."""
        return self.classification in TRAINABLE


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as it is read; moments are aware UTC.

    A read as of a moment has None for `retry_at`, `tries` and `embedding_state`, because their past
    is not stored; a decision that was parked then is shown as `pending`.

    Args:
        asset_key: key of its asset, such as `BTC`.
        context_hash: digest of its frozen context; None if it had none or it was forgotten.
        reason: why it is parked or skipped, as one fixed phrase.
        why: the probe's or judge's own explanation.
        retry_at: it is not measured again before then.
        tries: failed questions about it; count.
        corrected_at: when the trip it was made from said something else, or was gone; from then on
            it counts no more.
        mark: the outcome a person gave; it overrules the probe.
        verdict: None until it is judged.
        stop_price, target_price, size_usd, leverage: its own plan, as given or as its inputs
            have it.
        methods: ids of the methods it cites.
        hint_hash: digest of the hint its maker was shown.
        from_trip_uid: the round trip it was made from, afterwards; None for one that was recorded
            when it was made.
        recorded_by: an agent's door, its owner, or a replay.
        lessons_hash: digest of the lessons that its prompt held; None where none is known.
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
    state: DecisionState
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
    stop_price: Decimal | None
    target_price: Decimal | None
    size_usd: Decimal | None
    leverage: Decimal | None
    methods: tuple[str, ...]
    hint_hash: str | None
    from_trip_uid: str | None = None
    recorded_by: Actor = "agent"
    corrected_at: datetime | None = None
    lessons_hash: str | None = None

    def as_of(self, moment: datetime) -> "Decision":
        """Return it as it was known at a moment.

        Until it ended it is `pending`, also if it was parked; `retry_at`, `tries` and
        `embedding_state` are None, because their past is not stored.
        """
        past = replace(self, retry_at=None, tries=None, embedding_state=None)
        if past.superseded_at is not None and past.superseded_at > moment:
            past = replace(past, superseded_at=None, superseded_by=None)
        if past.corrected_at is not None and past.corrected_at > moment:
            past = replace(past, corrected_at=None)
        if past.marked_at is not None and past.marked_at > moment:
            past = replace(past, mark=None, mark_note=None, marked_at=None)
        if past.classified_at is not None and past.classified_at > moment:
            past = replace(past, verdict=None, classified_at=None)
        if past.state in ENDED and past.state_at <= moment:
            return past
        return replace(
            past,
            state="pending",
            reason=None,
            why=None,
            state_at=past.known_at,
            lesson=None,
            lesson_by=None,
            reflected_at=None,
        )

    def waited_too_long(self, window_hours: int) -> bool:
        """Return whether it was recorded so long after it was made that a part of its outcome was
        known; see `lateness`."""
        return is_too_long(self._waited, window_hours)

    def is_late(self, window_hours: int) -> bool:
        """Return whether it counts nowhere over a window: an agent's door recorded it late."""
        return is_late(self.recorded_by, self._waited, window_hours)

    @property
    def _waited(self) -> int:
        return (self.known_at - self.decided_at) // _MICROSECOND


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson as prompts and people see it.

    Args:
        text: as it was drafted.
        classification: the class of the error it comes from.
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


def without_repeats(lessons: Iterable[Lesson]) -> list[Lesson]:
    """Return lessons in their order, each text once."""
    by_text: dict[str, Lesson] = {}
    for lesson in lessons:
        by_text.setdefault(lesson.text, lesson)
    return list(by_text.values())


@dataclass(frozen=True, slots=True)
class ShadowVerdict:
    """What a task recorded of a decision in the shadow."""

    task: str
    at: datetime
    by: str
    classification: str | None
    said: str


@dataclass(frozen=True, slots=True)
class RoleStat:
    """How many decisions of a role are in one state, and how many ever were.

    Args:
        reason: why they are parked or skipped; empty otherwise.
        outcome: of those that are reflected; empty otherwise, as are the next two.
        classification: why they were not right; empty where they were.
        classified_by: author of the verdict.
        decisions: count, now.
        ever: count, including decisions erased since.
    """

    role_id: str
    state: str
    reason: str
    outcome: str
    classification: str
    classified_by: str
    decisions: int
    ever: int
