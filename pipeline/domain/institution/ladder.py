"""The questions of the ladder (R5), answered by the one measurement of outcomes, never guessed.

| window | question | what answers it |
|---|---|---|
| 1 d | was the trigger valid? | the move of the day |
| 7 d | did the base case play out? | target or stop, whichever came first; else the move |
| 30 d | was the horizon estimate right? | the window nearest to the stated horizon |
| 90, 180, 365 d | was the thesis durable? | the move until then |

A move inside the band is `unclear`, for each. The horizon is `unclear` too where it is not over at
30 days, and where no window up to then was right: there is no move whose time could be right.
"""

from collections.abc import Mapping
from math import log
from typing import Final, NamedTuple

from afterword.pipeline.domain.institution.model import RunAnswer
from afterword.pipeline.domain.outcomes.model import (
    LADDER_HOURS,
    MeasuredOutcome,
    MeasuredVerdict,
)
from afterword.pipeline.domain.outcomes.told import why_of

LADDER_QUESTIONS: Final[Mapping[int, str]] = {
    24: "Was the trigger valid?",
    168: "Did the base case play out?",
    720: "Was the horizon estimate right?",
    2_160: "Was the thesis durable?",
    4_320: "Was the thesis durable?",
    8_760: "Was the thesis durable?",
}
"""The question of each window, by its hours."""

HORIZON_QUESTION_HOURS: Final = 720
"""The window after which the horizon is judged."""

BASE_CASE_HOURS: Final = 168

_ANSWERS: Final[Mapping[MeasuredVerdict, RunAnswer]] = {
    "right": "yes",
    "wrong": "no",
    "noise": "unclear",
}


class LadderAnswer(NamedTuple):
    """The answer to the question of one window.

    Args:
        text: one line with the numbers behind it.
        exit_at: when the window ended; microseconds.
        numbers: verdict by window (hours as text), as they decided it.
    """

    window_hours: int
    answer: RunAnswer
    text: str
    exit_at: int
    numbers: Mapping[str, str]


def nearest_window(horizon_hours: int) -> int:
    """Return the window of the ladder nearest to a horizon, by their ratio; hours."""
    return min(LADDER_HOURS, key=lambda hours: abs(log(hours / horizon_hours)))


def answer_window(
    window_hours: int, horizon_hours: int, outcomes: Mapping[int, MeasuredOutcome]
) -> LadderAnswer | None:
    """Return the answer to the question of a window; None while a price is missing for it.

    Args:
        horizon_hours: within which the run expected the move.
        outcomes: what is measured of its decision so far, by window (hours).
    """
    measured = outcomes.get(window_hours)
    if measured is None:
        return None
    if window_hours == HORIZON_QUESTION_HOURS:
        return _horizon(measured, horizon_hours, outcomes)
    is_base_case = window_hours == BASE_CASE_HOURS
    verdict = measured.verdict if is_base_case else measured.window_verdict
    return LadderAnswer(
        window_hours,
        _ANSWERS[verdict],
        why_of(measured),
        measured.exit_at,
        {str(window_hours): verdict},
    )


def _horizon(
    measured: MeasuredOutcome, horizon_hours: int, outcomes: Mapping[int, MeasuredOutcome]
) -> LadderAnswer | None:
    """Return whether the move came when it was said to come."""
    stated = nearest_window(horizon_hours)
    days = f"{horizon_hours / 24:g} d"
    known = {hours: one for hours in LADDER_HOURS[:3] if (one := outcomes.get(hours)) is not None}
    numbers = {str(hours): one.window_verdict for hours, one in known.items()}
    right = [f"{hours // 24} d" for hours, one in known.items() if one.window_verdict == "right"]
    answer: RunAnswer
    if stated > HORIZON_QUESTION_HOURS:
        answer, words = "unclear", f"its horizon of {days} is not over"
    elif (own := outcomes.get(stated)) is None:
        return None
    elif own.window_verdict == "right":
        answer, words = "yes", f"right after {stated // 24} d, as stated ({days})"
    elif right:
        answer = "no"
        words = f"right after {', '.join(right)}, not after {stated // 24} d as stated ({days})"
    elif len(known) < len(LADDER_HOURS[:3]):
        return None  # a window that is missing may have been the right one
    else:
        answer, words = "unclear", f"right after none of 1, 7 and 30 d; stated were {days}"
    return LadderAnswer(
        HORIZON_QUESTION_HOURS,
        answer,
        f"{words}; {why_of(measured)}",
        measured.exit_at,
        numbers,
    )
