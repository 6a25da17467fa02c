"""The pages say what the program does: what they name exists, and what exists is named."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from typer.main import get_command

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.jobs.inspect import STATES
from afterword.pipeline.doors.cli.root import app
from afterword.pipeline.settings import PREFIX, Settings
from afterword.schedules.table import TABLE as SCHEDULE
from afterword.workers.observability import CATALOGUE
from afterword.workers.observability.ledger import OUTCOMES
from afterword.workers.routes import QUEUES, ROUTES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
DECISIONS = sorted((DOCS / "decisions").glob("*.md"))
TRAPS = "tests/contract/test_dramatiq_traps.py"

Rows = list[tuple[str, ...]]


def text_of(name: str) -> str:
    return (DOCS / name).read_text()


def part(page: str, heading: str) -> str:
    """Return what stands below a heading of the second level."""
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text_of(page), re.DOTALL | re.MULTILINE)
    assert found, f"{page} has no part {heading!r}"
    return found[1]


def table(text: str) -> Rows:
    """Return the rows of all tables in a text, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    heads = {n for n, line in enumerate(lines) if set(line) <= set("|-")}
    body = [line for n, line in enumerate(lines) if not heads & {n, n + 1}]
    return [tuple(cell.strip() for cell in line.strip("|").split(" |")) for line in body]


def code(text: str) -> set[str]:
    """Return what a text writes as code."""
    return set(re.findall(r"`([^`\n]+)`", text))


def anchors(page: Path) -> set[str]:
    """Return the names of a page's headings, as a link writes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def default_of(name: str) -> str:
    default = Settings.model_fields[name].get_default(call_default_factory=True)
    if isinstance(default, SecretStr):
        default = default.get_secret_value()
    if default is None or default == "":
        return ""
    return f"`{json.dumps(default) if isinstance(default, dict) else default}`"


def commands(command: Any, *path: str) -> Iterator[str]:
    """Yield every command below one, by its whole name."""
    if not hasattr(command, "list_commands"):
        yield " ".join(path)
        return
    for name in command.list_commands(None):
        yield from commands(command.get_command(None, name), *path, name)


def claims(text: str) -> set[tuple[str, str]]:
    """Return the tests a page names, as (file below the root, function)."""
    named = re.findall(r"`(?:tests/)?([\w/]+\.py)::(test_\w+)`", text)
    return {(f"tests/{file}", test) for file, test in named}


def defined_in(file: str) -> set[str]:
    """Return the names a test file defines that pytest collects."""
    path = ROOT / file
    if not path.is_file():
        return set()
    found = set()
    for node in ast.parse(path.read_text()).body:
        match node:
            case ast.FunctionDef(name=name):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]):  # a state machine's TestCase
                found.add(name)
    return found


def test_every_setting_is_listed_with_its_default_and_meaning() -> None:
    assert table(part("operations.md", "Settings")) == [
        (f"`{PREFIX}{name.upper()}`", default_of(name), field.description)
        for name, field in Settings.model_fields.items()
    ]


def test_every_command_is_listed_with_its_answer() -> None:
    listed = table(part("operations.md", "Commands"))

    assert [row[0].strip("`") for row in listed] == list(commands(get_command(app), "afterword"))
    assert all(row[1] for row in listed)


def test_every_metric_is_listed_with_its_labels_and_meaning() -> None:
    assert sorted(table(part("operations.md", "Metrics"))) == sorted(
        (
            f"`{metric.name}`",
            metric.type,
            ", ".join(f"`{label}`" for label in metric.labels),
            metric.meaning,
        )
        for metric in CATALOGUE.values()
    )


def test_every_kind_of_job_is_listed_with_its_lane_and_limits() -> None:
    assert sorted(row[:5] for row in table(part("architecture.md", "Kinds of job"))) == sorted(
        (
            f"`{route.kind.name}`",
            f"`{route.queue}`",
            str(route.kind.batch),
            f"{route.kind.deadline_s:g} s",
            str(route.kind.max_attempts),
        )
        for route in ROUTES.values()
    )


def test_every_entry_of_the_schedule_is_listed_with_its_job() -> None:
    assert [(row[0], row[2]) for row in table(part("architecture.md", "The schedule"))] == [
        (f"`{entry.name}`", f"`{entry.job}`") for entry in SCHEDULE
    ]


def test_the_glossary_names_every_table_state_outcome_and_lane() -> None:
    named = code(text_of("glossary.md"))
    tables = {table.name for area in all_areas() for table in area.tables}

    assert {*tables, *STATES, *OUTCOMES, *QUEUES} - named == set()


def test_the_glossary_has_one_entry_for_each_word() -> None:
    words = [row[0] for row in table(text_of("glossary.md"))]

    assert [word for word in set(words) if words.count(word) > 1] == []


FIRST_DATED = 25
"""Decisions from here on say when they were made and what was rejected."""


def test_decisions_are_numbered_without_gaps_and_built_alike() -> None:
    numbers = [int(path.name[:4]) for path in DECISIONS]
    assert numbers == list(range(1, len(DECISIONS) + 1))
    for path in DECISIONS:
        heads = re.findall(r"^##? (.+)$", path.read_text(), re.MULTILINE)
        assert heads[0].startswith(f"{path.name[:4]}. "), path.name
        if int(path.name[:4]) < FIRST_DATED:
            assert heads[1:] == ["Context", "Decision", "Consequences"], path.name
            continue
        sections = ["Context", "Decision", "Rejected alternatives", "Consequences"]
        assert heads[1:] == sections, path.name
        assert re.search(r"^Date: \d{4}-\d\d-\d\d\. Status: ", path.read_text(), re.MULTILINE)


def test_every_decision_is_reached_from_the_architecture() -> None:
    listed = re.findall(r"\(decisions/(.+?)\)", part("architecture.md", "Decisions"))

    assert listed == [path.name for path in DECISIONS]


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(there), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_test_a_page_names_exists(page: Path) -> None:
    missing = {claim for claim in claims(page.read_text()) if claim[1] not in defined_in(claim[0])}

    assert missing == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_test_file_a_page_names_exists(page: Path) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)`", page.read_text())

    assert [file for file in named if not (ROOT / file).is_file()] == []


def test_every_fault_names_a_test_or_says_that_none_shows_it() -> None:
    for fault, happens, shown in table(part("operations.md", "Faults")):
        assert happens, fault
        assert claims(shown) or "*Not shown*" in shown, fault


def test_every_trap_of_dramatiq_is_shown_and_every_test_of_one_is_listed() -> None:
    rows = table(part("architecture.md", "Traps of dramatiq 2.2"))
    listed = {name for row in rows for name in code(row[2]) if name.startswith("test_")}

    assert listed == {name for name in defined_in(TRAPS) if name.startswith("test_")}
