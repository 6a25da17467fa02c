"""Votes for the tests of the evidence engine."""

from collections.abc import Callable, Iterable, Sequence

import pytest

from afterword.pipeline.rules.evidence.family import FamilyRecord
from afterword.pipeline.rules.evidence.model import Setup, Vote

DAY = 86_400_000_000
WEEK = 7 * DAY
LONG_UP = Setup("long", "up")


@pytest.fixture
def vote() -> Callable[..., Vote]:
    """Make a vote: a week long, right or wrong by 5 % with a band of 1 %."""

    def make(
        week: float = 0,
        is_hit: bool | None = True,
        asset: str = "BTC",
        setup: Setup = LONG_UP,
        base: float = 0.5,
        days: float = 7,
        subject: int = 0,
        **others: float | None,
    ) -> Vote:
        entry_at = round(week * WEEK)
        up = 0.0 if is_hit is None else 0.05 if is_hit == (setup.direction == "long") else -0.05
        exit_at = entry_at + round(days * DAY)
        return Vote(subject, asset, setup, entry_at, exit_at, up, 0.01, base, **others)  # type: ignore[arg-type]

    return make


@pytest.fixture
def family() -> Callable[[Iterable[Vote]], FamilyRecord]:
    """Make a family of votes, with every stretch closed."""

    def make(votes: Iterable[Vote], level: float = 0.05) -> FamilyRecord:
        ordered: Sequence[Vote] = sorted(votes, key=lambda one: (one.entry_at, one.subject))
        record = FamilyRecord(level)
        for one in ordered:
            record.add(one)
        record.close(max((one.exit_at for one in ordered), default=0))
        return record

    return make
