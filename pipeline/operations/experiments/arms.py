"""Does memory help a model: the same past decisions asked with none, with memory, and with sham.

Memory is what could be told at the moment of the decision; sham is as much of equal form and no use
(`sham`). Each arm answers the same questions in a fixed order, and each answer is judged by the
outcome that is stored of its decision: the move over its window, its band, and its base rate.

- *Asked is what can count.* Stretches must not overlap, so a decision inside an open one would be
  paid for and tell nothing. They are taken in the order of time: a larger `limit` goes on where a
  smaller one ended, and with a cassette it pays only for what is new.
- *Only decisions after the model's stated knowledge count.* Earlier ones it may remember; they are
  asked with what the limit leaves, and told apart. If nobody says what it knew, none counts.
- *The base rate of another direction.* Of long and short one is the other's complement; of neutral
  beside them one half, which the typical move is made for (`rules/evidence/neutral`).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import fsum
from typing import Final, get_args

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.decisions.read import find_decision
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.operations.experiments import past_rows
from afterword.pipeline.operations.experiments.decide import (
    Arm,
    ArmAnswer,
    ArmQuestion,
    StopError,
    ask_each,
)
from afterword.pipeline.operations.experiments.past import PastDecision, own_windows, past_decision
from afterword.pipeline.operations.experiments.recollection import (
    MemoryRules,
    Recollection,
    recollect,
)
from afterword.pipeline.operations.experiments.sham import sham_of
from afterword.pipeline.rules.evidence.gated import ArmDecision, keyed_pairs
from afterword.pipeline.rules.evidence.paired import PairedVerdict, paired_verdict
from afterword.pipeline.rules.market.exact import PPB
from afterword.pipeline.rules.market.outcome import Stance, judged

ARMS: Final[tuple[Arm, ...]] = get_args(Arm)
"""In the order in which they are asked about each decision."""

PRIMARY: Final[tuple[Arm, Arm]] = ("memory", "sham")
PRIMARY_FIGURE: Final = (
    "Hits above the base rate an answer (one inside the noise band counts 0): with memory minus "
    "with sham memory, of decisions after the model's stated knowledge; samples are averaged, one "
    "difference for each stretch, and stretches do not overlap."
)
"""The figure of the verdict, fixed before anything is asked; every other one is only told."""

BESIDE: Final[tuple[tuple[Arm, Arm], ...]] = (("memory", "none"), ("sham", "none"))

MOST_ASKED: Final = 2_000
"""Decisions of one experiment."""

MOST_SAMPLES: Final = 20

UNMEASURED: Final = "no price measured it"
OVERLAPS: Final = "inside a stretch that counts already"
NOT_FROZEN: Final = "nothing is kept of what its maker saw"
NO_MEMORY: Final = "memory told nothing of it then"
NO_SHAM: Final = "no sham of equal form then"


@dataclass(frozen=True, slots=True)
class ArmsSettings:
    """All that decides what is asked; equal settings ask equal questions in equal order.

    Args:
        role_id: only decisions of this role.
        limit: decisions to ask about, 1 to 2,000; the last bar is asked whole.
        samples: times that each question is asked, 1 to 20.
        seed: of the lessons that sham memory draws.
        known_until: until when the model may know the world; None if nobody says.
        rules: how much memory tells.
    """

    role_id: str | None = None
    limit: int = 50
    samples: int = 1
    seed: int = 1
    known_until: datetime | None = None
    rules: MemoryRules = MemoryRules()  # noqa: RUF009  # frozen


@dataclass(frozen=True, slots=True)
class ArmCase:
    """A decision that all arms are asked about.

    Args:
        outcome: what its answers are judged by.
        memory, sham: what the arms of these names are told.
        counts: whether it is after the model's stated knowledge.
    """

    past: PastDecision
    outcome: MeasuredOutcome
    memory: Recollection
    sham: Recollection
    counts: bool

    @property
    def uid(self) -> str:
        """Its decision's."""
        return self.past.decision.uid

    def told(self, arm: Arm) -> str:
        """Return the block of memory of an arm."""
        blocks = {"none": Recollection(), "memory": self.memory, "sham": self.sham}
        return blocks[arm].text


@dataclass(frozen=True, slots=True)
class ArmResult:
    """An answer, and what it was worth.

    Args:
        counts: whether its decision is after the model's stated knowledge.
        original: the direction of the decision itself.
        is_hit: whether the answer was right; None inside the noise band, or without an answer.
        base: chance of a right call of its direction without skill; None without an answer.
        earned: result net of costs in units of the market's deviation over the window; 0 for
            neutral, None without an answer.
        is_changed: whether its direction differs from that of the same sample without memory; None
            where one of the two is missing.
    """

    asset: str
    decided_at: datetime
    counts: bool
    original: Stance
    answer: ArmAnswer
    is_hit: bool | None
    base: float | None
    earned: float | None
    is_changed: bool | None


