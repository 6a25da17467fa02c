"""One pass: bring cases up to date, weigh all methodologies, decide, ask the judge, leave a trace.

update_cases → weigh → decide_gates → settle → review (asked outside any transaction) → heartbeat
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Finisher, Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.cases.model import CaseTally
from afterword.pipeline.domain.cases.update import update_cases
from afterword.pipeline.domain.methodologies import lifecycle_rows, score_rows
from afterword.pipeline.domain.methodologies.citable_rows import citable
from afterword.pipeline.domain.methodologies.lifecycle import StateChange, apply_changes
from afterword.pipeline.domain.methodologies.score_rows import standings
from afterword.pipeline.domain.methodologies.scores import changed
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.synthesis import rows
from afterword.pipeline.domain.synthesis.freeze import frozen_groups
from afterword.pipeline.domain.synthesis.gates import decide_gates, figures_after, strict_numbers
from afterword.pipeline.domain.synthesis.judge import (
    FLAGS_TO_DEMOTE,
    MOST_A_DAY,
    MethodReview,
    ReviewedMethod,
    SynthesisJudge,
)
from afterword.pipeline.domain.synthesis.model import (
    GateRules,
    GateVerdict,
    PassTrigger,
    SynthesisReport,
    WeighedMethod,
)
from afterword.pipeline.domain.synthesis.review_rows import reviewed
from afterword.pipeline.domain.synthesis.weigh import weigh_methods
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.rules.evidence.graduation import expected_false
from afterword.pipeline.rules.market.taxonomy import GROUP_OF

INTERVAL: Final = timedelta(hours=6)
"""Time between two passes of the schedule (R5)."""

JUDGE_DEMOTIONS: Final = {"synthesis_auto_demote", "requantized_by_judge"}
"""Changes by which a judge's doubt ends a graduation."""

_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Synthesis:
    """What a pass needs.

    Args:
        clock: a pass has one moment, that of its start.
        mode: of the switch `judge_synthesis`. In the shadow the judge is asked and nothing is
            changed by it.
    """

    store: Store
    judge: SynthesisJudge
    rules: GateRules
    clock: Clock
    mode: Mode = Mode.ON


def synthesize(
    by: Synthesis, trigger: PassTrigger, finishing: Finisher | None = None
) -> SynthesisReport:
    """Run one pass; without news it writes its heartbeat only.

    What was settled before an error stays; the next pass goes on from there.

    Args:
        finishing: a job's lease, ended with the heartbeat.

    Raises:
        UnavailableError: the judge or the store did not answer.
        PostponedError: the judge may not be asked for now.
    """
    started = by.clock()
    cases = update_cases(by.store, started)
    with reading(by.store) as conn:
        weighed = weigh_methods(conn)
        groups = {GROUP_OF[one.standing.asset_class] for one in weighed}
        frozen = frozen_groups(StoredPrices(conn), groups, started)
    by_group = {one.standing.id: GROUP_OF[one.standing.asset_class] for one in weighed}
    stopped = {method for method, group in by_group.items() if group in frozen}
    verdict = decide_gates(weighed, by.rules, stopped)
    made = Counter(_settle(by, weighed, verdict, frozen))
    demoted = False
    with reading(by.store) as conn:
        weighed = weigh_methods(conn)
        today = lifecycle_rows.adjusted_since(conn, to_micros(started - _DAY))
        due = [reviewed(conn, one) for one in _to_review(weighed, by.rules, stopped, today)]
    for one in due if by.mode.is_enabled else ():
        # No transaction is open while a judge is asked: it must not hold the only writer.
        done = _keep_review(by, one, by.judge.review(one, by.store.name))
        made.update(done)
        demoted = demoted or bool(JUDGE_DEMOTIONS & set(done))
    if demoted:
        _refresh(by, verdict.bar)
    with writing(by.store, finishing=finishing) as conn:
        numbers = _numbers(conn, cases, verdict, by.rules, frozen, made)
        span = to_micros(started), to_micros(by.clock())
        run_id = rows.keep_pass(conn, trigger, by.judge.name, bool(frozen), numbers, span)
    for change, number in made.items():
        emit("methodology.changed", change=change, methodologies=number)
    return SynthesisReport(run_id, by.judge.name, by.rules.in_force, numbers)


