"""What the scan finds in the sets it was written with, so that a change of a pattern is noticed."""

import pytest

from benchmarks.injection import PARTS, alarms, blind_alarms


@pytest.fixture(scope="module")
def found() -> dict[str, float]:
    return alarms(PARTS["developed"], "developed")


@pytest.mark.parametrize("family", ["overt", "finance", "other_languages", "disguised"])
def test_nearly_every_injection_of_the_developed_sets_is_found(found, family):
    assert found[f"developed_{family}"] >= 0.97


@pytest.mark.parametrize("kind", ["finance", "trigger_words"])
def test_no_true_sentence_of_the_developed_sets_raises_the_alarm(found, kind):
    assert found[f"developed_benign_{kind}"] == 0


@pytest.mark.parametrize("name", ["blind_first", "blind_second"])
def test_the_sets_that_were_written_blind_are_found_as_the_page_says(name):
    found = blind_alarms(name)

    assert found[f"{name}_overt"] >= 0.60
    assert found[f"{name}_finance"] >= 0.58
    assert found[f"{name}_disguised"] >= 0.65
    assert found[f"{name}_true"] <= 0.035
