"""The pass of one role: look at what is ripe, end what needs no judge, ask about the rest.

    ripe → look → (right, noise: end; unknown: park) → gather → classify → keep → draft → end

No transaction is open while anybody is asked, and every write finds a decision as it was read or
leaves it alone: however many passes run at once, each decision is judged once.
"""

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from pipeline.clock import Clock, to_micros
from pipeline.errors import InvalidInputError, UnavailableError
from pipeline.jobs.lease import LeaseLostError, Leases, still_held
from pipeline.llm import UnusableAnswerError
from pipeline.roles import settle, settle_rows, waiting_rows
from pipeline.roles.case import Case, gather, with_evidence, with_lessons
from pipeline.roles.judge import CLASSIFY, DRAFT, Judge
from pipeline.roles.look import LOOK_AGAIN, Looked, Prices, look
from pipeline.roles.model import Tally, Verdict, tally_all
from pipeline.roles.settle import Ended, Parked
from pipeline.roles.triggers import plan_next
from pipeline.skills import Role, RoleRegistry
from pipeline.store import Store, reading, writing
from pipeline.switches import Mode
from pipeline.telemetry import tell

BATCH: Final = 500
"""Decisions of one pass that asks nobody: a write holds the only writer for 20 ms."""

MAX_ASKED: Final = 20
"""Decisions of one pass that asks: the job's deadline holds as many slow answers."""

MAX_SKIPPED: Final = 2_000
"""Decisions one pass skips."""

MOST_TRIES: Final = 3
"""Answers that could not be used before their decision is parked."""

FIRST_PAUSE: Final = timedelta(minutes=1)
LONGEST_PAUSE: Final = timedelta(hours=1)
"""How soon a question that failed is asked again: doubling from the first to the longest."""

Judged = tuple[Case, Verdict]


@dataclass(frozen=True, slots=True)
class Modes:
    """How the two tasks may run; read once, at the start of a pass."""

    classify: Mode = Mode.ON
    draft: Mode = Mode.ON


@dataclass(frozen=True, slots=True)
class Passed:
    """What a pass did.

    Args:
        is_full: whether it ended at its limit: more is due now.
    """

    tally: Tally
    is_full: bool


