"""Rooms declare themselves: what the program has belongs to exactly one area."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest
from typer.main import get_command

import afterword
from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.area import load
from afterword.pipeline.doors.agent import TOOLS
from afterword.pipeline.doors.cli.root import app
from afterword.pipeline.gateway.switches import tasks_of
from afterword.pipeline.operations.doctor.fix import ACTIONS
from afterword.pipeline.settings import Settings
from afterword.schedules.table import TABLE
from afterword.workers.observability import CATALOGUE
from afterword.workers.routes import QUEUES, ROUTES

TOP: Final = Path(afterword.__file__).parent
FILES: Final = [
    path
    for package in ("pipeline", "workers", "schedules")
    for path in (TOP / package).rglob("area.py")
    if path != TOP / "pipeline" / "core" / "area.py"
]


def declared(part: str) -> list[str]:
    """Return the names of one part of all areas, sorted."""
    found = [one for area in all_areas() for one in getattr(area, part)]
    return sorted(one if isinstance(one, str) else one.name for one in found)


@pytest.mark.parametrize(
    ("part", "there_is"),
    [
        ("commands", get_command(app).list_commands(None)),  # type: ignore[attr-defined]  # a group
        ("cron", [entry.name for entry in TABLE]),
        ("fixes", ACTIONS),
        ("metrics", CATALOGUE),
        ("settings", Settings.model_fields),
        ("switches", tasks_of(all_areas())),
        ("tools", TOOLS),
    ],
)
def test_what_there_is_belongs_to_exactly_one_area(part: str, there_is: Iterable[str]):
    assert declared(part) == sorted(there_is)


def test_a_setting_stands_in_the_section_of_its_area():
    sections: dict[str, list[str]] = {}
    lines = re.findall(
        r"^    (?:# (\w+)|(\w+): .*)$", (TOP / "pipeline/settings.py").read_text(), re.M
    )
    for area, name in lines:
        if area:
            section = sections.setdefault(area, [])
        elif name in Settings.model_fields:
            section.append(name)

    assert sections == {area.name: list(area.settings) for area in all_areas() if area.settings}


def test_each_kind_of_job_belongs_to_one_area_and_waits_in_a_queue_there_is():
    kinds = sorted(job.kind.name for area in all_areas() for job in area.jobs)

    assert kinds == sorted(ROUTES)
    assert {route.queue for route in ROUTES.values()} <= set(QUEUES)


def test_what_forget_looks_at_is_a_table_of_its_own_area():
    for area in all_areas():
        assert {place.table for place in area.places} <= {table.name for table in area.tables}


def test_what_the_schedule_adds_is_a_job_of_its_own_area():
    for area in all_areas():
        assert {line.job for line in area.cron} <= {job.kind.name for job in area.jobs}


def test_every_dotted_name_stands_for_something():
    for area in all_areas():
        for dotted in (
            *(job.actor for job in area.jobs),
            *(job.has_work for job in area.jobs if job.has_work),
            *(one.check for one in area.checks),
            *(one.fix for one in area.fixes),
            *(one.section for one in area.sections),
            *(one.command for one in area.commands),
            *(one.handler for one in (*area.routes, *area.pages, *area.actions)),
            *(one.tool for one in area.tools),
            *(name for one in area.exports for name in (one.write, one.after) if name),
            *area.numbers,
        ):
            assert load(dotted) is not None


def test_what_is_taken_along_is_a_table_of_its_own_area_and_links_to_another_one():
    exports = {one.name: one for area in all_areas() for one in area.exports}
    for area in all_areas():
        assert {one.table for one in area.exports} <= {table.name for table in area.tables}
    for export in exports.values():
        for link in export.links.split():
            assert exports[link.split("=")[1]].order <= export.order


def test_every_area_file_is_in_the_program_once():
    names = [area.name for area in all_areas()]

    assert len(names) == len(set(names)) == len(FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TOP)))
def test_an_area_file_imports_the_types_of_areas_only(path: Path):
    nodes = list(ast.walk(ast.parse(path.read_text())))
    imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}

    assert imported == {"typing", "afterword.pipeline.core.area"}
    assert not [node for node in nodes if isinstance(node, ast.Import)]
