"""Neutral methods without skill: they stay out at some times of the week, or at random."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from afterword.pipeline.domain.outcomes.model import MeasuredOutcome
from afterword.pipeline.rules.evidence.graduation import graduating, is_promising
from afterword.pipeline.rules.evidence.method_record import (
    MethodTally,
    MethodVote,
    method_stretches,
)
from afterword.pipeline.rules.market.exact import PPB
from benchmarks.evidence_neutral import neutral_calls
from benchmarks.evidence_worlds import Chance, chance_of

METHODS: Final = 500

Calls = Sequence[tuple[datetime, MeasuredOutcome]]


class CalmMethods(NamedTuple):
    """How many methods without skill the rules take for skill; counts.

    Args:
        promising: by themselves; `graduates` are chosen among all.
    """

    promising: int
    graduates: int


def calm_methods(folder: Path, names: Sequence[str]) -> CalmMethods:
    """Let methods stay out on days, in parts of days, in parts of one day, or at random.

    Their whole record is judged after each stretch: the best moment of each counts.
    """
    chance = chance_of("calm methods")
    worlds = [calls for name in names for calls in neutral_calls(folder, name).values() if calls]
    best: dict[int, float] = {}
    promising = set()
    for number in range(METHODS):
        tally = MethodTally()
        for stretch in method_stretches(_votes(worlds[number % len(worlds)], chance)):
            tally.add(stretch)
            record = tally.record()
            best[number] = max(best.get(number, 1.0), record.evidence)
            if is_promising(record):
                promising.add(number)
    return CalmMethods(len(promising), len(graduating(best, promising)))


def _votes(calls: Calls, chance: Chance) -> Iterator[MethodVote]:
    """Yield the calls of one method: all at its times of the week, or a tenth of all."""
    day, part = int(chance.integers(8)), int(chance.integers(7))
    for at, outcome in calls:
        if day == 7 and part == 6:
            is_made = chance.random() < 0.1
        else:
            is_made = day in (7, at.weekday()) and part in (6, at.hour // 4)
        if is_made:
            is_hit = None if outcome.verdict == "noise" else outcome.verdict == "right"
            base = (outcome.base_ppb or 0) / PPB
            yield MethodVote(outcome.entry_at, outcome.exit_at, outcome.asset_key, is_hit, base)