@dataclass(frozen=True, slots=True)
class Reflector:
    """What a pass works with.

    Args:
        leases: the job it runs as; once that runs elsewhere, nothing it writes is kept.
    """

    store: Store
    registry: RoleRegistry
    judge: Judge
    prices: Prices
    clock: Clock
    modes: Modes = field(default_factory=Modes)
    leases: Leases | None = None

    def run(self, role: Role) -> Passed:
        """Make one pass over a role's ripe decisions, the oldest first.

        Raises:
            PostponedError: nothing may be asked for now; what was settled before stays.
            LeaseLostError: the job runs elsewhere by now.
        """
        if not self.modes.classify.runs:
            return Passed(Tally(), is_full=False)
        skipped = Tally() if self._in_shadow else self._skip_overdue(role)
        now, limit = self.clock(), 2 * MAX_ASKED if self.judge.at_once else BATCH
        with reading(self.store) as conn:
            waiting = waiting_rows.ripe(
                conn,
                role.id,
                to_micros(now - role.reflection_policy.min_age),
                to_micros(now),
                limit,
                CLASSIFY if self._in_shadow else None,
            )
        looked = look(self.store, role, waiting, self.registry.probes, self.prices, now)
        open_ = [one for one in looked if one.is_to_be_asked]
        asked = open_[:MAX_ASKED] if self.judge.at_once else open_
        tally = skipped + self._settle([one for one in looked if not one.is_to_be_asked])
        with reading(self.store) as conn:
            cases = gather(conn, role, [(one.decision, one.measured) for one in asked])
        tally += self._ask(cases)
        _tell(role, tally)
        is_full = len(waiting) == limit or len(asked) < len(open_)
        return Passed(tally, is_full)

    @property
    def _in_shadow(self) -> bool:
        return not self.modes.classify.counts

    def _skip_overdue(self, role: Role) -> Tally:
        oldest = to_micros(self.clock() - role.reflection_policy.max_age)
        with reading(self.store) as conn:
            ids = waiting_rows.overdue(conn, role.id, oldest, MAX_SKIPPED)
        if not ids:
            return Tally()
        with self._writing() as (conn, now):
            return Tally(skipped=settle.skip(conn, ids, "too old", now))

    def _settle(self, looked: Sequence[Looked]) -> Tally:
        """Write down what needs no judge: ends, and pauses."""
        if not looked:
            return Tally()
        verdicts = [(one, one.verdict) for one in looked]
        known = [(one.decision, verdict) for one, verdict in verdicts if verdict is not None]
        with self._writing() as (conn, now):
            if self._in_shadow:
                rows = [(one.decision.id, one.outcome.verdict, one.outcome.why) for one in looked]
                said = [(row_id, "probe", None, f"{what}: {why}") for row_id, what, why in rows]
                settle_rows.shadow(conn, CLASSIFY, said, to_micros(now))
                return Tally(shadowed=len(said))
            kept = settle.keep_verdicts(conn, known, now)
            tally = self._end(
                conn, [Ended(one, said) for one, said in known if one.id in kept], now
            )
            parked = [one.parked(now) for one, verdict in verdicts if verdict is None]
            return tally + self._park(conn, parked, now)

    def _ask(self, cases: Sequence[Case]) -> Tally:
        """Ask about cases: all of them at once where it is free, else some side by side."""
        if not cases:
            return Tally()
        if not self.judge.at_once:
            return self._reflect(cases)
        stop = threading.Event()
        with ThreadPoolExecutor(min(self.judge.at_once, len(cases))) as pool:
            futures = [pool.submit(self._ask_one, case, stop) for case in cases]
        return tally_all([future.result() for future in futures])

    def _ask_one(self, case: Case, stop: threading.Event) -> Tally:
        if stop.is_set():
            return Tally()
        try:
            try:
                return self._reflect([self._with_evidence(case)])
            except (UnavailableError, InvalidInputError) as error:
                return self._failed(case, error)
        except BaseException:
            stop.set()  # nothing may be asked, or nothing be written: the others would fail as well
            raise

    def _reflect(self, cases: Sequence[Case]) -> Tally:
        """Classify, keep that, and only then draft lessons: a crash between pays nothing twice."""
        judged = [(case, case.decision.verdict or self._classify(case)) for case in cases]
        if self._in_shadow:
            return self._shadow(judged)
        with self._writing() as (conn, now):
            fresh = [(case.decision, said) for case, said in judged if not case.decision.verdict]
            kept = settle.keep_verdicts(conn, fresh, now)
            judged = [
                (case, said)
                for case, said in judged
                if case.decision.verdict or case.decision.id in kept
            ]
            ended = [Ended(case.decision, said) for case, said in judged if not said.is_trainable]
            tally = self._end(conn, ended, now)
        tell("role.classified", decisions=len(kept))
        return tally + self._teach([one for one in judged if one[1].is_trainable])

    def _teach(self, judged: Sequence[Judged]) -> Tally:
        if not judged:
            return Tally()
        if not self.modes.draft.counts:
            return self._hold_lessons(judged)
        ended = [
            Ended(case.decision, said, self._draft(case, said), self.judge.name)
            for case, said in judged
        ]
        with self._writing() as (conn, now):
            return self._end(conn, ended, now)

    def _hold_lessons(self, judged: Sequence[Judged]) -> Tally:
        """Let decisions wait for their lesson while lessons are off, or in the shadow."""
        drafted = []
        if self.modes.draft.runs:
            drafted = self._drafted_in_shadow(judged)
        mode = self.modes.draft.value
        with self._writing() as (conn, now):
            settle_rows.shadow(conn, DRAFT, drafted, to_micros(now))
            retry_at, why = now + LOOK_AGAIN, f"afterword switch set {DRAFT} on"
            parked = [
                Parked(case.decision, f"lessons are {mode}", why, retry_at) for case, _ in judged
            ]
            return self._park(conn, parked, now) + Tally(shadowed=len(drafted))

    def _shadow(self, judged: Sequence[Judged]) -> Tally:
        """Write down what would be said, and change nothing."""
        drafted = []
        if self.modes.draft.runs:
            drafted = self._drafted_in_shadow([one for one in judged if one[1].is_trainable])
        said = [
            (case.decision.id, said.by, said.classification, said.narrative)
            for case, said in judged
        ]
        with self._writing() as (conn, now):
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
                return with_evidence(case, self.registry.post_hoc, self.prices(conn))
            except Exception as error:  # not ours: whatever it does, the others are asked about
                problem = f"a post-hoc source of {case.role.id} failed ({type(error).__name__})"
                raise UnavailableError(f"{problem}; it is asked again later") from error

    def _classify(self, case: Case) -> Verdict:
        said = self.judge.classify(case, self.store.name)
        return Verdict("wrong", case.measured, said.classification, said.narrative, self.judge.name)

    def _draft(self, case: Case, verdict: Verdict) -> str:
        return self.judge.draft(case, verdict, self.store.name)

    def _failed(self, case: Case, error: Exception) -> Tally:
        """Park what will never be answered, and let the rest be asked about again later."""
        one, tries = case.decision, case.decision.tries + 1
        if self._in_shadow:
            return self._failed_in_shadow(case, error)
        with self._writing() as (conn, now):
            if isinstance(error, InvalidInputError):
                parked = Parked(one, "not answered", str(error), None)
                return self._park(conn, [parked], now) + Tally(failed=1)
            if isinstance(error, UnusableAnswerError) and tries >= MOST_TRIES:
                parked = Parked(one, "unusable answers", str(error), now + LOOK_AGAIN)
                return self._park(conn, [parked], now) + Tally(failed=1)
            retry_at = now + _pause(tries, getattr(error, "retry_after_s", None))
            settle.set_back(conn, one, retry_at)
            return Tally(failed=1, again_at=retry_at)

    def _failed_in_shadow(self, case: Case, error: Exception) -> Tally:
        """Write down an answer that is none; where nobody answered, the pass ends."""
        if not isinstance(error, InvalidInputError | UnusableAnswerError):
            raise error
        with self._writing() as (conn, now):
            said = (case.decision.id, self.judge.name, None, f"no answer: {error}")
            settle_rows.shadow(conn, CLASSIFY, [said], to_micros(now))
        return Tally(failed=1, shadowed=1)

    def _end(self, conn: Connection, ended: Sequence[Ended], now: datetime) -> Tally:
        done = settle.end(conn, ended, now)
        said = [one.verdict for one in ended if one.decision.id in done]
        return Tally(reflected=Counter(one.classification or one.outcome for one in said))

    def _park(self, conn: Connection, parked: Sequence[Parked], now: datetime) -> Tally:
        settle.park(conn, parked, now)
        return Tally(parked=Counter(one.reason for one in parked))

    @contextmanager
    def _writing(self) -> Iterator[tuple[Connection, datetime]]:
        with writing(self.store) as conn:
            if self.leases is not None and still_held(conn, self.leases) < len(self.leases):
                raise LeaseLostError("reflect_entries: its job runs elsewhere; nothing was written")
            yield conn, self.clock()


