"""Does memory help a model: the same past decisions asked with none, with memory, and with sham.

Memory is what could be told at the moment of the decision; sham is as much of equal form and no use
(`sham`). Each arm answers the same questions in a fixed order, and each answer is judged by the
outcome that is stored of its decision: the move over its window, its band, and its base rate.

- *Asked is what can count.* Stretches must not overlap, so a decision inside an open one would be
  paid for and tell nothing. They are taken in the order of time: a larger `limit` goes on where a
  smaller one ended, and with a cassette it pays only for what is new.
- *Only decisions after the model's stated knowledge count.* Earlier ones it may remember; they are
  asked with what the limit leaves, and told apart. If nobody says what it knew, none counts.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.decisions.read import find_decision
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.operations.experiments import past_rows
from afterword.pipeline.operations.experiments.arm_results import (
    ArmCase,
    ArmResult,
    ArmTotals,
    results_of,
    totals_of,
    verdict_between,
)
from afterword.pipeline.operations.experiments.decide import (
    ARMS,
    MOST_SAMPLES,
    Arm,
    ArmQuestion,
    StopError,
    ask_each,
)
from afterword.pipeline.operations.experiments.past import PastDecision, own_windows, past_decision
from afterword.pipeline.operations.experiments.recollection import MemoryRules, recollect
from afterword.pipeline.operations.experiments.sham import sham_of
from afterword.pipeline.rules.evidence.paired import PairedVerdict

PRIMARY: Final[tuple[Arm, Arm]] = ("memory", "sham")
MEMORY_FIGURE: Final = (
    "Hits above the base rate an answer (one inside the noise band counts 0): with memory minus "
    "with sham memory, of decisions after the model's stated knowledge; samples are averaged, one "
    "difference for each stretch, and stretches do not overlap."
)
"""The figure of the verdict, fixed before anything is asked; every other one is only told."""

BESIDE: Final[tuple[tuple[Arm, Arm], ...]] = (("memory", "none"), ("sham", "none"))

MOST_DECISIONS_ASKED: Final = 2_000
"""Decisions of one experiment."""

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
    check_limit(settings.limit, MOST_DECISIONS_ASKED)
    check_limit(settings.samples, MOST_SAMPLES)
    with reading(store) as conn:
        cases, left_out = chosen_cases(conn, settings)
    questions = list(_questions(cases, settings.samples))
    count = len(questions)
    answers, stop = ask_each(llm, store.address, questions, lambda done: report(done, count))
    results = results_of(cases, answers)
    counted = [result for result in results if result.counts]
    arms = ArmsReport(
        store=store.name,
        model=llm.model,
        settings=settings,
        primary=MEMORY_FIGURE,
        decisions=len(cases),
        counted=sum(case.counts for case in cases),
        verdict=verdict_between(cases, counted, *PRIMARY),
        beside={f"{a} - {b}": verdict_between(cases, counted, a, b) for a, b in BESIDE},
        arms=tuple(totals_of(counted)),
        apart=tuple(totals_of([result for result in results if not result.counts])),
        results=tuple(results),
        left_out=left_out,
        left=len(questions) - len(answers),
        stopped="" if stop is None else str(stop),
        reopens_at=getattr(stop, "reopens_at", None),
    )
    return arms, stop


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
        "cost_micro_usd": sum(result.answer.cost_micro_usd for result in report.results),
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
    cases: list[ArmCase] = []
    windows = own_windows(conn)
    ids = past_rows.measured(conn, settings.role_id, windows)
    for counts in (True, False):
        for case in _apart_in_time(conn, ids, windows, settings, left_out, counts=counts):
            is_full = len(cases) >= settings.limit
            if is_full and case.outcome.entry_at != cases[-1].outcome.entry_at:
                return cases, left_out
            cases.append(case)
    return cases, left_out


def _questions(cases: Iterable[ArmCase], samples: int) -> Iterator[ArmQuestion]:
    for case in cases:
        for sample in range(1, samples + 1):
            for arm in ARMS:
                yield ArmQuestion(case.past, arm, sample, case.told(arm))


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
