"""The parts of a result add up to it, to the micro-dollar."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from afterword.pipeline.domain.cases.attribution import attribute


def test_a_result_is_shared_equally_among_the_ids_cited():
    assert attribute(90, 3, [1, 2, 3]) == ({1: 30, 2: 30, 3: 30}, 0)


def test_what_a_division_leaves_and_ids_that_do_not_count_are_the_rest():
    assert attribute(100, 3, [7]) == ({7: 33}, 67)


def test_a_loss_is_shared_like_a_gain():
    assert attribute(-100, 3, [7, 8]) == ({7: -33, 8: -33}, -34)


@given(
    realised=some.integers(-(10**15), 10**15),
    cited=some.integers(1, 20),
    counting=some.integers(0, 20),
)
def test_the_parts_always_add_up(realised, cited, counting):
    counting = list(range(min(cited, counting)))

    shares, rest = attribute(realised, cited, counting)

    assert sum(shares.values()) + rest == realised
    assert all(abs(share) * cited <= abs(realised) for share in shares.values())


def test_more_that_count_than_are_cited_is_a_mistake():
    with pytest.raises(ValueError, match="counting must be 0 to 1 citations, got 2"):
        attribute(1, 1, [1, 2])