def reflect_entries(reflector: Reflector, leases: Leases) -> Tally:
    """Do the job `reflect_entries`: one pass over the role it names; the rest is the next one's.

    A role no skill declares any more ends the job without effect.

    Raises:
        PostponedError: nothing may be asked for now; what was settled before stays.
        LeaseLostError: the job runs elsewhere by now.
    """
    role_ids = dict.fromkeys(str(lease.payload["role"]) for lease in leases)
    roles = [role for one in role_ids if (role := reflector.registry.find(one)) is not None]
    passes = [(role, reflector.run(role)) for role in roles]
    with writing(reflector.store, finishing=leases) as conn:
        for role, done in passes:
            if not reflector.modes.classify.counts and not done.tally.shadowed:
                continue
            plan_next(
                conn,
                role,
                reflector.clock(),
                is_full=done.is_full,
                again_at=done.tally.again_at,
            )
    return tally_all([done.tally for _, done in passes])


def reflect_role(reflector: Reflector, role_id: str, *, parked: bool = False) -> Tally:
    """Reflect on all ripe decisions of a role now, pass by pass.

    Args:
        parked: also on those that are parked, or wait after a failed question.

    Raises:
        NotFoundError: no skill declares the role.
        PostponedError: nothing may be asked for now; what was settled before stays.
    """
    role = reflector.registry.role(role_id)
    if parked:
        with writing(reflector.store) as conn:
            waiting_rows.look_at_all(conn, role.id, to_micros(reflector.clock()))
    tallies: list[Tally] = []
    while True:
        done = reflector.run(role)
        tallies.append(done.tally)
        if not done.is_full or done.tally == Tally():
            return tally_all(tallies)


def _pause(tries: int, asked_s: float | None) -> timedelta:
    pause: timedelta = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(tries - 1, 10))
    return max(pause, timedelta(seconds=asked_s or 0.0))


def _tell(role: Role, tally: Tally) -> None:
    for word, decisions in tally.reflected.items():
        tell("role.reflected", role=role.id, outcome=word, decisions=decisions)
    for reason, decisions in tally.parked.items():
        tell("role.parked", role=role.id, reason=reason, decisions=decisions)
    if tally.skipped:
        tell("role.skipped_old", role=role.id, decisions=tally.skipped)
    if tally.failed:
        tell("role.unanswered", role=role.id, decisions=tally.failed)
