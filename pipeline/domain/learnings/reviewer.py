"""What a reviewer is given of a finished turn, and what it is."""

import json
from dataclasses import dataclass
from typing import Final, Protocol

from sqlalchemy import Connection

from afterword.pipeline.domain.learnings.adoption import ran_in_order
from afterword.pipeline.domain.learnings.checks import MAX_ARGS
from afterword.pipeline.domain.learnings.model import LearnedCall, ReviewResult
from afterword.pipeline.domain.learnings.procedures import (
    SAME_PROCEDURE_AT,
    trigger_terms,
)
from afterword.pipeline.domain.learnings.triggers import general_trigger
from afterword.pipeline.domain.methodologies.similarity import cosine_of, weights
from afterword.pipeline.domain.sessions import rows as session_rows
from afterword.pipeline.domain.sessions.model import ToolCall, Turn

REVIEW_TASK: Final = "review_turn"
"""The task of a model; it has its own switch and its own entries in the budget."""

EARLIER_TURNS: Final = 200
"""Turns before that a review looks at, the latest first: weeks of an agent's work, read in a tenth
of a second."""

_NEXT_TURNS: Final = 2
ASKED_AGAIN_AT: Final = 0.8
"""The cosine of a next message of the session that asks for the same again; chosen by us: the words
are nearly the same."""


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """A turn before, with how alike its message is: cosine, 0 to 1."""

    turn: Turn
    likeness: float


@dataclass(frozen=True, slots=True)
class ReviewCase:
    """A finished turn as its reviewer sees it.

    Args:
        trigger: its message in general words; may be empty.
        steps: its calls that succeeded, each repetition in a row once, in order.
        earlier: finished turns before it, all of them.
        repeats: how many of these asked for the same, succeeded and ran its tools; count.
        asked_again: whether the user asked for the same right afterwards.
    """

    turn: Turn
    trigger: str
    steps: tuple[LearnedCall, ...]
    earlier: tuple[EarlierTurn, ...]
    repeats: int
    asked_again: bool


class TurnReviewer(Protocol):
    """Reviews turns; it is asked outside any transaction."""

    @property
    def name(self) -> str:
        """Its name, stored with every review."""
        ...

    def review(self, case: ReviewCase, group: str) -> ReviewResult:
        """Return what a turn is worth.

        Args:
            group: the group that pays.

        Raises:
            DeclinedError: it will never answer about this turn.
            UnavailableError: no usable answer; another try may succeed.
            PostponedError: nothing was asked, and nothing may be asked for now.
        """
        ...


def read_case(conn: Connection, turn: Turn) -> ReviewCase:
    """Return a finished turn with what a reviewer is to know of it."""
    trigger = general_trigger(turn.message)
    words = weights(trigger_terms(trigger))
    earlier = tuple(
        EarlierTurn(one, cosine_of(words, weights(trigger_terms(general_trigger(one.message)))))
        for one in session_rows.finished_before(conn, turn, EARLIER_TURNS)
    )
    steps = steps_of(turn)
    tools = [step.tool_name for step in steps]
    repeats = sum(
        one.likeness >= SAME_PROCEDURE_AT
        and one.turn.outcome == "succeeded"
        and (ran_in_order(tools, one.turn.tool_calls) or _ran_part(one.turn, tools))
        for one in earlier
    )
    following = session_rows.begun_after(conn, turn, _NEXT_TURNS)
    asked_again = any(
        cosine_of(words, weights(trigger_terms(general_trigger(one.message)))) >= ASKED_AGAIN_AT
        for one in following
    )
    return ReviewCase(turn, trigger, steps, earlier, repeats, asked_again)


def steps_of(turn: Turn) -> tuple[LearnedCall, ...]:
    """Return the calls of a turn that succeeded, each repetition in a row once."""
    steps: list[LearnedCall] = []
    for call in turn.tool_calls:
        if call.succeeded and not (steps and steps[-1].tool_name == call.name):
            steps.append(learned_call(call))
    return tuple(steps)


def learned_call(call: ToolCall) -> LearnedCall:
    """Return a call as a step; arguments that are too long give their names only."""
    if len(json.dumps(call.arguments, ensure_ascii=False)) <= MAX_ARGS // 2:
        return LearnedCall(call.name, call.arguments)
    return LearnedCall(call.name, dict.fromkeys(list(call.arguments)[:20]))


def _ran_part(turn: Turn, tools: list[str]) -> bool:
    """Say whether all that a turn ran, more than one tool, is run in this order by others."""
    own = [step.tool_name for step in steps_of(turn)]
    done = iter(tools)
    return len(own) > 1 and all(tool in done for tool in own)
