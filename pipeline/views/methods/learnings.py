"""Learnings: their list, one with its turns and whether it helps, and the reviews of turns."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from afterword.pipeline.domain.learnings.model import (
    Learning,
    LearningArm,
    LearningState,
    LearningTurn,
    TurnReview,
)
from afterword.pipeline.rules.text.line import one_line
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, Table, Verbatim, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.numbers import count, percent
from afterword.pipeline.views.words import moment

if TYPE_CHECKING:  # loaded by who asks for one
    from afterword.pipeline.domain.learnings.effect import LearningEffect, TurnArm
    from afterword.pipeline.domain.learnings.read import LearningStory
    from afterword.pipeline.recall.learnings.tell import SuggestedLearnings

_LEARNINGS: Final = ("number", "id", "state", "worked", "failed", "shown", "last used", "trigger")
_TURNS: Final = ("turn", "what", "similarity", "result", "at")
_REVIEWS: Final = ("turn", "score", "verdict", "by", "at", "why or what")
_NONE: Final = (
    "no learning yet: a turn teaches one when it succeeds with three tool calls or more, and its "
    "review says that it is worth keeping"
)
_STATES: Final[dict[LearningState, str]] = {
    "active": "active: turns that it fits are shown it",
    "waiting": "waiting: until the turn in which the agent said it has succeeded",
    "deleted": "deleted: no turn is shown it",
}
_ARMS: Final[dict[LearningArm, str]] = {
    "shown": "was shown it",
    "left_out": "a draw left it out",
    "before": "before it was known",
    "taught": "taught it",
}


def learning_list(learnings: Sequence[Learning], counts: Mapping[str, int]) -> View:
    """Return learnings below each other, and how many there are in each state."""
    empty = "no learning fits" if counts else _NONE
    blocks: list[Block] = [Table(_LEARNINGS, list(map(_row, learnings)), empty)]
    if counts:
        numbers = ", ".join(f"{number:,} {state}" for state, number in sorted(counts.items()))
        blocks.append(Paragraph(numbers))
    return View(blocks)


def learning_shown(story: "LearningStory") -> View:
    """Return one learning: what it says, how it did, and its last turns."""
    learning = story.learning
    facts = {
        "learning": f"{learning.id} ({learning.uid})",
        "name": learning.name,
        "trigger": learning.trigger,
        "state": _STATES[learning.state],
        "note": learning.guidance,
        "source": {"review": "a review of a turn", "agent": "the agent said it"}[learning.source],
        "learned at": moment(learning.created_at),
        "worked": count(learning.success_count, "time"),
        "failed": count(learning.failure_count, "time"),
        "shown": count(learning.shown_count, "time"),
        "ignored in a row": f"{learning.ignored}, which leaves {percent(learning.weight, 0)} of it"
        if learning.ignored
        else "",
        "last used": moment(learning.last_used_at) if learning.last_used_at else "",
    }
    steps: list[Sequence[Cell]] = [
        [place, call.tool_name, one_line(_args(call.args), 200)]
        for place, call in enumerate(learning.tool_sequence, start=1)
    ]
    blocks: list[Block] = [Fields({name: value for name, value in facts.items() if value})]
    if steps:
        blocks.append(Section("", [Table(("step", "tool", "arguments"), steps)]))
    blocks.append(Section("", list(map(Paragraph, effect_sentences(story.effect)))))
    turns = Table(_TURNS, list(map(_turn, story.turns)), "no turn has had to do with it")
    blocks.append(Section("", [turns]))
    return View(blocks)


def effect_sentences(effect: "LearningEffect") -> list[str]:
    """Return how turns with a learning did beside turns without it."""
    without = "that a draw left it out of" if effect.is_drawn else "of its kind before it was known"
    sentences = [
        f"Turns that were shown it: {_arm(effect.shown)}; {effect.followed:,} ran its tools.",
        f"Turns {without}: {_arm(effect.other)}.",
    ]
    if effect.difference is not None and effect.interval is not None:
        low, high = effect.interval
        difference, low_words, high_words = (
            f"{100 * value:+.0f}" for value in (effect.difference, low, high)
        )
        sentences.append(f"Difference: {difference} points, 95 % from {low_words} to {high_words}.")
    if effect.verdict != "cannot tell yet":
        sentences.append(f"It {effect.verdict}.")
    elif not effect.is_drawn:
        sentences.append(
            "Whether it helps: cannot tell yet. Turns before it may differ in other ways; "
            "AFTERWORD_LESSON_HOLDOUT leaves it out of some by a draw, which can tell."
        )
    else:
        more = "" if effect.needed is None else f"; about {count(effect.needed, 'more turn')}"
        sentences.append(f"Whether it helps: cannot tell yet{more}.")
    return sentences


def learning_deleted(learning: Learning) -> View:
    """Return that a learning is deleted."""
    return View([Paragraph(f"learning {learning.id} ({learning.uid}) is deleted")])


def learnings_suggested(suggested: "SuggestedLearnings") -> View:
    """Return the block that a message would be told."""
    if not suggested.block:
        return View([Paragraph("no learning fits these words")])
    rows: list[Sequence[Cell]] = [
        [one.learning.uid, f"{one.similarity:.2f}", f"{one.rank:.2f}"] for one in suggested.fitting
    ]
    return View([Verbatim(suggested.block), Table(("id", "similarity", "rank"), rows)])


def review_list(reviews: Sequence[TurnReview]) -> View:
    """Return reviews of turns below each other."""
    return View([Table(_REVIEWS, list(map(_review, reviews)), "no turn was reviewed yet")])


def _row(learning: Learning) -> list[Cell]:
    used = "" if learning.last_used_at is None else moment(learning.last_used_at)
    return [
        *(learning.id, Ref(learning.uid, "learning", learning.uid)),
        *(learning.state, learning.success_count),
        *(learning.failure_count, learning.shown_count, used, learning.trigger),
    ]


def _turn(turn: LearningTurn) -> list[Cell]:
    similarity = "" if turn.similarity is None else f"{turn.similarity:.2f}"
    result = "" if turn.result is None else turn.result
    if turn.result == "noted":
        result = turn.outcome or ""
    return [turn.turn or "(erased)", _ARMS[turn.arm], similarity, result, moment(turn.known_at)]


def _review(review: TurnReview) -> list[Cell]:
    result = review.result
    why = result.suggested_trigger if review.learning else review.reason
    return [
        *(review.turn, result.score, review.verdict, review.reviewer),
        *(moment(review.reviewed_at), f"{why} ({result.summary})" if result.summary else why),
    ]


def _arm(arm: "TurnArm") -> str:
    if not arm.turns:
        return "none"
    low, high = (percent(end, 0) for end in arm.interval)
    return f"{arm.succeeded:,} of {arm.turns:,} succeeded ({low} to {high})"


def _args(args: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in args.items())
