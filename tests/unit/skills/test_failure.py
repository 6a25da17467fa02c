"""An error of a skill's code is told with its message, its file and its line."""

import pytest

from afterword.pipeline.domain.outcomes.probes import Claim, Custom, Probes
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.skills.failure import MAX_FAILURE, failure_of
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.outcome import marked
from afterword.pipeline.testing.roles import HOUR

BODY = """
import json
from afterword import marked

def read(claim):
    return json.loads(claim.inputs["wallet"])

class Whales:
    def outcome(self, claim, due, known_by):
        {line}
"""


def without_this_file(error: Exception) -> Exception:
    """Return an error as one that only the program's own code passed on."""
    return error.with_traceback(error.__traceback__ and error.__traceback__.tb_next)


@pytest.fixture
def failure(clock):
    """Run a probe with one line in it, as a file would be run, and say how it failed."""

    def run(line: str, wallet: str = "{") -> str:
        names: dict = {"__name__": "afterword_skills_desk"}
        exec(compile(BODY.format(line=line), "/home/me/skills/desk.py", "exec"), names)
        claim = Claim({"asset": "BTC", "wallet": wallet}, "long", clock())
        probes, spec = Probes({"whales": names["Whales"]()}), Custom("whales", 1)
        try:
            probes.outcome(spec, claim, PriceBook({}), clock() + HOUR)
        except Exception as error:
            return failure_of(without_this_file(error))
        pytest.fail("it did not fail")

    return run


def test_an_error_names_its_message_file_and_line(failure):
    assert failure("raise ValueError('no wallet')") == "ValueError: no wallet at desk.py:10"


def test_an_error_in_a_library_is_placed_where_the_skill_used_it(failure):
    said = failure("return read(claim)")

    assert said.startswith("JSONDecodeError: Expecting property name")
    assert said.endswith(" at desk.py:6")


def test_an_error_of_this_program_is_placed_in_the_skill_too(failure):
    said = failure("return marked('perhaps', 'who knows')")

    assert said.startswith("InvalidInputError: outcome: is 'perhaps'")
    assert said.endswith(" at desk.py:10")


def test_an_error_before_the_file_is_reached_has_no_place():
    try:
        marked("perhaps", "who knows")
    except InvalidInputError as error:
        said = failure_of(without_this_file(error))
    assert said.startswith("InvalidInputError: outcome: is 'perhaps'")
    assert " at " not in said


def test_a_message_is_one_line_masked_and_short(failure):
    said = failure(f"raise ValueError('key sk-ant-api03-' + 'a' * 40 + chr(10) + {'x' * 2000!r})")

    assert "sk-ant" not in said
    assert "[masked:" in said
    assert "\n" not in said
    assert len(said) < MAX_FAILURE + 60
    assert said.endswith(" at desk.py:10")


def test_an_error_without_a_message_is_its_type(failure):
    assert failure("raise KeyError") == "KeyError at desk.py:10"
