"""The patterns on the page of an asset: only what may be told of it, and no half of a sentence."""

import pytest

from afterword.pipeline.areas import AREAS
from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.patterns import form_rows
from afterword.pipeline.recall.page.compile import Pages
from afterword.pipeline.recall.page.patterns import PatternSection
from afterword.pipeline.recall.page.sections import sections_of
from afterword.pipeline.testing.patterns import stored_pattern
from tests.corpora.blocks import parse_page

TITLE = "What past decisions show"


@pytest.fixture
def keep(store, clock):
    def insert(*patterns):
        with writing(store) as conn:
            return form_rows.insert(conn, patterns, to_micros(clock()))

    return insert


@pytest.fixture
def told(store, clock):
    """Return the lines of an asset's page about past decisions."""

    def read(asset, *sections, as_of=None):
        pages = Pages(store, clock, sections or sections_of(AREAS))
        lines = parse_page(pages.page(asset, as_of=as_of)).lines
        return [(one.label, one.text) for one in lines if one.title == TITLE]

    return read


def test_a_pattern_is_told_of_the_assets_it_names_and_of_no_other(keep, told):
    keep(stored_pattern("Right 12 of 60.", "SOL", "AVAX"))

    assert told("SOL") == told("AVAX") == [("confirmed", "desk.calls: Right 12 of 60.")]
    assert told("BTC") == []


def test_a_pattern_of_the_whole_class_is_told_of_each_asset_of_that_class(keep, told):
    keep(stored_pattern("Right 12 of 60.", is_class=True))

    assert len(told("BTC")) == len(told("PEPE")) == 1
    assert told("xyz:TSLA") == told("EUR/USD") == []


def test_a_hint_is_shown_on_request_only_and_what_no_longer_holds_never(keep, told):
    keep(stored_pattern("A hint, not a lesson: 9 of 30.", "SOL", role="a.b", state="emerging"))
    keep(stored_pattern("No longer holds.", "SOL", role="a.c", state="retired"))

    assert told("SOL") == []
    assert told("SOL", PatternSection(10, choice="all")) == [
        ("hint", "a.b: A hint, not a lesson: 9 of 30.")
    ]


def test_a_long_text_ends_with_a_whole_sentence(keep, told):
    counts = "Failing: longs after a rise, SOL: right 12 of 60 stretches, mean −2.0 % beyond"
    keep(stored_pattern(f"{counts}. {'Chance finds this ' * 12}. Expect 30 % next.", "SOL"))

    ((_, text),) = told("SOL")
    assert text == f"desk.calls: {counts}."


def test_a_past_page_shows_the_patterns_of_that_moment(keep, told, clock, store):
    (first,) = keep(stored_pattern("Right 12 of 60.", "SOL"))
    then = clock()
    clock.advance(days=1)
    with writing(store) as conn:
        form_rows.end(conn, [first], to_micros(clock()))

    assert told("SOL") == []
    assert len(told("SOL", as_of=then)) == 1
