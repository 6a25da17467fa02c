"""Review a finished turn: gather → ask → decide → settle, once for each turn."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.learnings import read_rows, rows
from afterword.pipeline.domain.learnings.checks import check_learning, order_in
from afterword.pipeline.domain.learnings.learn import keep_learning
from afterword.pipeline.domain.learnings.model import (
    KeptLearning,
    LearnedCall,
    LearningRules,
    NewLearning,
    ReviewedVerdict,
    ReviewResult,
)
from afterword.pipeline.domain.learnings.procedures import SUGGEST_AT, trigger_terms
from afterword.pipeline.domain.learnings.review_later import is_reviewable
from afterword.pipeline.domain.learnings.reviewer import (
    ReviewCase,
    TurnReviewer,
    learned_call,
    read_case,
)
from afterword.pipeline.domain.learnings.rule_reviewer import RuleTurnReviewer
from afterword.pipeline.domain.learnings.triggers import general_trigger
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.flags import WITHHELD
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.similarity import cosine_of, weights
from afterword.pipeline.domain.sessions import rows as session_rows
from afterword.pipeline.domain.sessions.model import Turn
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.llm import DeclinedError, UnusableAnswerError
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.ids import IdSource
from afterword.pipeline.rules.text.line import one_line

MAX_REVIEW_NOTE: Final = 300
"""Characters of why a review became what it became."""


@dataclass(frozen=True, slots=True)
class TurnReviewing:
    """What a review works with.

    Args:
        reviewer: the model that reviews; None where a rule does.
        mode: of the switch `review_turn`: `off` leaves it to the rule, `shadow` records what the
            model says beside that.
        leases: of the job; None for a call without one.
    """

    store: Store
    rules: LearningRules
    clock: Clock
    ids: IdSource
    reviewer: TurnReviewer | None = None
    mode: Mode = Mode.ON
    leases: Leases | None = None


@dataclass(frozen=True, slots=True)
class _TurnAnswer:
    reviewer: str
    result: ReviewResult


def review_turn(of: TurnReviewing, turn_id: int) -> ReviewedVerdict | None:
    """Review one turn; None if there is nothing to review, or it was reviewed before.

    Raises:
        PostponedError: the model may not be asked for now.
        UnavailableError: it gave no answer; another try may succeed.
    """
    with reading(of.store) as conn:
        turn = session_rows.turn_of_id(conn, turn_id)
        is_due = turn is not None and is_reviewable(of.rules, turn)
        case = (
            read_case(conn, turn)
            if turn is not None and is_due and not read_rows.is_reviewed(conn, turn_id)
            else None
        )
    if case is None:
        with writing(of.store, finishing=of.leases):
            return None
    by_rule = _TurnAnswer(RuleTurnReviewer.name, RuleTurnReviewer().review(case, of.store.address))
    # No transaction is open while a model is asked: it must not hold the only writer.
    asked = _ask(of, case)
    chosen, shadow = by_rule, None
    if asked is not None and of.mode.has_effect:
        chosen = asked
    elif asked is not None:
        shadow = _recorded(asked)
    with writing(of.store, finishing=of.leases) as conn:
        verdict = _settle(conn, of, case, chosen, shadow)
    if verdict is not None:
        emit("learning.reviewed", verdict=verdict, reviewer=chosen.reviewer)
    return verdict


def _ask(of: TurnReviewing, case: ReviewCase) -> _TurnAnswer | None:
    """Return what the model says; None where the rule decides alone."""
    if of.reviewer is None or not of.mode.is_enabled:
        return None
    try:
        return _TurnAnswer(of.reviewer.name, of.reviewer.review(case, of.store.address))
    except (DeclinedError, UnusableAnswerError) as error:
        emit("learning.unreviewed", reviewer=of.reviewer.name, reason=str(error))
        return None


def _settle(
    conn: Connection,
    of: TurnReviewing,
    case: ReviewCase,
    chosen: _TurnAnswer,
    shadow: dict[str, Any] | None,
) -> ReviewedVerdict | None:
    """Write the review and what it teaches; None if another reviewer came first."""
    turn, now = case.turn, of.clock()
    if read_rows.is_reviewed(conn, turn.id) or session_rows.turn_of_id(conn, turn.id) is None:
        return None
    by = Writer(of.store, of.clock, of.ids, actor="system", session=turn.session_uid)
    result, kept = chosen.result, None
    new, verdict, reason = _decided(result, case, of.rules)
    if new is not None:
        kept = keep_learning(conn, by, new, "review", now, turn_id=turn.id, taught=True)
        verdict = "learned" if kept.is_new else "repeated"
        if kept.is_new:
            _note_earlier(conn, case, kept, new.trigger, now)
    elif verdict == "refused":
        result = _withheld(result)
    rows.insert_review(
        conn,
        turn.id,
        chosen.reviewer,
        result,
        verdict,
        one_line(reason, MAX_REVIEW_NOTE),
        None if kept is None else kept.id,
        shadow,
        to_micros(now),
    )
    detail = {"uid": turn.uid, "verdict": verdict, "score": result.score}
    touched = ChangedRow(turn.id, turn.session_uid, detail)
    audit(conn, now, "system", "learning.review", "learning_reviews", [touched])
    return verdict


def _decided(
    result: ReviewResult, case: ReviewCase, rules: LearningRules
) -> tuple[NewLearning | None, ReviewedVerdict, str]:
    """Return the learning to keep, or why there is none."""
    if result.score < rules.score_threshold:
        return None, "below", f"score {result.score} is below {rules.score_threshold}"
    if not result.suggested_tool_sequence:
        return None, "refused", "names no step"
    if not _is_part_of(result.suggested_tool_sequence, case.turn):
        return None, "refused", "names calls that the turn did not make, or not in this order"
    new = NewLearning(result.suggested_trigger, result.suggested_tool_sequence, result.guidance)
    try:
        return check_learning(new), "learned", ""
    except InvalidInputError as error:
        return None, "refused", str(error)


def _is_part_of(sequence: tuple[LearnedCall, ...], turn: Turn) -> bool:
    """Say whether the calls of a turn that succeeded contain a sequence, in its order."""
    done = iter([learned_call(call) for call in turn.tool_calls if call.succeeded])
    return all(call in done for call in sequence)


def _note_earlier(
    conn: Connection, case: ReviewCase, kept: KeptLearning, trigger: str, now: datetime
) -> None:
    """Note the earlier turns of the same trigger, which were done without the learning."""
    words = weights(trigger_terms(trigger))
    same_words = trigger == case.trigger
    for earlier in case.earlier:
        likeness = earlier.likeness if same_words else _likeness(words, earlier.turn)
        if likeness >= SUGGEST_AT:
            rows.add_turn(
                conn,
                earlier.turn.id,
                kept.id,
                "before",
                to_micros(now),
                similarity=likeness,
                result="noted",
                outcome=earlier.turn.outcome,
            )


def _likeness(words: Mapping[int, float], turn: Turn) -> float:
    return cosine_of(words, weights(trigger_terms(general_trigger(turn.message))))


def _recorded(asked: _TurnAnswer) -> dict[str, Any]:
    """Return what a model in shadow mode says; withheld where it reads like an order."""
    result = asked.result
    new = NewLearning(
        result.suggested_trigger, result.suggested_tool_sequence, result.guidance, result.summary
    )
    kept = _withheld(result) if order_in(new) else result
    fields: Mapping[str, Any] = asdict(kept)
    steps = [call._asdict() for call in kept.suggested_tool_sequence]
    return {"reviewer": asked.reviewer, **fields, "suggested_tool_sequence": steps}


def _withheld(result: ReviewResult) -> ReviewResult:
    """Return a refused result without its words: no reader of reviews shall meet an order."""
    return replace(
        result,
        summary=WITHHELD,
        suggested_trigger="",
        suggested_tool_sequence=(),
        guidance="",
    )
