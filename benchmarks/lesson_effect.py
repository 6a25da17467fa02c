"""Whether a draw says that an idle lesson helps, and how soon it sees one that does.

Made decisions, one a day, with the base rate of a fair coin: a lesson that changes nothing, and one
that turns a share of the misses of its readers into hits. The draw and the verdict are those of the
shipped rules, looked at after every stretch.
"""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.rules.evidence.bets import Wager
from afterword.pipeline.rules.evidence.holdout import MILLION, is_left_out
from afterword.pipeline.rules.evidence.lesson_effect import LessonArm, LessonTrial, drawn_stretches
from afterword.pipeline.rules.evidence.paired import TOLD_AT, PairedStretch
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.evidence_worlds import SEED, chance_of

SHARES: Final = (0.1, 0.2, 0.5)
"""Shares of prompts that go without the lesson."""

RIGHT: Final = 0.3
"""Share of hits without the lesson: its setup fails."""

TURNED: Final = (0.3, 0.5)
"""Shares of the misses of readers that become hits."""

SIZES: Final = (50, 100, 200, 400)
"""Stretches at which the verdict is looked up."""

FALSE: Final = 0.05
"""Share of runs in which a lesson without effect may ever be said to help, or to do harm."""

DAY: Final = 86_400_000_000


def stretches(share: float, turned: float, name: str) -> list[PairedStretch]:
    """Return drawn decisions as stretches, a day each.

    Args:
        turned: share of the readers' misses that become hits.
        name: of the run; it names the decisions, too.
    """
    chance = chance_of("lesson_effect", str(share), str(turned), name)
    trials = []
    for day in range(max(SIZES)):
        is_read = not is_left_out(round(share * MILLION), f"{name} {day}", "lesson")
        rate = RIGHT + (1 - RIGHT) * turned if is_read else RIGHT
        arm: LessonArm = "read" if is_read else "left out"
        is_hit = chance.random() < rate
        at = day * DAY
        trials.append(LessonTrial(at, at + DAY, arm, is_hit, 0.5, is_played=True, share=share))
    return list(drawn_stretches(trials, share))


def told_at(found: Sequence[PairedStretch], sign: int) -> int | None:
    """Return after how many stretches a verdict is first reached; None if never.

    Args:
        sign: 1 for `helped`, -1 for `did harm`.
    """
    wager = Wager()
    for number, one in enumerate(found, start=1):
        wager.add(sign * (one.a - one.b) / one.bound)
        if wager.value >= TOLD_AT:
            return number
    return None


def ask(runs: int) -> Answer:
    """Measure both, and hold them to the promise."""
    measured: dict[str, float] = {}
    for share in SHARES:
        name = f"share_{share * 100:.0f}"
        idle = [stretches(share, 0.0, str(run)) for run in range(runs)]
        for word, sign in (("helped", 1), ("harmed", -1)):
            ever = sum(told_at(one, sign) is not None for one in idle) / runs
            measured[f"{name}_idle_{word}_ever"] = ever
            note(f"{name}: a lesson that changes nothing {word}: {ever:.3f}")
        for turned in TURNED:
            found = [told_at(stretches(share, turned, str(run)), 1) for run in range(runs)]
            for size in SIZES:
                told = sum(at is not None and at <= size for at in found) / runs
                measured[f"{name}_turned_{turned * 100:.0f}_{size}"] = told
                note(f"{name}, {turned:.0%} turned, {size} stretches: {told:.2f}")
    targets = {name: Target(at_most=FALSE) for name in measured if "_idle_" in name}
    targets |= {"share_50_turned_50_100": Target(at_least=0.8)}
    return Answer("lesson_effect", measured, targets, sizes={"runs": runs, "seed": SEED})


if __name__ == "__main__":
    answers(ask, runs=(int, 500, "runs of each share and lesson"))
