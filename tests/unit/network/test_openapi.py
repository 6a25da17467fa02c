"""The OpenAPI document says what the door does: each example is answered as it shows."""

import json
import re
from typing import Any, Final

import jsonschema
import pytest

from afterword.pipeline.doors.http.app import CALLERS_FIELD, area_routes
from afterword.pipeline.doors.http.examples import EXAMPLES, example_answers
from afterword.pipeline.testing.network_door import DoorAnswer
from tests.unit.network.desk import Desk
from tests.unit.network.record_answers import answers_of

ROUTES: Final = [f"{route.method} {route.path}" for route in area_routes()]


@pytest.fixture(scope="module")
def document(desk: Desk) -> Any:
    return desk.door.ask("GET", "/v1/openapi.json").body


@pytest.fixture(scope="module")
def answers(desk: Desk) -> dict[str, DoorAnswer]:
    return dict(answers_of(desk))


def test_every_route_has_an_example_and_its_answer() -> None:
    assert set(EXAMPLES) == set(example_answers()) == set(ROUTES)


@pytest.mark.parametrize("route", [route for route in ROUTES if "openapi" not in route])
def test_an_example_is_answered_as_the_document_shows(
    document: Any, answers: dict[str, DoorAnswer], route: str
) -> None:
    told, answer = operation(document, route), answers[route]
    (done,) = (status for status in told["responses"] if status.startswith("2"))
    media, shown = next(iter(told["responses"][done]["content"].items()))

    assert answer.status == int(done)
    assert answer.headers["content-type"].partition(";")[0] == media
    assert differences(shown["example"], answer.body) == []


def operation(document: Any, route: str) -> Any:
    """Return what the document tells of a route."""
    method, path = route.split()
    return document["paths"][path][method.lower()]


def differences(shown: Any, answered: Any, at: str = "") -> list[str]:
    """Return where an answer has another form than the one that is shown; null may be anything."""
    if shown is None or answered is None:
        return []
    if isinstance(shown, dict) and isinstance(answered, dict):
        names = shown.keys() & answered.keys()
        is_same = shown.keys() == answered.keys() or not names or at.endswith(_MAPS)
        parts = (differences(shown[name], answered[name], f"{at}.{name}") for name in names)
        return sum(parts, [] if is_same else [f"{at}: {shown.keys() ^ answered.keys()}"])
    if isinstance(shown, list) and isinstance(answered, list):
        return differences(shown[0], answered[0], f"{at}[]") if shown and answered else []
    numbers = (int, float)
    same = type(shown) is type(answered) or {type(shown), type(answered)} == set(numbers)
    return [] if same else [f"{at}: {shown!r} {answered!r}"]


_MAPS: Final = (".payload", ".waiting", ".states", ".properties", ".inputs", ".args")
"""Objects whose names are data: of kinds of jobs, of arguments."""

REFUSED: Final = {
    "no token": {"token": None},
    "an unknown argument": {"query": "?colour=red"},
    "another page": {"Origin": "null"},
    "another name": {"Host": "evil.example"},
    "a group that cannot be": {"Afterword_Group": "../x"},
    "a group that is not": {"Afterword_Group": "nobody"},
    "a session that is not": {"Afterword_Session": "forged"},
    "a body of no route": {"body": {"colour": "red"}},
    "a body of another form": {"body": [[]]},
    "a body of another type": {"body": {}, "Content_Type": "text/plain"},
}


_NOTHING: Final = {"job": "0", "case": "0"}
"""What an address has for a thing that is not there, where that must be a number."""


@pytest.mark.parametrize("route", ROUTES)
def test_a_refusal_has_a_status_and_the_form_that_the_document_tells(
    desk: Desk, document: Any, route: str
) -> None:
    method, path = route.split()
    address = re.sub(r"\{(\w+)\}", lambda part: _NOTHING.get(part[1], "nothing"), path)
    told, problem = operation(document, route), document["components"]["schemas"]["Problem"]
    tokens = [*told[CALLERS_FIELD], "observer", "agent"]

    for refused in (*({"token": token} for token in tokens), *REFUSED.values()):
        asked: dict[str, Any] = {"token": tokens[0]} | refused
        answer = desk.door.ask(method, address + asked.pop("query", ""), **asked)
        if answer.status >= 300:
            assert str(answer.status) in told["responses"], (refused, answer.body)
            jsonschema.validate(answer.body, problem)
            assert "Traceback" not in json.dumps(answer.body)


def test_every_argument_is_described(document: Any) -> None:
    for route in ROUTES:
        told = operation(document, route)
        assert all(parameter["description"] for parameter in told.get("parameters", []))
        if EXAMPLES[route].body is not None:
            (body,) = told["requestBody"]["content"].values()
            assert body["example"] == EXAMPLES[route].body
        shown = {
            parameter["name"] for parameter in told.get("parameters", []) if "example" in parameter
        }
        assert set(EXAMPLES[route].query) <= shown
        assert {part.strip("{}") for part in route.split("/") if "{" in part} <= shown
