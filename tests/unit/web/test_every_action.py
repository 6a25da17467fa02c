"""Every declared action: two people do it at once or from an old page, and an observer tries."""

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from afterword.pipeline.areas import all_areas
from afterword.pipeline.testing.network_door import NetworkDoor
from tests.unit.web.action_examples import ACTIONS, ALONE, ActionExample, add_mirrored
from tests.unit.web.raw import Told, Visitor, ask, cookie_of, page_of, token_in
from tests.unit.web.test_every_page import ASKS, PAGES


@pytest.fixture(scope="module")
def door(demo_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NetworkDoor]:
    """Return a server of a home of its own, with an account that is mirrored."""
    home = tmp_path_factory.mktemp("acted") / "home"
    shutil.copytree(demo_home, home)
    add_mirrored(home)
    with NetworkDoor(home) as door:
        yield door


@pytest.fixture(scope="module")
def people(door: NetworkDoor) -> list[Visitor]:
    """Return two owners, each with a browser."""
    return [Visitor(door, cookie_of(door)) for _ in range(2)]


@pytest.fixture(scope="module")
def observer(door: NetworkDoor) -> Visitor:
    """Return somebody who may only look."""
    return Visitor(door, cookie_of(door, "observer"))


def test_every_declared_action_has_an_example():
    declared = {action.path for area in all_areas() for action in area.actions}

    assert declared == ACTIONS.keys() | ALONE.keys()


def forms_of(people: list[Visitor], home: Path, path: str) -> tuple[str, list[dict[str, str]]]:
    """Return the address of an action, and what each person would send from the page they see."""
    example = ACTIONS[path]
    parts = example.prepare(home)
    address = path.format_map(parts)
    pages = [page_of(person.see(example.page.format_map(parts))) for person in people]
    return address, [page.forms[address] | dict(example.fields) for page in pages]


def check_one_did_it(example: ActionExample, told: list[Told]) -> None:
    """Check that one did it, and that the other was told."""
    words = [answer.words for answer in told]
    first = [text for text in words if example.did in text and not reads(example, text)]
    assert len(first) == 1, words
    (second,) = [text for text in words if text is not first[0]]
    assert reads(example, second), second


def reads(example: ActionExample, words: str) -> bool:
    return any(told in words for told in example.told)


@pytest.mark.parametrize("path", ACTIONS)
def test_two_people_at_once_have_one_effect_and_the_other_is_told(
    people: list[Visitor], door: NetworkDoor, path: str
):
    address, sent = forms_of(people, door.home, path)
    barrier = Barrier(len(people))

    def send(person: Visitor, fields: dict[str, str]) -> Told:
        barrier.wait()
        return person.send(address, fields)

    with ThreadPoolExecutor(len(people)) as pool:
        check_one_did_it(ACTIONS[path], list(pool.map(send, people, sent)))


@pytest.mark.parametrize("path", ACTIONS)
def test_an_old_page_does_nothing_to_what_changed_since(
    people: list[Visitor], door: NetworkDoor, path: str
):
    address, sent = forms_of(people, door.home, path)

    told = [person.send(address, fields) for person, fields in zip(people, sent, strict=True)]
    check_one_did_it(ACTIONS[path], told)
    assert reads(ACTIONS[path], told[1].words)


@pytest.mark.parametrize("path", [*ACTIONS, *ALONE])
def test_an_observer_cannot_act(
    people: list[Visitor], observer: Visitor, door: NetworkDoor, path: str
):
    address, fields = "/memory/write", {"content": "Words"}
    if path in ACTIONS:
        address, (fields, *_) = forms_of(people[:1], door.home, path)
    own = {**fields, "form_token": token_in(observer.see("/budget"))}

    status, _headers, refusal = ask(door, "POST", address, own, Cookie=observer.cookie)
    assert status == 403
    assert "This is for: owner" in refusal


def test_a_repair_of_the_home_is_counted_and_done(people: list[Visitor], door: NetworkDoor):
    (door.home / "instance.sqlite").chmod(0o666)
    address = "/doctor/repairs/access"
    form = page_of(people[0].see(address)).forms[address]

    assert form["shown"] == "1 row or file"
    assert "access takes from other users" in people[0].send(address, form).words
    assert (door.home / "instance.sqlite").stat().st_mode & 0o777 == 0o600
    assert address not in page_of(people[0].see(address)).forms


@pytest.mark.parametrize("path", PAGES)
def test_an_observer_sees_no_button(observer: Visitor, examples: dict[str, str], path: str):
    page = page_of(observer.see(path.format_map(examples) + ASKS.get(path, "")))

    assert set(page.buttons) <= {"Show", "Log out"}
    assert page.forms.keys() == {"/logout"}
