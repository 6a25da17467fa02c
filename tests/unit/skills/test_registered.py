"""What a skill file registers is refused at the start if it could not be called later."""

import re
from pathlib import Path

import pytest

from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.errors import InvalidInputError

WHALES = """
class Whales:
    def outcome(self, claim, due, known_by):
        ...
"""
ROLE = """
from afterword import PriceDelta, ReflectionPolicy, Role, Skill
POLICY = ReflectionPolicy(PriceDelta({window}), min_age_hours=24, max_age_hours=48)
DESK = Skill("{skill}", (Role("{skill}.calls", "Calls", ("late",), "{{decision}}", POLICY),))
"""


@pytest.fixture
def refused(tmp_path: Path):
    """Start with some files, and return the words with which the start is refused."""

    def start(*texts: str) -> str:
        (tmp_path / "skills").mkdir()
        for number, text in enumerate(texts):
            (tmp_path / "skills" / f"mine{number or ''}.py").write_text(text)
        with pytest.raises(InvalidInputError) as caught:
            load_roles(tmp_path)
        return str(caught.value)

    return start


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            WHALES + "PROBES = {'whales': Whales}",
            "skills/mine.py: PROBES: 'whales' is the class Whales; "
            "accepted: an object of it, {'whales': Whales()}",
        ),
        (
            "PROBES = {'whales': object()}",
            "skills/mine.py: PROBES: 'whales' is of type object, which is not an OutcomeProbe; "
            "accepted: an object with the method outcome(claim, due, known_by)",
        ),
        (
            "class Whales:\n    def outcome(self, claim): ...\nPROBES = {'whales': Whales()}",
            "skills/mine.py: PROBES: 'whales' takes other arguments: (claim); "
            "accepted: outcome(claim, due, known_by)",
        ),
        (
            "class Whales:\n    async def outcome(self, claim, due, known_by): ...\n"
            "PROBES = {'whales': Whales()}",
            "skills/mine.py: PROBES: 'whales' is asynchronous; "
            "accepted: def outcome(claim, due, known_by), not async",
        ),
        ("PROBES = {3: None}", "skills/mine.py: PROBES: has the name 3; accepted: names as text"),
        (
            "class News: ...\nTOOLS = {'news': News}",
            "skills/mine.py: TOOLS: 'news' is the class News; "
            "accepted: a function news(params, prices, known_by), or an object of it, "
            "{'news': News()}",
        ),
        (
            "TOOLS = {'news': 'get_news'}",
            "skills/mine.py: TOOLS: 'news' is of type str, which is not a Tool; "
            "accepted: a function news(params, prices, known_by)",
        ),
        (
            "def news(symbol): ...\nTOOLS = {'news': news}",
            "skills/mine.py: TOOLS: 'news' takes other arguments: (symbol); "
            "accepted: news(params, prices, known_by)",
        ),
        (
            "SNAPSHOTS = {'tweets': None}",
            "skills/mine.py: SNAPSHOTS: has the name 'tweets'; accepted: news or onchain",
        ),
        (
            "SNAPSHOTS = {'news': []}",
            "skills/mine.py: SNAPSHOTS: 'news' is of type list, which is not Snapshots; "
            "accepted: an object with the method about(asset, start, end, known_by)",
        ),
    ],
)
def test_what_could_not_be_called_is_refused_with_what_to_write(refused, text, said):
    assert refused(text) == said


def test_an_object_written_in_c_is_not_refused_for_its_missing_signature(tmp_path: Path):
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "mine.py").write_text("TOOLS = {'news': max}")

    assert load_roles(tmp_path).post_hoc.tools["news"] is max


def test_a_wrong_role_is_named_with_its_file(refused):
    said = refused(ROLE.format(skill="desk", window=240))

    assert said.startswith("skills/mine.py: role 'desk.calls': min_age_hours: is 24")


def test_an_id_declared_in_two_files_names_both(refused):
    said = refused(ROLE.format(skill="desk", window=24), ROLE.format(skill="desk", window=24))

    assert "declare desk twice (skills/mine.py, skills/mine1.py)" in said


def test_a_file_that_does_not_load_names_its_line(refused):
    said = refused("import json\n\nTABLE = json.loads('{')\n")

    assert re.match(
        r"skills/mine\.py: cannot be loaded \(JSONDecodeError: .* at mine\.py:3\)", said
    )


def test_a_file_that_is_not_python_names_its_line(refused):
    said = refused("A = 1\nB = = 2\n")

    assert re.match(r"skills/mine\.py: cannot be loaded \(SyntaxError: .* at mine\.py:2\)", said)
