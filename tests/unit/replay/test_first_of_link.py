"""Seeds are looked for once a link, whatever the slices."""

from afterword.pipeline.operations.replay.passes import (
    DAY,
    LINK,
    OFFSET,
    is_first_of_link,
    link_of,
    passes,
)


def test_one_pass_of_each_link_is_the_first_one():
    every = list(passes(650 * LINK - DAY, 653 * LINK - DAY))

    assert [at for at in every if is_first_of_link(at)] == [
        number * LINK + OFFSET for number in (650, 651, 652)
    ]
    assert {link_of(at) for at in every} == {649, 650, 651, 652}
