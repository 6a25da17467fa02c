"""The steps of a pass, in their order; each takes the pass and returns it with its own results.

    ripe → measure → settle_free → build_case → classify → keep_verdict → draft → finish

No transaction is open while a judge or a probe is asked. A write changes a decision only if
it is still as it was read, so each decision is judged once, however many passes run at once.
"""

from dataclasses import replace
from typing import Final

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions import settle
from afterword.pipeline.domain.decisions.model import Decision, DecisionVerdict
from afterword.pipeline.domain.reflection.case import (
    Case,
    JudgedCase,
    with_contexts,
    with_evidence,
    with_lessons,
)
from afterword.pipeline.domain.reflection.measure import measure_decisions
from afterword.pipeline.domain.reflection.model import Pass, Reflector
from afterword.pipeline.errors import UnavailableError

MAX_ASKED: Final = 20
"""Most decisions of one pass that go to a judge; so many answers fit into the job's deadline."""


def ripe(of: Reflector, one: Pass) -> Pass:
    """Find the decisions that are due, the oldest first; end those that waited too long."""
    overdue, decisions = _due(of, one)
    if overdue:
        with of.settling() as (conn, now):
            skipped = settle.skip(conn, overdue, "too old", now)
        _, decisions = _due(of, one)
        one = replace(one, tally=one.tally + skipped)
    return replace(one, decisions=tuple(it for it in decisions if it.id not in one.seen))


def measure(of: Reflector, one: Pass) -> Pass:
    """Measure the outcome of each decision of the pass."""
    probes = of.registry.probes
    measured = measure_decisions(of.store, one.role, one.decisions, probes, of.prices, one.now)
    return replace(one, measured=tuple(measured))


def settle_free(of: Reflector, one: Pass) -> Pass:
    """Write the outcomes that need no judge: right and noise end a decision, unknown parks it."""
    free = [measured for measured in one.measured if not measured.needs_judge]
    wrong = tuple(measured for measured in one.measured if measured.needs_judge)
    tally = one.tally
    if free:
        tally += of.effects.settle_free(of.settling, free)
    of.on_settled(one.role.id, tally)
    to_judge = wrong[:MAX_ASKED] if of.judge.at_once else wrong
    is_full = len(one.decisions) == one.limit or len(to_judge) < len(wrong)
    return replace(one, to_judge=to_judge, tally=tally, is_full=is_full)


def build_case(of: Reflector, one: Pass) -> Pass:
    """Collect what the judge sees; earlier lessons and evidence only if it is a model."""
    with reading(of.store) as conn:
        cases = with_contexts(conn, one.role, one.to_judge)
        if of.judge.at_once:
            prices = of.prices(conn)
            cases = [with_lessons(conn, case) for case in cases]
            try:
                cases = [with_evidence(case, of.registry.post_hoc, prices) for case in cases]
            except Exception as error:  # not our code: its failure must not stop the other cases
                problem = f"a post-hoc source of {one.role.id} failed ({type(error).__name__})"
                raise UnavailableError(f"{problem}; it is asked again later") from error
    return replace(one, cases=tuple(cases))


def classify(of: Reflector, one: Pass) -> Pass:
    """Ask the judge why each decision was wrong, unless its verdict is stored already."""
    judged = [JudgedCase(case, case.decision.verdict or _verdict(of, case)) for case in one.cases]
    return replace(one, judged=tuple(judged))


def keep_verdict(of: Reflector, one: Pass) -> Pass:
    """Write the verdicts, so that after a later crash the judge is not paid for them again."""
    judged, tally = of.effects.keep_verdicts(of.settling, one.judged)
    return replace(one, judged=tuple(judged), tally=one.tally + tally)


def draft(of: Reflector, one: Pass) -> Pass:
    """Ask the judge for the lesson of each trainable verdict."""
    if not one.judged:
        return one
    wanted = {judged.decision.id for judged in of.effects.to_draft(of.store, one.judged)}
    judged = [_drafted(of, it) if it.decision.id in wanted else it for it in one.judged]
    return replace(one, judged=tuple(judged))


def finish(of: Reflector, one: Pass) -> Pass:
    """Write the lessons, and end their decisions."""
    if not one.judged:
        return one
    return replace(one, tally=one.tally + of.effects.finish(of.settling, one.judged))


def _due(of: Reflector, one: Pass) -> tuple[list[int], list[Decision]]:
    with reading(of.store) as conn:
        overdue = [] if one.seen else of.effects.overdue(conn, one.role, one.now)
        return overdue, of.effects.ripe(conn, one.role, one.now, one.limit)


def _verdict(of: Reflector, case: Case) -> DecisionVerdict:
    opinion = of.judge.classify(case, of.store.name)
    said = opinion.classification, opinion.narrative
    return DecisionVerdict("wrong", case.measured, *said, of.judge.name)


def _drafted(of: Reflector, one: JudgedCase) -> JudgedCase:
    lesson = of.judge.draft(one.case, one.verdict, of.store.name)
    return replace(one, lesson=lesson, lesson_by=of.judge.name)
