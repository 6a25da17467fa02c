"""Probe: past decisions are asked again with what memory tells today. Does an answer change?

Each decision is asked twice by one code path: without memory, so that the model's own answer and
its variation are seen, and with today's lessons and graduated methods. Nothing is shared with a
live agent: no session, hint, tool or job; the store is only read.

Results are printed, not kept: a probe is a look, which a cassette of its answers repeats to the
byte, and kept figures would invite to count probes as evidence. One line of the audit log says that
decisions were sent to a model (`note_probe`), and the budget has each question.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.decisions.model import Mark
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.operations.experiments.decide import (
    MOST_SAMPLES,
    Arm,
    ArmAnswer,
    ArmQuestion,
    StopError,
    ask_each,
    majority,
)
from afterword.pipeline.operations.experiments.past import (
    PastDecision,
    named_decisions,
    wrong_decisions,
)
from afterword.pipeline.operations.experiments.recollection import (
    MemoryRules,
    Recollection,
    recollect,
)
from afterword.pipeline.rules.market.outcome import Stance

MOST_PROBED: Final = 100
"""Decisions of one probe."""

NOTHING_FROZEN: Final = "neither inputs nor a frozen context are kept of it"
NOTHING_TOLD: Final = "memory tells nothing of it today"

_ARMS: Final[tuple[Arm, ...]] = ("none", "memory")


@dataclass(frozen=True, slots=True)
class ProbeSettings:
    """What is probed.

    Args:
        decisions: uids or ids; none: the latest wrong ones.
        role_id: only of this role.
        limit: wrong decisions at most, 1 to 100.
        samples: times that each question is asked, 1 to 20.
        known_until: until when the model may know the world; None if nobody says.
        rules: how much memory tells.
    """

    decisions: tuple[str | int, ...] = ()
    role_id: str | None = None
    limit: int = 10
    samples: int = 1
    known_until: datetime | None = None
    rules: MemoryRules = MemoryRules()  # noqa: RUF009  # frozen


@dataclass(frozen=True, slots=True)
class ProbedDecision:
    """A decision that was asked again.

    Args:
        direction, confidence: its own answer, then.
        outcome: what became of it.
        may_be_known: whether its moment is before the model's stated knowledge; None if nobody
            says what that is.
        is_late: whether it was recorded long after it was made: its inputs may know more.
        had_memory: whether memory that its maker was shown was taken out of its context.
        lessons, methods: of today's memory; counts.
        has_own_lesson: whether one of the lessons was drawn from this very decision.
        without, with_memory: the answers.
        is_changed: whether most answers with memory have another direction than most without; None
            where one side has no answer, or a tie.
        repeats: whether most answers with memory have its own direction, then; None likewise.
        skipped: why it was not asked; empty if it was.
    """

    id: int
    uid: str
    role_id: str
    asset: str | None
    decided_at: datetime
    direction: Stance
    confidence: float | None
    outcome: Mark | None
    may_be_known: bool | None
    is_late: bool
    had_memory: bool
    lessons: int
    methods: int
    has_own_lesson: bool
    without: tuple[ArmAnswer, ...] = ()
    with_memory: tuple[ArmAnswer, ...] = ()
    is_changed: bool | None = None
    repeats: bool | None = None
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """What a probe found, and what it cost.

    Args:
        store: name of the group or replay.
        model: that was asked.
        samples: times each question was asked.
        known_until: until when the model may know the world; None if nobody says.
        asked: decisions with both answers; count.
        changed, unchanged: of these; the rest is undecided; counts.
        varied: decisions whose answers without memory differ among themselves; count.
        failed: questions without a usable answer; count.
        recorded: answers that a cassette had; count.
        left: questions without an answer since the asking stopped; count.
        stopped: why not; empty if all were.
        reopens_at: when the rest can be asked.
        says: what this can show, in plain sentences.
    """

    store: str
    model: str
    samples: int
    known_until: datetime | None
    decisions: tuple[ProbedDecision, ...]
    asked: int
    changed: int
    unchanged: int
    varied: int
    failed: int
    recorded: int
    input_tokens: int
    output_tokens: int
    cost_micro_usd: int
    left: int
    stopped: str
    reopens_at: datetime | None
    says: tuple[str, ...]


def probe(
    store: Store,
    llm: Llm,
    settings: ProbeSettings,
    report: Callable[[int, int], None] = lambda _done, _all: None,
) -> tuple[ProbeReport, StopError | None]:
    """Ask past decisions again, and return what changed, and why the asking stopped if it did.

    Args:
        store: a group, or a replay; it is only read.
        llm: spends the category `experiment`.
        report: called with the questions asked so far, and all.

    Raises:
        InvalidInputError: a limit out of range.
        NotFoundError: there is no decision of one name.
    """
    check_limit(settings.limit, MOST_PROBED)
    check_limit(settings.samples, MOST_SAMPLES)
    with reading(store) as conn:
        recollected = [
            (past, _told(conn, past, settings.rules)) for past in _chosen(conn, settings)
        ]
    questions = [
        ArmQuestion(past, arm, sample, memory.text if arm == "memory" else "")
        for past, memory in recollected
        if not _skipped(past, memory)
        for sample in range(1, settings.samples + 1)
        for arm in _ARMS
    ]
    count = len(questions)
    answers, stop = ask_each(llm, store.address, questions, lambda done: report(done, count))
    probed = [_probed(past, memory, answers, settings) for past, memory in recollected]
    left = len(questions) - len(answers)
    return _report(store.name, llm.model, settings, probed, answers, left, stop), stop


def note_probe(store: Store, report: ProbeReport, now: datetime) -> None:
    """Write one line into the audit log: a person sent these decisions to a model.

    It is called after the answers were shown: they were paid, and a busy store must not lose them.
    """
    decisions = [
        decision for decision in report.decisions if decision.without or decision.with_memory
    ]
    if not decisions:
        return
    detail = {
        "model": report.model,
        "decisions": len(decisions),
        "answers": sum(len(decision.without) + len(decision.with_memory) for decision in decisions),
        "cost_micro_usd": report.cost_micro_usd,
    }
    with writing(store) as conn:
        line = ChangedRow(decisions[0].id, detail=detail)
        record(conn, now, "owner", "replay.probe", "role_memory", [line])


def _chosen(conn: Connection, settings: ProbeSettings) -> list[PastDecision]:
    if settings.decisions:
        return named_decisions(conn, settings.decisions)
    return wrong_decisions(conn, settings.role_id, settings.limit)


def _told(conn: Connection, past: PastDecision, rules: MemoryRules) -> Recollection:
    return recollect(conn, past, rules, None)


def _skipped(past: PastDecision, memory: Recollection) -> str:
    if not past.is_frozen:
        return NOTHING_FROZEN
    return NOTHING_TOLD if memory.is_empty else ""


def _probed(
    past: PastDecision,
    memory: Recollection,
    answers: Sequence[ArmAnswer],
    settings: ProbeSettings,
) -> ProbedDecision:
    decision, until = past.decision, settings.known_until
    own = [answer for answer in answers if answer.uid == decision.uid]
    without = tuple(answer for answer in own if answer.arm == "none")
    with_memory = tuple(answer for answer in own if answer.arm == "memory")
    before, after = _majority(without), _majority(with_memory)
    return ProbedDecision(
        id=decision.id,
        uid=decision.uid,
        role_id=decision.role_id,
        asset=decision.asset,
        decided_at=decision.decided_at,
        direction=decision.direction,
        confidence=decision.confidence,
        outcome=past.verdict,
        may_be_known=None if until is None else decision.decided_at <= until,
        is_late=past.is_late,
        had_memory=past.had_memory,
        lessons=len(memory.lessons),
        methods=len(memory.methods),
        has_own_lesson=decision.uid in {lesson.uid for lesson in memory.lessons},
        without=without,
        with_memory=with_memory,
        is_changed=None if before is None or after is None else before != after,
        repeats=None if after is None else after == decision.direction,
        skipped=_skipped(past, memory),
    )


def _majority(answers: Sequence[ArmAnswer]) -> Stance | None:
    return majority([answer.direction for answer in answers if answer.direction is not None])


def _given(answers: Sequence[ArmAnswer]) -> set[Stance]:
    return {answer.direction for answer in answers if answer.direction is not None}


def _report(
    store: str,
    model: str,
    settings: ProbeSettings,
    probed: Sequence[ProbedDecision],
    answers: Sequence[ArmAnswer],
    left: int,
    stop: StopError | None,
) -> ProbeReport:
    asked = [decision for decision in probed if decision.without and decision.with_memory]
    counts = Counter(decision.is_changed for decision in asked)
    varied = sum(len(_given(decision.without)) > 1 for decision in asked)
    return ProbeReport(
        store=store,
        model=model,
        samples=settings.samples,
        known_until=settings.known_until,
        decisions=tuple(probed),
        asked=len(asked),
        changed=counts[True],
        unchanged=counts[False],
        varied=varied,
        failed=sum(bool(answer.problem) for answer in answers),
        recorded=sum(answer.is_recorded for answer in answers),
        input_tokens=sum(answer.input_tokens for answer in answers),
        output_tokens=sum(answer.output_tokens for answer in answers),
        cost_micro_usd=sum(answer.cost_micro_usd for answer in answers),
        left=left,
        stopped="" if stop is None else str(stop),
        reopens_at=getattr(stop, "reopens_at", None),
        says=tuple(_says(settings, asked, varied)),
    )


def _says(settings: ProbeSettings, asked: Sequence[ProbedDecision], varied: int) -> list[str]:
    """Return what a probe can show and what it cannot."""
    if not asked:
        return []
    sentences = [
        "A changed answer shows that memory was read, not that it is right: it was written after "
        "these outcomes. Whether memory helps is measured by `afterword replay ablate`."
    ]
    if own := sum(decision.has_own_lesson for decision in asked):
        sentences.append(
            f"The memory of {own:,} has the lesson that was drawn from that very decision."
        )
    if settings.samples == 1:
        sentences.append(
            "Each was asked once: a change may be the model's own variation; --samples 5 shows how "
            "often it changes without memory."
        )
    elif varied:
        sentences.append(
            f"Without memory, {varied:,} of {len(asked):,} already varied between samples."
        )
    if settings.known_until is None:
        sentences.append(
            "It is not known what the model knew of these days: --known-until DATE labels what it "
            "may remember."
        )
    elif known := sum(decision.may_be_known is True for decision in asked):
        sentences.append(f"The model may remember what became of {known:,}: they are labelled.")
    if late := sum(decision.is_late for decision in asked):
        sentences.append(
            f"{late:,} were recorded long after their moment: their inputs may know more."
        )
    if taken := sum(decision.had_memory for decision in asked):
        sentences.append(
            f"The memory that its maker was shown was taken out of {taken:,} contexts."
        )
    return sentences
