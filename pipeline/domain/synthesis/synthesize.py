"""One pass: bring cases up to date, weigh all methodologies, decide, ask the judge, leave a trace.

update_cases → weigh → decide_gates → settle → review → plant → heartbeat
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Finisher, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.cases.model import CaseTally
from afterword.pipeline.domain.methodologies import lifecycle_rows, score_rows
from afterword.pipeline.domain.methodologies.lifecycle import apply_changes
from afterword.pipeline.domain.methodologies.scores import changed
from afterword.pipeline.domain.synthesis import rows
from afterword.pipeline.domain.synthesis.model import (
    GateVerdict,
    PassTrigger,
    SynthesisReport,
    WeighedMethod,
)
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.plant import plant, seeds_of
from afterword.pipeline.domain.synthesis.review import review_graduates
from afterword.pipeline.errors import PostponedError, UnavailableError
from afterword.pipeline.rules.evidence.graduation import expected_false
from afterword.pipeline.rules.market.taxonomy import GROUP_OF

INTERVAL: Final = timedelta(hours=6)
"""Time between two passes of the schedule (R5)."""


def synthesize(
    by: Synthesis, trigger: PassTrigger, finishing: Finisher | None = None
) -> SynthesisReport:
    """Run one pass; without news it writes its heartbeat only.

    A judge or a writer that does not answer, or may not be asked, stops only its own part: the
    heartbeat says so, and the next pass asks again.

    Args:
        finishing: a job's lease, ended with the heartbeat.

    Raises:
        UnavailableError: the store did not answer; what was settled before stays.
    """
    started = by.clock()
    cases = by.reads.update_cases(by.store, started)
    with reading(by.store) as conn:
        weighed = by.reads.weigh(conn)
        groups = {GROUP_OF[method.standing.asset_class] for method in weighed}
        frozen = by.reads.frozen(conn, groups, started)
    by_group = {method.standing.id: GROUP_OF[method.standing.asset_class] for method in weighed}
    stopped = {method for method, group in by_group.items() if group in frozen}
    verdict = by.reads.decide(weighed, by.rules, stopped)
    made = Counter(_settle(by, weighed, verdict, frozen))
    waits: dict[str, str] = {}
    with _told(waits, "judge"):
        made.update(review_graduates(by, stopped, verdict.bar))
    with _told(waits, "seeds"):
        made["seeded"] += _seed(by)
    with writing(by.store, finishing=finishing) as conn:
        numbers = _numbers(conn, by, cases, verdict, frozen, +made) | {"waits": waits}
        span = to_micros(started), to_micros(by.clock())
        run_id = rows.keep_pass(conn, trigger, by.judge.name, bool(frozen), numbers, span)
    for change, number in numbers["changes"].items():
        emit("methodology.changed", change=change, methodologies=number)
    return SynthesisReport(run_id, by.judge.name, by.rules.in_force, numbers)


def _settle(
    by: Synthesis,
    weighed: Sequence[WeighedMethod],
    verdict: GateVerdict,
    frozen: Mapping[str, str],
) -> list[str]:
    """Write figures that changed and the changes of both gates; return what was changed."""
    new = changed([method.standing for method in weighed], dict(verdict.figures))
    if not (new or verdict.changes or frozen):
        return []
    with writing(by.store) as conn:
        now = by.clock()
        score_rows.keep_figures(conn, new, to_micros(now))
        made = apply_changes(conn, verdict.changes, by.rules.in_force, now)
        events = [
            lifecycle_rows.NewLifecycleEvent(
                None, "market_stress_freeze", "rule", {"group": group}, reason_text=why
            )
            for group, why in frozen.items()
        ]
        lifecycle_rows.add_events(conn, events, to_micros(now))
    # The other gate is always decided too, and changes nothing that is shown.
    return [change.change for change in made if change.gate == by.rules.in_force]


@contextmanager
def _told(waits: dict[str, str], part: str) -> Iterator[None]:
    """Keep why a part of a pass could not be done now."""
    try:
        yield
    except (UnavailableError, PostponedError) as error:
        waits[part] = str(error)


def _seed(by: Synthesis) -> int:
    """Plant what cases and patterns suggest; return the number of new methodologies."""
    if by.seeds == "none":
        return 0
    with reading(by.store) as conn:
        seeds = seeds_of(conn, has_new_cases=by.seeds == "all" or _has_new_cases(conn, by))
    return plant(by, seeds)


def _has_new_cases(conn: Connection, by: Synthesis) -> bool:
    last = rows.last_pass(conn)
    seen = 0 if last is None or "seeds" in last.numbers["waits"] else last.numbers["resolved"]
    return by.reads.resolved(conn) != seen


def _numbers(
    conn: Connection,
    by: Synthesis,
    cases: CaseTally,
    verdict: GateVerdict,
    frozen: Mapping[str, str],
    made: Mapping[str, int],
) -> dict[str, Any]:
    """Return what the pass found and did, as its heartbeat keeps it; counts."""
    rules = by.rules
    standings = [
        standing
        for standing in by.reads.standings(conn)
        if not (standing.is_gone or standing.is_placebo)
    ]
    graduated = sum(standing.strict_since is not None for standing in standings)
    level = max(rules.fdr, lifecycle_rows.loosest_level(conn))
    luck = expected_false(verdict.tried, graduated, verdict.selected, level)
    return {
        "cases": cases._asdict(),
        "resolved": by.reads.resolved(conn),
        "tried": verdict.tried,
        "promising": sum(standing.promising_since is not None for standing in standings),
        "graduated": graduated,
        "literal_graduated": sum(standing.literal_since is not None for standing in standings),
        "in_prompts": sum(
            not standing.quarantine and standing.flagged_at is None for standing in standings
        ),
        "expected_false": round(luck.with_choice, 2),
        "expected_false_without": round(luck.without, 2),
        "bar": round(verdict.bar, 2),
        "gate": rules.in_force,
        "fdr": rules.fdr,
        "frozen": dict(frozen),
        "changes": dict(sorted(made.items())),
    }
