"""Check the methodologies of a group, and put those back into quarantine that fail R1's rule."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.audit.rows import latest
from afterword.pipeline.domain.cases.rows import count_cases
from afterword.pipeline.domain.methodologies.lifecycle import StateChange, apply_changes
from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.domain.methodologies.read_rows import counts
from afterword.pipeline.domain.methodologies.score_rows import standings
from afterword.pipeline.domain.methodologies.scores import MethodStanding
from afterword.pipeline.domain.synthesis.rows import last_pass
from afterword.pipeline.domain.synthesis.synthesize import INTERVAL
from afterword.pipeline.operations.doctor.fix import Tools
from afterword.pipeline.operations.doctor.model import Finding, SoundFile
from afterword.pipeline.rules.evidence.graduation import DEMOTED_BELOW, DEMOTED_USES
from afterword.pipeline.rules.evidence.rates import wilson_interval

BACKLOG: Final = timedelta(days=14)
"""How long after its outcome was due a case may wait (R5)."""


def check_methodologies(file: SoundFile) -> Iterator[Finding]:
    """Count the methodologies and cases of one group; there is no finding if it has none."""
    with reading(file.store) as conn:
        states = counts(conn, None)
        cases = count_cases(conn, to_micros(file.now() - BACKLOG))
        last, audit = last_pass(conn), latest(conn)
        failing = _failing(conn)
    if not states:
        return
    subject = f"memory of {file.name}"
    in_order = sorted((state, number) for state, is_placebo, number in states if not is_placebo)
    said = ", ".join(f"{number:,} {state}" for state, number in in_order) or "none but placebos"
    scored = "" if audit is None or audit.band is None else f"; last audit: {audit.band}"
    waiting = f"{cases.pending:,} cases pending, {cases.late:,} of them for more than 14 days"
    yield Finding(subject, "fine", f"methodologies: {said}; {waiting}{scored}")
    if last is None or file.now() - from_micros(last.finished_at) > 2 * INTERVAL:
        when = "never ran" if last is None else "did not run for more than 12 h"
        remedy = "a dispatcher and a worker run it; `afterword methodology synthesize` does it now"
        yield Finding(subject, "note", f"the synthesis of methodologies {when}", remedy)
    if failing:
        says = f"{len(failing):,} graduated methodologies are right too seldom to be shown"
        remedy = "afterword doctor --fix --only methodology_demotion --apply"
        yield Finding(subject, "wrong", says, remedy)


def fix_methodology_demotion(tools: Tools) -> tuple[int, str]:
    """Put methodologies back into quarantine whose lower bound fell below 0.40 after 20 uses (R1).

    It only ever demotes: it graduates nothing and deletes nothing.
    """
    with reading(tools.store) as conn:
        failing = _failing(conn)
    if failing and tools.apply:
        with writing(tools.store) as conn:
            changes = _failing(conn)
            apply_changes(conn, changes, _in_force(conn), tools.now)
            tools.log(conn, "methodology_demotion", "methodologies", len(changes))
    return len(failing), "puts methodologies back into quarantine that are right too seldom"


def _failing(conn: Connection) -> list[StateChange]:
    """Return the demotions that R1's rule asks for, by either gate."""
    found = []
    for one in standings(conn):
        figures = one.figures
        for gate, uses, correct in (
            ("strict", figures.effective_uses, figures.effective_correct),
            ("literal", figures.times_used, float(figures.times_correct)),
        ):
            change = _demotion(one, gate, uses, correct)  # type: ignore[arg-type]  # one of both
            found += [] if change is None else [change]
    return found


def _demotion(
    one: MethodStanding, gate: MethodGate, uses: int, correct: float
) -> StateChange | None:
    lower = wilson_interval(correct, uses)[0]
    if one.since(gate) is None or uses < DEMOTED_USES or lower >= DEMOTED_BELOW:
        return None
    numbers = {"uses": uses, "correct": round(correct, 6), "lower": round(lower, 6)}
    reason = f"right {correct:g} of {uses}: its lower bound is below {DEMOTED_BELOW:.2f}"
    return StateChange(one.id, "demoted", gate, reason, numbers, "doctor")


def _in_force(conn: Connection) -> MethodGate:
    last = last_pass(conn)
    return "literal" if last is not None and last.numbers.get("gate") == "literal" else "strict"