def _settle(
    by: Synthesis,
    weighed: Sequence[WeighedMethod],
    verdict: GateVerdict,
    frozen: Mapping[str, str],
) -> list[str]:
    """Write figures that changed and the changes of both gates; return what was changed."""
    new = changed([one.standing for one in weighed], dict(verdict.figures))
    if not (new or verdict.changes or frozen):
        return []
    with writing(by.store) as conn:
        now = by.clock()
        score_rows.keep_figures(conn, new, to_micros(now))
        made = apply_changes(conn, verdict.changes, by.rules.in_force, now)
        events = [
            lifecycle_rows.NewLifecycleEvent(
                None, "market_stress_freeze", None, why, {"group": group}, "rule"
            )
            for group, why in frozen.items()
        ]
        lifecycle_rows.add_events(conn, events, to_micros(now))
    return [one.change for one in made]


def _refresh(by: Synthesis, bar: float) -> None:
    """Write the figures of methodologies whose evidence begins anew since the judge was asked."""
    with reading(by.store) as conn:
        weighed = weigh_methods(conn)
    figures = {one.standing.id: figures_after(one, by.rules.in_force, bar) for one in weighed}
    new = changed([one.standing for one in weighed], figures)
    with writing(by.store) as conn:
        score_rows.keep_figures(conn, new, to_micros(by.clock()))


def _to_review(
    weighed: Sequence[WeighedMethod],
    rules: GateRules,
    frozen: set[int],
    today: Mapping[int, int],
) -> list[WeighedMethod]:
    """Return the graduates that have further uses since the judge last looked at them."""
    return [
        one
        for one in weighed
        if one.standing.since(rules.in_force) is not None
        and not one.standing.is_gone
        and one.standing.id not in frozen
        and one.record.n_eff > one.standing.reviewed_uses
        and today.get(one.standing.id, 0) < MOST_A_DAY
    ]


def _keep_review(by: Synthesis, method: ReviewedMethod, review: MethodReview) -> list[str]:
    """Write what the judge said; return what was changed."""
    one = method.weighed
    with writing(by.store) as conn:
        changes = _changes_of(conn, by, one, review) if by.mode.has_effect else []
        made = apply_changes(conn, changes, by.rules.in_force, by.clock())
        # Kept in any case: the same record is not paid for twice.
        score_rows.keep_reviewed(conn, one.standing.id, one.record.n_eff)
    if not by.mode.has_effect and review.verdict != "keep":
        return [f"shadow_{review.verdict}"]
    return [change.change for change in made]


def _changes_of(
    conn: Connection, by: Synthesis, one: WeighedMethod, review: MethodReview
) -> list[StateChange]:
    method, gate = one.standing.id, by.rules.in_force
    numbers = strict_numbers(one)
    said = {"reason": review.reason, "numbers": numbers, "said_by": by.judge.name}
    match review.verdict:
        case "flag":
            flags = one.standing.flags_in_row + 1
            changes = [StateChange(method, "flag", gate, **said)]  # type: ignore[arg-type]
            if flags >= FLAGS_TO_DEMOTE:
                reason = f"flagged {flags} times in a row"
                changes.append(StateChange(method, "synthesis_auto_demote", gate, reason, numbers))
            return changes
        case "recover":
            return [StateChange(method, "recover", gate, **said)]  # type: ignore[arg-type]
        case "demote":
            return [StateChange(method, "requantized_by_judge", gate, **said)]  # type: ignore[arg-type]
        case "merge" if review.into is not None:
            survivor = citable(conn)[review.into].id
            return [StateChange(method, "merged", gate, into=survivor, **said)]  # type: ignore[arg-type]
    return []


def _numbers(
    conn: Connection,
    cases: CaseTally,
    verdict: GateVerdict,
    rules: GateRules,
    frozen: Mapping[str, str],
    made: Mapping[str, int],
) -> dict[str, Any]:
    """Return what the pass found and did, as its heartbeat keeps it; counts."""
    standing = [one for one in standings(conn) if not (one.is_gone or one.is_placebo)]
    graduated = sum(one.strict_since is not None for one in standing)
    luck = expected_false(verdict.tried, graduated, rules.fdr)
    return {
        "cases": cases._asdict(),
        "tried": verdict.tried,
        "promising": sum(one.promising_since is not None for one in standing),
        "graduated": graduated,
        "literal_graduated": sum(one.literal_since is not None for one in standing),
        "in_prompts": sum(not one.quarantine and one.flagged_at is None for one in standing),
        "expected_false": round(luck.with_choice, 2),
        "expected_false_without": round(luck.without, 2),
        "bar": round(verdict.bar, 2),
        "gate": rules.in_force,
        "fdr": rules.fdr,
        "frozen": dict(frozen),
        "changes": dict(sorted(made.items())),
    }
