"""The two questions about decisions that went wrong: why, and then what to learn from it.

What is answered to the first is kept before the second is asked, so a crash between the two pays
for neither twice. In the shadow the same is asked, and only written down.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.decisions import settle, settle_rows
from afterword.pipeline.domain.decisions.model import DecisionVerdict, Tally, tally_all
from afterword.pipeline.domain.decisions.settle import EndedDecision, ParkedDecision, Told, settling
from afterword.pipeline.domain.outcomes.evidence import PostHoc
from afterword.pipeline.domain.reflection.case import Case, with_evidence, with_lessons
from afterword.pipeline.domain.reflection.judge import CLASSIFY, DRAFT, DecisionJudge
from afterword.pipeline.domain.reflection.measure import LOOK_AGAIN, Prices
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.gateway.llm import UnusableAnswerError
from afterword.pipeline.gateway.switches import Mode

MOST_TRIES: Final = 3
"""Answers to one question that could not be used before its decision is parked."""

FIRST_PAUSE: Final = timedelta(minutes=1)
LONGEST_PAUSE: Final = timedelta(hours=1)
"""How soon a question that failed is asked again: doubling from the first to the longest."""

LONGEST_PASS: Final = timedelta(minutes=8)
"""How long one pass begins new questions: two answers of six minutes more end within the job's
deadline."""

Judged = tuple[Case, DecisionVerdict]


@dataclass(frozen=True, slots=True)
class JudgingRound:
    """Asks about the cases of one pass.

    Args:
        in_shadow: whether nothing of what is said counts.
        draft: how lessons may be drafted.
        leases: the job it runs as; once that runs elsewhere, nothing it writes is kept.
        told: told what became of decisions of a role, once it is written; by any thread.
    """

    store: Store
    judge: DecisionJudge
    post_hoc: PostHoc
    prices: Prices
    clock: Clock
    in_shadow: bool
    draft: Mode
    leases: Leases | None
    told: Told

    def ask(self, cases: Sequence[Case]) -> tuple[Tally, int]:
        """Ask about cases of one role: all of them at once where it is free, else side by side.

        Returns:
            What became of them, and how many there was no time for.

        Raises:
            PostponedError: nothing may be asked for now; what was settled before stays.
            LeaseLostError: the job runs elsewhere by now.
        """
        if not cases:
            return Tally(), 0
        if not self.judge.at_once:
            done = self._reflect(cases)
            self.told(cases[0].role.id, done)
            return done, 0
        begun, stop, until = threading.Event(), threading.Event(), self.clock() + LONGEST_PASS
        # A thread that works before the pool knows it would not be waited for after an interrupt.
        with ThreadPoolExecutor(
            min(self.judge.at_once, len(cases)), initializer=begun.wait
        ) as pool:
            try:
                futures = [pool.submit(self._ask_one, case, stop, until) for case in cases]
                begun.set()
                wait(futures)
            except BaseException:
                stop.set()  # whoever interrupts does not want to pay for the rest
                begun.set()
                raise
        found = [future.result() for future in futures]
        asked = [one for one in found if one is not None]
        return tally_all(asked), len(found) - len(asked)

    def _ask_one(self, case: Case, stop: threading.Event, until: datetime) -> Tally | None:
        if stop.is_set() or self.clock() > until:
            return None
        try:
            try:
                done = self._reflect([self._with_evidence(case)])
            except (UnavailableError, InvalidInputError) as error:
                done = self._failed(case, error)
        except BaseException:
            stop.set()  # nothing may be asked, or nothing be written: the others would fail as well
            raise
        self.told(case.role.id, done)
        return done

    def _reflect(self, cases: Sequence[Case]) -> Tally:
        """Classify, keep that, and only then draft lessons."""
        judged = [(case, case.decision.verdict or self._classify(case)) for case in cases]
        if self.in_shadow:
            return self._shadow(judged)
        with settling(self.store, self.clock, self.leases) as (conn, now):
            fresh = [(case.decision, said) for case, said in judged if not case.decision.verdict]
            kept = settle.keep_verdicts(conn, fresh, now)
            judged = [
                (case, said)
                for case, said in judged
                if case.decision.verdict or case.decision.id in kept
            ]
            ended = [
                EndedDecision(case.decision, said) for case, said in judged if not said.is_trainable
            ]
            tally = settle.end(conn, ended, now)
        emit("role.classified", decisions=len(kept))
        return tally + self._teach([one for one in judged if one[1].is_trainable])

    def _teach(self, judged: Sequence[Judged]) -> Tally:
        if not judged:
            return Tally()
        if not self.draft.has_effect:
            return self._hold_lessons(judged)
        ended = [
            EndedDecision(case.decision, said, self._draft(case, said), self.judge.name)
            for case, said in judged
        ]
        with settling(self.store, self.clock, self.leases) as (conn, now):
            return settle.end(conn, ended, now)

    def _hold_lessons(self, judged: Sequence[Judged]) -> Tally:
        """Let decisions wait for their lesson while lessons are off, or in the shadow."""
        drafted = self._drafted_in_shadow(judged) if self.draft.is_enabled else []
        mode = self.draft.value
        with settling(self.store, self.clock, self.leases) as (conn, now):
            settle_rows.shadow(conn, DRAFT, drafted, to_micros(now))
            retry_at, why = now + LOOK_AGAIN, f"afterword switch set {DRAFT} on"
            parked = [
                ParkedDecision(case.decision, f"lessons are {mode}", why, retry_at)
                for case, _ in judged
            ]
            return settle.park(conn, parked, now) + Tally(shadowed=len(drafted))

    def _shadow(self, judged: Sequence[Judged]) -> Tally:
        """Write down what would be said, and change nothing."""
        drafted = []
        if self.draft.is_enabled:
            drafted = self._drafted_in_shadow([one for one in judged if one[1].is_trainable])
        said = [
            (case.decision.id, said.by, said.classification, said.narrative)
            for case, said in judged
        ]
        with settling(self.store, self.clock, self.leases) as (conn, now):
            settle_rows.shadow(conn, CLASSIFY, said, to_micros(now))
            settle_rows.shadow(conn, DRAFT, drafted, to_micros(now))
        return Tally(shadowed=len(said))

    def _drafted_in_shadow(self, judged: Sequence[Judged]) -> list[tuple[int, str, None, str]]:
        """Draft those lessons that were not drafted in the shadow before."""
        with reading(self.store) as conn:
            before = settle_rows.shadowed(conn, DRAFT, [case.decision.id for case, _ in judged])
        return [
            (case.decision.id, self.judge.name, None, self._draft(case, said))
            for case, said in judged
            if case.decision.id not in before
        ]

    def _with_evidence(self, case: Case) -> Case:
        with reading(self.store) as conn:
            case = with_lessons(conn, case)
            try:
                return with_evidence(case, self.post_hoc, self.prices(conn))
            except Exception as error:  # not ours: whatever it does, the others are asked about
                problem = f"a post-hoc source of {case.role.id} failed ({type(error).__name__})"
                raise UnavailableError(f"{problem}; it is asked again later") from error

    def _classify(self, case: Case) -> DecisionVerdict:
        said = self.judge.classify(case, self.store.name)
        return DecisionVerdict(
            "wrong", case.measured, said.classification, said.narrative, self.judge.name
        )

    def _draft(self, case: Case, verdict: DecisionVerdict) -> str:
        return self.judge.draft(case, verdict, self.store.name)

    def _failed(self, case: Case, error: Exception) -> Tally:
        """Park what will never be answered, and let the rest be asked about again later."""
        one = case.decision
        if self.in_shadow:
            return self._failed_in_shadow(case, error)
        with settling(self.store, self.clock, self.leases) as (conn, now):
            if isinstance(error, InvalidInputError):
                parked = ParkedDecision(one, "not answered", str(error), None)
                return settle.park(conn, [parked], now) + Tally(failed=1)
            tries = settle_rows.tries(conn, one.id) + 1
            if isinstance(error, UnusableAnswerError) and tries >= MOST_TRIES:
                parked = ParkedDecision(one, "unusable answers", str(error), now + LOOK_AGAIN)
                return settle.park(conn, [parked], now) + Tally(failed=1)
            retry_at = now + _pause(tries, getattr(error, "retry_after_s", None))
            return settle.set_back(conn, one, retry_at)

    def _failed_in_shadow(self, case: Case, error: Exception) -> Tally:
        """Write down an answer that is none; where nobody answered, the pass ends."""
        if not isinstance(error, InvalidInputError | UnusableAnswerError):
            raise error
        with settling(self.store, self.clock, self.leases) as (conn, now):
            said = (case.decision.id, self.judge.name, None, f"no answer: {error}")
            settle_rows.shadow(conn, CLASSIFY, [said], to_micros(now))
        return Tally(failed=1, shadowed=1)


def _pause(tries: int, asked_s: float | None) -> timedelta:
    pause: timedelta = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(tries - 1, 10))
    return max(pause, timedelta(seconds=asked_s or 0.0))
