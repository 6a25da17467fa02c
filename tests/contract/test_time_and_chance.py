"""Contract of clocks, id sources and random sources: those of the machine, and those of tests."""

import itertools
import re
from datetime import timedelta
from pathlib import Path

import pytest

from afterword.pipeline.clock import EARLIEST, LATEST, Clock, Monotonic, monotonic, system_clock
from afterword.pipeline.ids import (
    IdSource,
    RandomSource,
    random_uid,
    seeded_random,
    seeded_uids,
    system_random,
)
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds, stepped_clock


@pytest.fixture(params=["system", "manual", "stepped", "stepped by a file"])
def clock(request: pytest.FixtureRequest, tmp_path: Path) -> Clock:
    file = tmp_path / "offset"
    if request.param == "stepped by a file":
        file.write_text("-3600")
    clocks: dict[str, Clock] = {"system": system_clock, "manual": ManualClock()}
    return clocks.get(request.param, stepped_clock(file))


@pytest.mark.parametrize("seconds", [monotonic, ManualSeconds(), ManualSeconds(step=0.5)])
def test_seconds_are_numbers_that_never_go_back(seconds: Monotonic):
    taken = [seconds() for _ in range(100)]

    assert all(isinstance(one, float) for one in taken)
    assert taken == sorted(taken)


def test_a_present_is_aware_utc_and_can_be_stored(clock: Clock):
    present = clock()

    assert present.utcoffset() == timedelta(0)
    assert EARLIEST <= present < LATEST


def test_a_clock_that_nobody_sets_does_not_go_back(clock: Clock):
    assert clock() <= clock()


@pytest.mark.parametrize("ids", [random_uid, seeded_uids(1)])
def test_ids_are_32_hexadecimal_digits_and_none_comes_twice(ids: IdSource):
    made = [ids() for _ in range(1_000)]

    assert all(re.fullmatch("[0-9a-f]{32}", one) for one in made)
    assert len(set(made)) == 1_000


@pytest.mark.parametrize("chance", [system_random, seeded_random(1)])
def test_chance_is_a_number_from_zero_to_below_one_and_changes(chance: RandomSource):
    drawn = [chance() for _ in range(1_000)]

    assert all(0 <= one < 1 for one in drawn)
    assert len(set(drawn)) > 900


@pytest.mark.parametrize("source", [seeded_uids, seeded_random])
def test_a_seed_says_what_comes_and_another_seed_something_else(source):
    one, again, other = (list(itertools.islice(iter(source(seed), None), 5)) for seed in (1, 1, 2))

    assert one == again != other
