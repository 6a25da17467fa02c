"""Does reading a lesson help: decisions in its situation, with it and without it, by stretch.

A lesson is about decisions of one direction after one kind of move. Whoever heeds it decides
otherwise, so its own direction cannot be compared: all decisions after such a move are, whatever
they say. A decision counts its hit less its base. The decisions that open a stretch vote; those
that enter before it ends share its prices, and do not.

Who reads a lesson may differ in other ways, so a difference alone proves nothing. Where a draw left
the lesson out of a share of the prompts, chance alone separates the two, and a bet may tell.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final, Literal, NamedTuple

from afterword.pipeline.rules.evidence.intervals import difference_interval
from afterword.pipeline.rules.evidence.joining import stretches_of
from afterword.pipeline.rules.evidence.paired import PairedStretch, paired_verdict

LessonArm = Literal["read", "left out", "not read", "before"]
"""`read`: the prompt held the lesson. `left out`: a draw left it out. `not read`: no prompt that we
know of held it. `before`: it was not confirmed yet; the record that selected it cannot prove it."""

EffectVerdict = Literal["helped", "did harm", "cannot tell yet"]

_VERDICTS: Final[dict[str, EffectVerdict]] = {"helps": "helped", "hurts": "did harm"}


class LessonTrial(NamedTuple):
    """A decision in the situation of a lesson.

    Args:
        entry_at, exit_at: microseconds.
        is_hit: None for a move inside the band.
        base: the chance of a hit without skill.
        is_played: whether it is of the direction that the lesson is about.
        share: the share of prompts that a draw left the lesson out of; 0 without a draw.
    """

    entry_at: int
    exit_at: int
    arm: LessonArm
    is_hit: bool | None
    base: float
    is_played: bool
    share: float = 0.0

    @property
    def residual(self) -> float:
        """Hit less base; 0 inside the band."""
        return 0.0 if self.is_hit is None else self.is_hit - self.base


@dataclass(frozen=True, slots=True)
class ArmCount:
    """What the decisions of one arm came to.

    Args:
        decisions: count. Of these `played` are of the direction that the lesson is about.
        stretches: that voted; count.
        hits: of these; several assets in one stretch count as fractions.
        expected: hits without skill.
    """

    decisions: int = 0
    played: int = 0
    stretches: int = 0
    hits: float = 0.0
    expected: float = 0.0


@dataclass(frozen=True, slots=True)
class LessonEffect:
    """Whether reading a lesson helps.

    Args:
        other: left out by the draw, or without a draw not read.
        share: of the draw; 0 without one.
        difference: hits less base a stretch, read minus other; None without both.
        interval: of the difference, 95 %. With a draw it holds however often one looks, and leaves
            0 out exactly when there is a verdict. None with too few stretches.
        needed: further stretches until a verdict, as those so far; None if none is in sight.
    """

    read: ArmCount
    other: ArmCount
    before: ArmCount
    share: float
    difference: float | None
    interval: tuple[float, float] | None
    verdict: EffectVerdict
    needed: int | None


def lesson_effect(trials: Iterable[LessonTrial]) -> LessonEffect:
    """Compare the decisions that were told a lesson with the others.

    Where there was a draw, only drawn decisions count, and those of its last share. That share is
    known, so each residual can be weighed by the chance of the other arm. If the lesson changes
    nothing, the weighed arms of a stretch are equal on average, whatever decisions these are.

    Args:
        trials: all decisions in the situation, in any order.
    """
    ordered = sorted(trials, key=lambda one: (one.entry_at, one.exit_at))
    before = _count([one for one in ordered if one.arm == "before"])
    later = [one for one in ordered if one.arm != "before"]
    share = next((one.share for one in reversed(later) if one.share), 0.0)
    if share:
        drawn = [one for one in later if one.share == share and one.arm != "not read"]
        return _drawn(before, drawn, share)
    return _seen(before, later)


def drawn_stretches(trials: Iterable[LessonTrial], share: float) -> Iterator[PairedStretch]:
    """Yield the stretches of drawn decisions, each a fair bet that a lesson changes nothing.

    The mean of a - b is share · (1 - share) · (mean of those that read - mean of the others).

    Args:
        trials: by entry; all `read` or `left out`.
        share: of the draw.
    """
    for opening, _, ends_at in stretches_of(trials):
        read = fsum(trial.residual for trial in opening if trial.arm == "read")
        without = fsum(trial.residual for trial in opening if trial.arm == "left out")
        yield PairedStretch(
            opening[0].entry_at,
            ends_at,
            share * read / len(opening),
            (1 - share) * without / len(opening),
            bound=max(share, 1 - share),
        )


def _drawn(before: ArmCount, trials: Sequence[LessonTrial], share: float) -> LessonEffect:
    """Return the verdict of a draw."""
    scale = share * (1 - share)
    verdict = paired_verdict(drawn_stretches(trials, share))
    is_both = {one.arm for one in trials} >= {"read", "left out"}
    low, high = (max(-1.0, min(1.0, end / scale)) for end in verdict.interval)
    return LessonEffect(
        *_arms(trials, "left out"),
        before,
        share,
        verdict.mean / scale if is_both else None,
        (low, high) if is_both else None,
        _VERDICTS.get(verdict.verdict, "cannot tell yet"),
        verdict.needed,
    )


def _seen(before: ArmCount, trials: Sequence[LessonTrial]) -> LessonEffect:
    """Return what was seen without a draw: numbers, and never a verdict."""
    read, other = ([one for one in trials if one.arm == arm] for arm in ("read", "not read"))
    means = [_means(read), _means(other)]
    difference = None
    if all(means):
        difference = fsum(means[0]) / len(means[0]) - fsum(means[1]) / len(means[1])
    interval = difference_interval(*means)
    return LessonEffect(
        *_arms(trials, "not read"), before, 0.0, difference, interval, "cannot tell yet", None
    )


def _arms(trials: Sequence[LessonTrial], other: LessonArm) -> tuple[ArmCount, ArmCount]:
    read = [one for one in trials if one.arm == "read"]
    return _count(read), _count([one for one in trials if one.arm == other])


def _count(trials: Sequence[LessonTrial]) -> ArmCount:
    votes = _votes(trials)
    return ArmCount(
        len(trials),
        sum(one.is_played for one in trials),
        len(votes),
        fsum(sum(bool(one.is_hit) for one in voting) / len(voting) for voting in votes),
        fsum(fsum(one.base for one in voting) / len(voting) for voting in votes),
    )


def _means(trials: Sequence[LessonTrial]) -> list[float]:
    """Return the mean residual of each stretch that voted."""
    votes = _votes(trials)
    return [fsum(one.residual for one in voting) / len(voting) for voting in votes]


def _votes(trials: Iterable[LessonTrial]) -> list[list[LessonTrial]]:
    """Return, of each stretch that votes, the decisions that open it and left the band."""
    openings = (stretch.first for stretch in stretches_of(trials))
    votes = ([trial for trial in opening if trial.is_hit is not None] for opening in openings)
    return [voting for voting in votes if voting]
