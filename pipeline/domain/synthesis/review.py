"""Ask the judge about graduates that have further uses, and do what it says."""

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.methodologies import lifecycle_rows, score_rows
from afterword.pipeline.domain.methodologies.citable_rows import citable
from afterword.pipeline.domain.methodologies.lifecycle import Change, StateChange, apply_changes
from afterword.pipeline.domain.methodologies.scores import MethodStanding, changed
from afterword.pipeline.domain.synthesis.gates import figures_after, strict_numbers
from afterword.pipeline.domain.synthesis.judge import (
    FLAGS_TO_DEMOTE,
    MOST_A_DAY,
    MethodReview,
    ReviewedMethod,
)
from afterword.pipeline.domain.synthesis.model import GateRules, WeighedMethod
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.review_rows import reviewed
from afterword.pipeline.errors import InvalidInputError

JUDGE_DEMOTIONS: Final = {"synthesis_auto_demote", "requantized_by_judge"}
"""Changes by which a judge's doubt ends a graduation."""

_DAY: Final = timedelta(days=1)


def review_graduates(by: Synthesis, stopped: Collection[int], bar: float) -> Counter[str]:
    """Let the judge flag, recover, demote or merge graduates; return the changes by their name.

    Args:
        stopped: row ids of methodologies whose market is under stress.
        bar: the e-value that graduates one more.

    Raises:
        UnavailableError: no answer; what was said before stays.
        PostponedError: the judge may not be asked for now.
    """
    made: Counter[str] = Counter()
    if not by.mode.is_enabled:
        return made
    with reading(by.store) as conn:
        today = lifecycle_rows.adjusted_since(conn, to_micros(by.clock() - _DAY))
        ids = {
            standing.id
            for standing in by.reads.standings(conn)
            if _is_due(standing, by.rules, stopped, today)
        }
        weighed = by.reads.weigh(conn) if ids else []
        due = [reviewed(conn, method) for method in weighed if method.standing.id in ids]
    try:
        for method in due:
            # No transaction is open while a judge is asked: it must not hold the only writer.
            try:
                review = by.judge.review(method, by.store.address)
            except InvalidInputError:
                # It will never answer this question; the same record is not asked about again.
                review = MethodReview("keep")
                made["unanswered"] += 1
            made.update(_keep_review(by, method, review))
    finally:
        if JUDGE_DEMOTIONS & made.keys():
            _refresh(by, bar)
    return made


def _is_due(
    standing: MethodStanding, rules: GateRules, stopped: Collection[int], today: Mapping[int, int]
) -> bool:
    """Say whether a graduate has further uses since the judge last looked at it."""
    stands = (
        standing.since(rules.in_force) is not None
        and not standing.is_gone
        and standing.id not in stopped
    )
    has_news = standing.figures.effective_uses > standing.reviewed_uses
    return stands and has_news and today.get(standing.id, 0) < MOST_A_DAY


def _keep_review(by: Synthesis, method: ReviewedMethod, review: MethodReview) -> list[str]:
    """Write what the judge said; return what was changed."""
    weighed = method.weighed
    with writing(by.store) as conn:
        # Kept in any case: a record is paid for once, and two passes doubt it once.
        if not score_rows.keep_reviewed(conn, weighed.standing.id, weighed.record.n_eff):
            return []
        changes = _changes_of(conn, by, weighed, review) if by.mode.has_effect else []
        made = apply_changes(conn, changes, by.rules.in_force, by.clock())
    if not by.mode.has_effect and review.verdict != "keep":
        return [f"shadow_{review.verdict}"]
    return [change.change for change in made]


def _changes_of(
    conn: Connection, by: Synthesis, weighed: WeighedMethod, review: MethodReview
) -> list[StateChange]:
    row_id, gate, numbers = weighed.standing.id, by.rules.in_force, strict_numbers(weighed)
    said_by = by.judge.name

    def change(name: Change, into: int | None = None) -> StateChange:
        return StateChange(row_id, name, gate, review.reason, numbers, said_by, into)

    match review.verdict:
        case "flag":
            flags = weighed.standing.flags_in_row + 1
            if flags < FLAGS_TO_DEMOTE:
                return [change("flag")]
            reason = f"flagged {flags} times in a row"
            demoted = StateChange(row_id, "synthesis_auto_demote", gate, reason, numbers)
            return [change("flag"), demoted]
        case "recover":
            return [change("recover")]
        case "demote":
            return [change("requantized_by_judge")]
        case "merge" if review.into is not None:
            return [change("merged", into=citable(conn)[review.into].id)]
    return []


def _refresh(by: Synthesis, bar: float) -> None:
    """Write the figures of methodologies whose evidence begins anew since the judge was asked."""
    with reading(by.store) as conn:
        weighed = by.reads.weigh(conn)
    figures = {
        method.standing.id: figures_after(method, by.rules.in_force, bar) for method in weighed
    }
    new = changed([method.standing for method in weighed], figures)
    with writing(by.store) as conn:
        score_rows.keep_figures(conn, new, to_micros(by.clock()))
