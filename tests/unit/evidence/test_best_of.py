"""The best of many tries without skill is no better than its bound says."""

from random import Random
from statistics import fmean

import pytest

from afterword.pipeline.rules.evidence.best_of import best_by_luck


@pytest.mark.parametrize(("tries", "votes"), [(2, 10), (16, 40), (200, 100)])
def test_the_mean_of_the_best_stays_below_the_bound_and_is_not_far_from_it(tries, votes):
    chance = Random(f"{tries} {votes}")
    best = fmean(
        max(chance.getrandbits(votes).bit_count() for _ in range(tries)) / votes - 0.5
        for _ in range(400)
    )
    bound = best_by_luck(tries, votes)
    assert 0.4 * bound < best < bound


def test_one_try_has_no_luck_and_no_votes_have_no_bound():
    assert best_by_luck(1, 30) == 0.0
    assert best_by_luck(5, 0) is None
    for wrong in ((0, 5), (3, -1)):
        with pytest.raises(ValueError, match="one try"):
            best_by_luck(*wrong)
