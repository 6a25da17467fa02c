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

MAX_ASKED: Final = 20
"""Most decisions of one pass that go to a judge; so many answers fit into the job's deadline."""

_HOUR: Final = timedelta(hours=1)

LONGEST_PROBING: Final = timedelta(minutes=2)
"""How long one pass begins new questions to post-hoc sources."""


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
    measured = measure_decisions(
        of.store, one.role, one.decisions, probes, of.prices, one.now, of.measurers_of
    )
    return replace(one, measured=tuple(measured))


def settle_free(of: Reflector, one: Pass) -> Pass:
    """Write all outcomes; right and noise end a decision, unknown parks it."""
    wrong = tuple(measured for measured in one.measured if measured.needs_judge)
    tally = one.tally
    if one.measured:
        tally += of.effects.settle_free(of.settling, one.measured)
    of.on_settled(one.role.id, tally)
    to_judge = wrong[:MAX_ASKED] if of.judge.at_once else wrong
    is_full = len(one.decisions) == one.limit or len(to_judge) < len(wrong)
    return replace(one, to_judge=to_judge, tally=tally, is_full=is_full)


def look_back(of: Reflector, one: Pass) -> Pass:
    """Read how decisions like those to be judged had turned out when each of them was made."""
    if not one.to_judge:
        return one
    with reading(of.store) as conn:
        to_judge = tuple(_with_stored(conn, one.role, it) for it in one.to_judge)
        standings = of.standings(conn, one.role, to_judge)
    return replace(one, to_judge=to_judge, standings=standings)


def build_case(of: Reflector, one: Pass) -> Pass:
    """Collect what the judge sees: contexts, evidence and, if it is a model, earlier lessons.

    Sources are asked one case after the other until their time is over; the cases that are left
    go into another pass.

    Raises:
        UnavailableError: a source failed, and the judge is a model: no answer without its evidence
            is paid for.
    """
    cases = [_case(one, measured) for measured in one.to_judge]
    probes = one.role.reflection_policy.post_hoc_probes
    if probes or of.judge.at_once:
        with reading(of.store) as conn:
            cases = with_contexts(conn, cases)
            if of.judge.at_once:
                cases = [with_lessons(conn, case) for case in cases]
    if not probes:
        return replace(one, cases=tuple(cases))
    asked: list[Case] = []
    until = of.clock() + LONGEST_PROBING
    for case in cases:
        if asked and of.clock() > until:
            break
        asked.append(_with_evidence(of, case))
    return replace(one, cases=tuple(asked), is_full=one.is_full or len(asked) < len(cases))


def classify(of: Reflector, one: Pass) -> Pass:
    """Ask the judge why each decision was wrong, unless its verdict is stored already."""
    return replace(one, judged=tuple(_judged(of, case) for case in one.cases))


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


def _case(one: Pass, measured: Measurement) -> Case:
    decision = measured.decision
    standing = one.standings.get(decision.id)
    return Case(decision, one.role, measured.numbers, measured.measured, standing)


def _with_stored(conn: Connection, role: Role, measured: Measurement) -> Measurement:
    """Return a measurement with its stored outcome, where an earlier pass measured it."""
    if measured.decision.verdict is None:
        return measured
    found = outcome_rows.of_subject(conn, "decision", measured.decision.id)
    hours = role.reflection_policy.window // _HOUR
    return replace(measured, measured=next((it for it in found if it.window_hours == hours), None))


def _with_evidence(of: Reflector, case: Case) -> Case:
    if case.decision.verdict is not None and not of.judge.at_once:
        return case  # the free judge drafts from numbers only
    with reading(of.store) as conn:
        found = with_evidence(case, of.registry.post_hoc, of.prices(conn))
    if found.failed and of.judge.at_once:
        problems = "; ".join(f"{one.source}: {one.problem}" for one in found.failed)
        problem = f"a post-hoc source of {case.role.id} failed ({problems})"
        raise UnavailableError(f"{problem}; it is asked again later")
    return found


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


def _drafted(of: Reflector, one: JudgedCase) -> JudgedCase:
    lesson = of.judge.draft(one.case, one.verdict, of.store.address)
    return replace(one, lesson=lesson, lesson_by=of.judge.name)
