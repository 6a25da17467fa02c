"""What every command, report and tool answers in one story is what was recorded, byte for byte.

A change that keeps behaviour leaves `recorded/` as it is. One that improves a wording records anew,
in a commit of its own: `RECORD_ANSWERS=1 pytest tests/answers`.
"""

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import partial
from html import unescape
from pathlib import Path

import pytest

from afterword.pipeline.doors.agent import INSTRUCTIONS, TOOLS
from afterword.pipeline.doors.cli import call
from afterword.pipeline.doors.mcp.offer import tool
from afterword.pipeline.doors.render.html import fragment
from afterword.pipeline.doors.render.markdown import markdown
from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.venue_server import VenueServer
from afterword.pipeline.views.blocks import View
from afterword.workers.worker.app import build_context
from tests.answers.materials import open_accounts, write_materials
from tests.answers.tell import Teller
from tests.contract.test_help_examples import commands

STORY = Path(__file__).with_name("story.txt").read_text()
RECORDED = Path(__file__).with_name("recorded")
UNTOLD = {
    "mcp": "serves until its client leaves; its tools are told",
    "up": "runs until it is stopped",
    "worker": "runs until it is stopped",
    "dispatcher": "runs until it is stopped",
    "doctor": "looks at this machine",
    "store backup": "prints the size of files, which SQLite's version decides",
    "store check": "prints the size of files, which SQLite's version decides",
    "store restore": "is told by its own story",
    "demo": "has a test of its own bytes",
    "layout propose": "asks a model, which a test of its own answers",
    "open": "serves until it is stopped",
    "connect": "names the path of this program, and has tests of its own",
    "memory export": "names the key of the installation, which chance makes",
    "memory import": "is told by its own story",
    "store move": "is told by its own story",
}
"""Commands that the story leaves out, each with the reason."""

TAG = re.compile(r"<svg.*?</svg>|<[^>]*>", re.DOTALL)
NUMBER = re.compile(r"\d[\d.,]*\d|\d")
HOME_CHARACTERS = 150
"""Length of the path of the home: a table that holds it is as wide on every machine."""


@pytest.fixture(scope="module")
def views() -> list[View]:
    """The views that the story prints, once `answers` has told it."""
    return []


@pytest.fixture(scope="module")
def answers(
    tmp_path_factory: pytest.TempPathFactory, views: list[View]
) -> Iterator[dict[str, str]]:
    """The answers of this program, by the name of their record."""
    folder = tmp_path_factory.mktemp("story")
    home = folder / "h".ljust(HOME_CHARACTERS - len(f"{folder}/"), "h")
    clock, here = ManualClock(), folder / "here"
    here.mkdir()
    write_materials(here)
    with pytest.MonkeyPatch.context() as patch, VenueServer() as venue:
        open_accounts(venue)
        patch.chdir(here)
        patch.setenv("COLUMNS", "80")
        patch.setenv("AFTERWORD_AUTOSTART", "0")
        patch.setenv("AFTERWORD_SYNCHRONOUS", "NORMAL")
        patch.setenv("AFTERWORD_INSTITUTION_LEARNING_ENABLED", "true")
        patch.setattr(call, "text", lambda view, screen: views.append(view) or text(view, screen))
        command = Command(home, clock, seeded_uids(1))
        settings = load(home=home)
        context = build_context(
            settings, clock=clock, ids=seeded_uids(2), monotonic=ManualSeconds()
        )
        address = "AFTERWORD_HYPERLIQUID_BASE_URL", venue.origin
        told = Teller(command, context, clock, here, partial(patch.setenv, *address)).run(STORY)
        context.stores.close()
        helps = [f"$ afterword {' '.join(path)} --help\n" for path in commands()]
        helps = [one + command(*one.split()[2:]).out for one in helps]
    offered = [tool(name).model_dump(mode="json", exclude_none=True) for name in TOOLS]
    told["help.txt"] = "\n".join(helps)
    told["tools.json"] = json.dumps(offered, indent=1) + "\n"
    told["instructions.txt"] = INSTRUCTIONS
    if os.environ.get("RECORD_ANSWERS"):
        shutil.rmtree(RECORDED, ignore_errors=True)
        RECORDED.mkdir()
        for name, said in told.items():
            (RECORDED / name).write_text(said)
    yield told


@pytest.mark.parametrize("name", sorted(one.name for one in RECORDED.iterdir()))
def test_an_answer_is_what_was_recorded(name: str, answers: dict[str, str]):
    assert answers[name] == (RECORDED / name).read_text()


def test_every_answer_of_the_story_has_a_record(answers: dict[str, str]):
    assert set(answers) == {one.name for one in RECORDED.iterdir()}


def test_the_story_tells_every_command():
    told = [line.removeprefix("both ").split() for line in STORY.splitlines()]

    for path in commands():
        is_told = any(tuple(words[: len(path)]) == path for words in told)
        assert is_told != (" ".join(path) in UNTOLD), path


def test_two_renderings_of_a_view_never_show_two_different_numbers(
    answers: dict[str, str], views: list[View]
):
    for view in views:
        told = numbers(text(view, Screen()))
        assert told - numbers(unescape(TAG.sub(" ", fragment(view)))) == Counter()
        assert told - numbers(markdown(view)) == Counter()
    assert len(views) > 1


def numbers(told: str) -> Counter[str]:
    """Return the numbers of a text as they are written, each as often as it stands there."""
    return Counter(NUMBER.findall(told))
