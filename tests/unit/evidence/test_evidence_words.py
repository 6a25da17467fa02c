"""What the evidence rules say in words."""

from afterword.pipeline.rules.evidence.model import Setup
from afterword.pipeline.rules.evidence.words import SEEN_BY, setup_name


def test_a_setup_is_named_by_its_direction_and_the_move_before():
    assert setup_name(Setup("long", "up")) == "longs after a rise beyond the band"
    assert setup_name(Setup("short", "flat")) == "shorts after no clear move"


def test_without_a_finding_the_text_says_what_would_be_found():
    assert SEEN_BY == (
        "A flaw that turns half of a setup's hits into misses shows after about 60 stretches of "
        "it, one that turns a third after about 125."
    )
