"""The steps of a pass, in their order; each takes the pass and returns it with its own results.

    ripe → measure → settle_free → look_back → build_case → classify → keep_verdict → draft → finish

No transaction is open while a judge or a probe is asked. A write changes a decision only if
it is still as it was read, so each decision is judged once, however many passes run at once.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions import settle
from afterword.pipeline.domain.decisions.model import Decision, DecisionVerdict
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.reflection.case import (
    Case,
    JudgedCase,
    with_contexts,
    with_evidence,
    with_lessons,
)
from afterword.pipeline.domain.reflection.material import evidence_of
from afterword.pipeline.domain.reflection.measure import Measurement, measure_decisions
from afterword.pipeline.domain.reflection.model import Pass, Reflector
from afterword.pipeline.domain.reflection.rule_class import class_by_rule
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.errors import UnavailableError

MAX_JUDGED: Final = 20
"""Most decisions of one pass that go to a judge; so many answers fit into the job's deadline."""

_HOUR: Final = timedelta(hours=1)

LONGEST_PROBING: Final = timedelta(minutes=2)
"""How long one pass begins new questions to post-hoc sources."""


def ripe(of: Reflector, run: Pass) -> Pass:
    """Find the decisions that are due, the oldest first; end those that waited too long."""
    overdue, decisions = _due(of, run)
    if overdue:
        with of.settling() as (conn, now):
            skipped = settle.skip(conn, overdue, "too old", now)
        _, decisions = _due(of, run)
        run = replace(run, tally=run.tally + skipped)
    return replace(
        run, decisions=tuple(decision for decision in decisions if decision.id not in run.seen)
    )


def measure(of: Reflector, run: Pass) -> Pass:
    """Measure the outcome of each decision of the pass."""
    probes = of.registry.probes
    measured = measure_decisions(
        of.store, run.role, run.decisions, probes, of.prices, run.now, of.measurers_of
    )
    return replace(run, measured=tuple(measured))


def settle_free(of: Reflector, run: Pass) -> Pass:
    """Write all outcomes; right and noise end a decision, unknown parks it."""
    wrong = tuple(measured for measured in run.measured if measured.needs_judge)
    tally = run.tally
    if run.measured:
        tally += of.effects.settle_free(of.settling, run.measured)
    of.on_settled(run.role.id, tally)
    to_judge = wrong[:MAX_JUDGED] if of.judge.at_once else wrong
    is_full = len(run.decisions) == run.limit or len(to_judge) < len(wrong)
    return replace(run, to_judge=to_judge, tally=tally, is_full=is_full)


def look_back(of: Reflector, run: Pass) -> Pass:
    """Read how decisions like those to be judged had turned out when each of them was made."""
    if not run.to_judge:
        return run
    with reading(of.store) as conn:
        to_judge = tuple(_with_stored(conn, run.role, measurement) for measurement in run.to_judge)
        standings = of.standings(conn, run.role, to_judge)
    return replace(run, to_judge=to_judge, standings=standings)


def build_case(of: Reflector, run: Pass) -> Pass:
    """Collect what the judge sees: contexts, evidence and, if it is a model, earlier lessons.

    Sources are asked one case after the other until their time is over; the cases that are left
    go into another pass.

    Raises:
        UnavailableError: a source failed, and the judge is a model: no answer without its evidence
            is paid for.
    """
    cases = [_case(run, measured) for measured in run.to_judge]
    probes = run.role.reflection_policy.post_hoc_probes
    if probes or of.judge.at_once:
        with reading(of.store) as conn:
            cases = with_contexts(conn, cases)
            if of.judge.at_once:
                cases = [with_lessons(conn, case) for case in cases]
    if not probes:
        return replace(run, cases=tuple(cases))
    built: list[Case] = []
    until = of.clock() + LONGEST_PROBING
    for case in cases:
        if built and of.clock() > until:
            break
        built.append(_with_evidence(of, case))
    return replace(run, cases=tuple(built), is_full=run.is_full or len(built) < len(cases))


def classify(of: Reflector, run: Pass) -> Pass:
    """Ask the judge why each decision was wrong, unless its verdict is stored already."""
    return replace(run, judged=tuple(_judged(of, case) for case in run.cases))


def keep_verdict(of: Reflector, run: Pass) -> Pass:
    """Write the verdicts, so that after a later crash the judge is not paid for them again."""
    judged, tally = of.effects.keep_verdicts(of.settling, run.judged)
    return replace(run, judged=tuple(judged), tally=run.tally + tally)


def draft(of: Reflector, run: Pass) -> Pass:
    """Ask the judge for the lesson of each trainable verdict."""
    if not run.judged:
        return run
    wanted = {judged.decision.id for judged in of.effects.to_draft(of.store, run.judged)}
    judged = [_drafted(of, case) if case.decision.id in wanted else case for case in run.judged]
    return replace(run, judged=tuple(judged))


def finish(of: Reflector, run: Pass) -> Pass:
    """Write the lessons, and end their decisions."""
    if not run.judged:
        return run
    return replace(run, tally=run.tally + of.effects.finish(of.settling, run.judged))


def _due(of: Reflector, run: Pass) -> tuple[list[int], list[Decision]]:
    with reading(of.store) as conn:
        overdue = [] if run.seen else of.effects.overdue(conn, run.role, run.now)
        return overdue, of.effects.ripe(conn, run.role, run.now, run.limit)


def _case(run: Pass, measured: Measurement) -> Case:
    decision = measured.decision
    standing = run.standings.get(decision.id)
    return Case(decision, run.role, measured.numbers, measured.measured, standing)


def _with_stored(conn: Connection, role: Role, measured: Measurement) -> Measurement:
    """Return a measurement with its stored outcome, where an earlier pass measured it."""
    if measured.decision.verdict is None:
        return measured
    outcomes = outcome_rows.of_subject(conn, "decision", measured.decision.id)
    hours = role.reflection_policy.window // _HOUR
    return replace(
        measured,
        measured=next((outcome for outcome in outcomes if outcome.window_hours == hours), None),
    )


def _with_evidence(of: Reflector, case: Case) -> Case:
    if case.decision.verdict is not None and not of.judge.at_once:
        return case  # the free judge drafts from numbers only
    with reading(of.store) as conn:
        seen = with_evidence(case, of.registry.post_hoc, of.prices(conn))
    if seen.failed and of.judge.at_once:
        problems = "; ".join(f"{failure.source}: {failure.problem}" for failure in seen.failed)
        problem = f"a post-hoc source of {case.role.id} failed ({problems})"
        raise UnavailableError(f"{problem}; it is asked again later")
    return seen


def _judged(of: Reflector, case: Case) -> JudgedCase:
    if case.decision.verdict is not None:
        return JudgedCase(case, case.decision.verdict)
    opinion = of.judge.classify(case, of.store.address)
    evidence = evidence_of(case, opinion, of.judge.name)
    verdict = DecisionVerdict(
        "wrong",
        case.measured,
        opinion.classification,
        opinion.narrative,
        of.judge.name,
        class_by_rule(case),
        evidence.hash,
    )
    return JudgedCase(case, verdict, evidence)


def _drafted(of: Reflector, judged: JudgedCase) -> JudgedCase:
    lesson = of.judge.draft(judged.case, judged.verdict, of.store.address)
    return replace(judged, lesson=lesson, lesson_by=of.judge.name)
