"""Recorded cassettes are keyed by what is sent, so the schemas of the forms keep their names."""

from afterword.pipeline.domain.facts.llm_judge import Comparison
from afterword.pipeline.domain.reflection.llm_judge import ClassifyForm, DraftForm


def test_the_forms_are_sent_under_the_names_they_were_recorded_with():
    assert ClassifyForm.model_json_schema()["title"] == "Classified"
    assert DraftForm.model_json_schema()["title"] == "Drafted"


def test_the_part_of_a_form_is_sent_under_the_name_it_was_recorded_with():
    (pair,) = Comparison.model_json_schema()["$defs"].items()
    assert (pair[0], pair[1]["title"]) == ("Compared", "Compared")