@dataclass(frozen=True, slots=True)
class ArmTotals:
    """The answers of one arm.

    Args:
        answers: usable ones; `failed` the others; counts.
        voted: of these, beyond the noise band; count.
        hits: of these, right; count.
        expected: hits without skill: the sum of the base rates of those that voted.
        earned: mean result net of costs, in deviations; None without an answer.
        changed: share of answers with another direction than without memory; None without one.
        chars: mean characters of a question; None without one.
        cost_micro_usd: what was paid now; nothing for what a cassette had.
    """

    arm: Arm
    answers: int
    failed: int
    voted: int
    hits: int
    expected: float
    earned: float | None
    changed: float | None
    chars: float | None
    input_tokens: int
    output_tokens: int
    cost_micro_usd: int


@dataclass(frozen=True, slots=True)
class ArmsReport:
    """Whether memory helps a model, and what it took to say so.

    Args:
        store: name of the group or replay.
        primary: the figure of the verdict.
        decisions: asked ones; `counted` of these are after the model's stated knowledge; counts.
        verdict: of the primary figure.
        beside: the same of other pairs of arms, by their names; they decide nothing.
        arms: totals over what counts; `apart` over what does not.
        left_out: decisions that were not asked, by reason; counts.
        left: questions without an answer since the asking stopped; count.
        stopped: why not; empty if all were.
        reopens_at: when the rest can be asked.
    """

    store: str
    model: str
    settings: ArmsSettings
    primary: str
    decisions: int
    counted: int
    verdict: PairedVerdict
    beside: Mapping[str, PairedVerdict]
    arms: tuple[ArmTotals, ...]
    apart: tuple[ArmTotals, ...]
    results: tuple[ArmResult, ...]
    left_out: Mapping[str, int]
    left: int
    stopped: str
    reopens_at: datetime | None


def ask_arms(
    store: Store,
    llm: Llm,
    settings: ArmsSettings,
    report: Callable[[int, int], None] = lambda _done, _all: None,
) -> tuple[ArmsReport, StopError | None]:
    """Ask all arms about past decisions, and return the verdict, and why the asking stopped early.

    Args:
        store: a group, or a replay; it is only read.
        llm: spends the category `experiment`.
        report: called with the questions asked so far, and all.

    Raises:
        InvalidInputError: a limit out of range, or a moment that was purged.
    """
    check_limit(settings.limit, MOST_ASKED)
    check_limit(settings.samples, MOST_SAMPLES)
    with reading(store) as conn:
        cases, left_out = chosen_cases(conn, settings)
    questions = [
        ArmQuestion(one.past, arm, sample, one.told(arm))
        for one in cases
        for sample in range(1, settings.samples + 1)
        for arm in ARMS
    ]
    asked = len(questions)
    answers, stop = ask_each(llm, store.address, questions, lambda done: report(done, asked))
    results = _results(cases, answers)
    counted = [one for one in results if one.counts]
    found = ArmsReport(
        store=store.name,
        model=llm.model,
        settings=settings,
        primary=PRIMARY_FIGURE,
        decisions=len(cases),
        counted=sum(one.counts for one in cases),
        verdict=_verdict(cases, counted, *PRIMARY),
        beside={f"{a} - {b}": _verdict(cases, counted, a, b) for a, b in BESIDE},
        arms=tuple(_totals(counted)),
        apart=tuple(_totals([one for one in results if not one.counts])),
        results=tuple(results),
        left_out=left_out,
        left=len(questions) - len(answers),
        stopped="" if stop is None else str(stop),
        reopens_at=getattr(stop, "reopens_at", None),
    )
    return found, stop


def note_arms(store: Store, report: ArmsReport, now: datetime) -> None:
    """Write one line into the audit log: a person sent these decisions to a model.

    It is called after the verdict was shown: the answers were paid.
    """
    if not report.results:
        return
    detail = {
        "model": report.model,
        "decisions": report.decisions,
        "answers": len(report.results),
        "cost_micro_usd": sum(one.answer.cost_micro_usd for one in report.results),
    }
    with writing(store) as conn:
        first = find_decision(conn, report.results[0].answer.uid).id
        line = ChangedRow(first, detail=detail)
        record(conn, now, "owner", "replay.ablate", "role_memory", [line])


def chosen_cases(
    conn: Connection, settings: ArmsSettings
) -> tuple[list[ArmCase], Mapping[str, int]]:
    """Return the decisions to ask about, those that count first, and why others are left out."""
    left_out: Counter[str] = Counter()
    found: list[ArmCase] = []
    windows = own_windows(conn)
    ids = past_rows.measured(conn, settings.role_id, windows)
    for counts in (True, False):
        for case in _apart_in_time(conn, ids, windows, settings, left_out, counts=counts):
            is_full = len(found) >= settings.limit
            if is_full and case.outcome.entry_at != found[-1].outcome.entry_at:
                return found, left_out
            found.append(case)
    return found, left_out


def is_hit(outcome: MeasuredOutcome, direction: Stance) -> bool | None:
    """Return whether a direction was right over a stored window; None inside the noise band."""
    assert outcome.typical_ppb is not None  # those without are left out
    word = judged(direction, outcome.move_ppb, outcome.band_ppb, outcome.typical_ppb)
    return None if word == "noise" else word == "right"


