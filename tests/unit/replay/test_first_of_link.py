"""Seeds are looked for once a link, whatever the slices."""

from afterword.pipeline.operations.replay.passes import (
    LINK_US,
    OFFSET_US,
    is_first_of_link,
    link_of,
    passes,
)
from afterword.pipeline.rules.market.windows import DAY_US


def test_one_pass_of_each_link_is_the_first_one():
    every = list(passes(650 * LINK_US - DAY_US, 653 * LINK_US - DAY_US))

    assert [at for at in every if is_first_of_link(at)] == [
        number * LINK_US + OFFSET_US for number in (650, 651, 652)
    ]
    assert {link_of(at) for at in every} == {649, 650, 651, 652}
