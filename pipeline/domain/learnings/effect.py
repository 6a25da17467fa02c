"""Does a learning help: turns of its trigger that were shown it, beside those that were not.

Who is shown a learning may differ in other ways: its turns are later, say. So only a draw gives a
verdict (`AFTERWORD_LESSON_HOLDOUT`); without one there are numbers, an interval, and none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Literal

from afterword.pipeline.domain.learnings.read_rows import ComparedTurn
from afterword.pipeline.rules.evidence.holdout import MILLION
from afterword.pipeline.rules.evidence.paired import PairedStretch, paired_verdict
from afterword.pipeline.rules.evidence.rates import wilson_interval

LearningVerdict = Literal["helped", "did harm", "cannot tell yet"]

_VERDICTS: Final[dict[str, LearningVerdict]] = {"helps": "helped", "hurts": "did harm"}


@dataclass(frozen=True, slots=True)
class TurnArm:
    """The finished turns of one arm.

    Args:
        turns: count. Of these `succeeded`.
        interval: 95 % of the success rate (Wilson); (0, 1) without a turn.
    """

    turns: int
    succeeded: int
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class LearningEffect:
    """Turns with a learning beside turns of the same trigger without it.

    Args:
        shown: turns that were shown it; of these `followed` ran its tools; count.
        other: turns that a draw left it out of; without a draw those before it was known.
        is_drawn: whether a draw separates the two.
        difference: of the success rates, shown less other; None without both.
        interval: of the difference, 95 %: with a draw it holds however often one looks.
        needed: further turns until a verdict, as those so far; None if none is in sight.
    """

    shown: TurnArm
    followed: int
    other: TurnArm
    is_drawn: bool
    difference: float | None
    interval: tuple[float, float] | None
    verdict: LearningVerdict
    needed: int | None


def learning_effect(turns: Sequence[ComparedTurn]) -> LearningEffect:
    """Compare turns that were shown a learning with turns that were not.

    Where there was a draw, only drawn turns count, and those of its last share.

    Args:
        turns: finished ones that it fitted, in order of their end.
    """
    shown = [turn for turn in turns if turn.arm == "shown"]
    share_ppm = next(
        (turn.share_ppm for turn in reversed(turns) if turn.share_ppm and turn.arm != "before"), 0
    )
    followed = sum(turn.ran_it for turn in shown)
    if 0 < share_ppm < MILLION:
        drawn = [turn for turn in turns if turn.share_ppm == share_ppm and turn.arm != "before"]
        return _drawn(drawn, share_ppm / MILLION, followed)
    with_it, without = _arm(shown), _arm([turn for turn in turns if turn.arm == "before"])
    difference = _difference(with_it, without)
    interval = None if difference is None else newcombe_interval(with_it, without)
    return LearningEffect(
        with_it, followed, without, False, difference, interval, "cannot tell yet", None
    )


def newcombe_interval(one: TurnArm, other: TurnArm) -> tuple[float, float]:
    """Return the 95 % interval of the difference of two success rates, in [-1, 1].

    Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10.
    """
    mine, theirs = one.succeeded / one.turns, other.succeeded / other.turns
    (low, high), (other_low, other_high) = one.interval, other.interval
    below = sqrt((mine - low) ** 2 + (other_high - theirs) ** 2)
    above = sqrt((high - mine) ** 2 + (theirs - other_low) ** 2)
    return mine - theirs - below, mine - theirs + above


def _drawn(turns: Sequence[ComparedTurn], share: float, followed: int) -> LearningEffect:
    """Return the verdict of a draw: each turn is a fair bet that the learning changes nothing."""
    scale = share * (1 - share)
    verdict = paired_verdict(_bets(turns, share))
    with_it = _arm([turn for turn in turns if turn.arm == "shown"])
    without = _arm([turn for turn in turns if turn.arm == "left_out"])
    is_both = bool(with_it.turns and without.turns)
    low, high = (max(-1.0, min(1.0, end / scale)) for end in verdict.interval)
    return LearningEffect(
        with_it,
        followed,
        without,
        True,
        verdict.mean / scale if is_both else None,
        (low, high) if is_both else None,
        _VERDICTS.get(verdict.verdict, "cannot tell yet"),
        verdict.needed,
    )


def _bets(turns: Iterable[ComparedTurn], share: float) -> Iterable[PairedStretch]:
    """Yield each turn as a stretch; its success less the rate before it, weighed by the draw.

    Only the order of turns counts here, so a turn lasts one unit of time.
    """
    succeeded = 0.5  # of one turn: the first one knows no rate
    for number, turn in enumerate(turns):
        residual = turn.has_succeeded - succeeded / (number + 1)
        succeeded += turn.has_succeeded
        is_shown = turn.arm == "shown"
        yield PairedStretch(
            number,
            number + 1,
            share * residual if is_shown else 0.0,
            0.0 if is_shown else (1 - share) * residual,
            bound=max(share, 1 - share),
        )


def _arm(turns: Sequence[ComparedTurn]) -> TurnArm:
    succeeded = sum(turn.has_succeeded for turn in turns)
    return TurnArm(len(turns), succeeded, wilson_interval(succeeded, len(turns)))


def _difference(one: TurnArm, other: TurnArm) -> float | None:
    if not one.turns or not other.turns:
        return None
    return one.succeeded / one.turns - other.succeeded / other.turns
