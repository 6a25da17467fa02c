"""The reviewer without a model: calls, errors, outcome, and what the user asks for again.

A rule cannot read how reusable a procedure is. That a user asks for it a second time shows it.
"""

from typing import Final

from afterword.pipeline.domain.learnings.checks import MAX_LEARNED_STEPS
from afterword.pipeline.domain.learnings.model import ReviewResult
from afterword.pipeline.domain.learnings.reviewer import ReviewCase

_CLEAN: Final = 5
"""The score of a turn that succeeded."""

_NO_ERROR: Final = 1
_EACH_REPEAT: Final = 2
_MOST_REPEATS: Final = 2
_EACH_ERROR: Final = 1
_MOST_ERRORS: Final = 3
_ASKED_AGAIN: Final = 4
"""Points. Chosen so that, with the threshold of 7, a clean turn is learned from the second time on,
one with errors from the third, and one whose answer did not do never."""


class RuleTurnReviewer:
    """A `TurnReviewer` that asks nobody."""

    name: Final = "rule"

    def review(self, case: ReviewCase, group: str) -> ReviewResult:
        """Return the score of a turn by rule."""
        del group
        errors = sum(not call.succeeded for call in case.turn.tool_calls)
        score = _CLEAN
        score += 0 if errors else _NO_ERROR
        score += _EACH_REPEAT * min(case.repeats, _MOST_REPEATS)
        score -= _EACH_ERROR * min(errors, _MOST_ERRORS)
        score -= _ASKED_AGAIN if case.asked_again else 0
        is_usable = bool(case.trigger) and 2 <= len(case.steps) <= MAX_LEARNED_STEPS
        if not is_usable or case.turn.outcome != "succeeded":
            score = 0
        return ReviewResult(
            max(0, min(10, score)),
            _summary(case, errors),
            case.trigger if is_usable else "",
            case.steps if is_usable else (),
        )


def _summary(case: ReviewCase, errors: int) -> str:
    parts = [f"{len(case.turn.tool_calls)} calls, {errors} failed"]
    if case.repeats:
        parts.append(f"done {case.repeats} times before")
    if case.asked_again:
        parts.append("the user asked again")
    if not case.trigger:
        parts.append("the message names no task")
    if len(case.steps) < 2:
        parts.append("fewer than two steps")
    if len(case.steps) > MAX_LEARNED_STEPS:
        parts.append(f"more than {MAX_LEARNED_STEPS} steps")
    return "; ".join(parts)