def base_of(outcome: MeasuredOutcome, direction: Stance) -> float:
    """Return the chance of a right call of a direction without skill, as known at the entry."""
    if outcome.base_ppb is None:
        return 0.5
    base = outcome.base_ppb / PPB
    if direction == outcome.direction:
        return base
    return 0.5 if "neutral" in (direction, outcome.direction) else 1 - base


def earned(outcome: MeasuredOutcome, direction: Stance) -> float:
    """Return what a direction earned net of costs, in deviations of the market over the window."""
    if direction == "neutral" or not outcome.sigma_ppb:
        return 0.0
    move = outcome.move_ppb if direction == "long" else -outcome.move_ppb
    return (move - outcome.costs_ppb) / outcome.sigma_ppb


def _apart_in_time(
    conn: Connection,
    ids: Sequence[int],
    windows: Mapping[str, int],
    settings: ArmsSettings,
    left_out: Counter[str],
    *,
    counts: bool,
) -> Iterator[ArmCase]:
    """Yield the decisions on bars that open a stretch, in their order."""
    bar, ends = -1, -1
    for row_id in ids:
        decision = find_decision(conn, row_id)
        until = settings.known_until
        if (until is not None and decision.decided_at > until) != counts:
            continue
        past = past_decision(conn, decision, windows)
        outcome = past.outcome
        if outcome is None or outcome.typical_ppb is None:
            left_out[UNMEASURED] += 1
            continue
        if outcome.entry_at != bar and outcome.entry_at < ends:
            left_out[OVERLAPS] += 1
            continue
        case = _case(conn, past, outcome, settings, counts=counts)
        if isinstance(case, str):
            left_out[case] += 1
            continue
        bar, ends = outcome.entry_at, max(ends, outcome.exit_at)
        yield case


def _case(
    conn: Connection,
    past: PastDecision,
    outcome: MeasuredOutcome,
    settings: ArmsSettings,
    *,
    counts: bool,
) -> ArmCase | str:
    """Return a decision with what the arms are told; or why there is nothing to compare."""
    if not past.is_frozen:
        return NOT_FROZEN
    as_of = past.decision.decided_at
    memory = recollect(conn, past, settings.rules, as_of)
    if memory.is_empty:
        return NO_MEMORY
    sham = sham_of(conn, past, memory, settings.rules, as_of, settings.seed)
    return NO_SHAM if sham is None else ArmCase(past, outcome, memory, sham, counts)


def _results(cases: Iterable[ArmCase], answers: Sequence[ArmAnswer]) -> list[ArmResult]:
    by_uid = {one.uid: one for one in cases}
    without = {(one.uid, one.sample): one.direction for one in answers if one.arm == "none"}
    return [_result(by_uid[one.uid], one, without.get((one.uid, one.sample))) for one in answers]


def _result(case: ArmCase, answer: ArmAnswer, without: Stance | None) -> ArmResult:
    said, outcome = answer.direction, case.outcome
    has_both = answer.arm != "none" and said is not None and without is not None
    return ArmResult(
        asset=outcome.asset_key,
        decided_at=case.past.decision.decided_at,
        counts=case.counts,
        original=case.past.decision.direction,
        answer=answer,
        is_hit=None if said is None else is_hit(outcome, said),
        base=None if said is None else base_of(outcome, said),
        earned=None if said is None else earned(outcome, said),
        is_changed=said != without if has_both else None,
    )


def _verdict(
    cases: Sequence[ArmCase], results: Sequence[ArmResult], first: Arm, second: Arm
) -> PairedVerdict:
    outcomes = {one.uid: one.outcome for one in cases}
    of: defaultdict[Arm, list[ArmDecision]] = defaultdict(list)
    for one in results:
        answer = one.answer
        if one.base is not None:
            entry_at, exit_at = outcomes[answer.uid].entry_at, outcomes[answer.uid].exit_at
            of[answer.arm].append(
                ArmDecision(
                    answer.uid,
                    answer.sample,
                    entry_at,
                    exit_at,
                    one.asset,
                    one.is_hit,
                    one.base,
                )
            )
    return paired_verdict(keyed_pairs(of[first], of[second]))


def _totals(results: Sequence[ArmResult]) -> Iterator[ArmTotals]:
    for arm in ARMS:
        own = [one for one in results if one.answer.arm == arm]
        usable = [one for one in own if one.base is not None]
        voted = [one for one in usable if one.is_hit is not None]
        yield ArmTotals(
            arm=arm,
            answers=len(usable),
            failed=len(own) - len(usable),
            voted=len(voted),
            hits=sum(bool(one.is_hit) for one in voted),
            expected=fsum(one.base for one in voted if one.base is not None),
            earned=_mean([one.earned for one in usable if one.earned is not None]),
            changed=_mean([float(one.is_changed) for one in usable if one.is_changed is not None]),
            chars=_mean([float(one.answer.chars) for one in own]),
            input_tokens=sum(one.answer.input_tokens for one in own),
            output_tokens=sum(one.answer.output_tokens for one in own),
            cost_micro_usd=sum(one.answer.cost_micro_usd for one in own),
        )


def _mean(numbers: Sequence[float]) -> float | None:
    return fsum(numbers) / len(numbers) if numbers else None
