"""Rooms declare themselves: what the program has belongs to one area, and one line adds another."""

import ast
import json
import os
import re
import subprocess
import sys
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
            *(one.tool for one in area.tools),
            *area.numbers,
        ):
            assert load(dotted) is not None


def test_every_area_file_is_in_the_program_once():
    names = [area.name for area in all_areas()]

    assert len(names) == len(set(names)) == len(FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TOP)))
def test_an_area_file_imports_the_types_of_areas_only(path: Path):
    nodes = list(ast.walk(ast.parse(path.read_text())))
    imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}

    assert imported == {"typing", "afterword.pipeline.core.area"}
    assert not [node for node in nodes if isinstance(node, ast.Import)]


MOODS = '''
"""A room that somebody adds: what an agent felt."""

import typer

from afterword.pipeline.core.area import (
    Area, AreaCommand, AreaJob, AreaTable, CronLine, DoctorCheck, ForgetPlace, Kind, MetricEvent,
    SwitchTask, counter, gauge,
)

AREA = Area(
    name="moods",
    tables=(AreaTable("moods", quiet="mood"),),
    jobs=(AreaJob(Kind("count_moods"), "moods:count", queue="quick", serial="moods {group}"),),
    switches=(SwitchTask("guess_mood", "Guess how the agent felt."),),
    cron=(CronLine("moods.count", "0 0 * * *", job="count_moods"),),
    places=(
        ForgetPlace(
            "moods", order=1_000, words=("why",), blank="why = NULL",
        ),
    ),
    checks=(DoctorCheck("group", "moods:check", order=1_000),),
    commands=(AreaCommand("moods", "moods:say", "Say how many moods there are.", order=1_000),),
    metrics=(
        gauge("moods", "Moods of all groups."),
        counter("moods_felt", "Moods.", "mood", events=(MetricEvent("mood.felt", "times"),)),
    ),
)


def count(work):
    """The job."""


def say(ctx: typer.Context) -> None:
    """Say how many moods there are."""
    typer.echo("one mood")


def check(file):
    from afterword.pipeline.core.store import reading
    from afterword.pipeline.operations.doctor.model import Finding

    with reading(file.store) as conn:
        moods = conn.exec_driver_sql("SELECT count(*) FROM moods").scalar_one()
    yield Finding(f"moods of {file.name}", "fine", f"{moods} moods")
'''

WITH_MOODS = """
import sys
from afterword.pipeline import areas
import moods
areas.AREAS = (*areas.AREAS, moods.AREA)  # its line in the tuple
"""


class Program:
    """The program with one more area in its tuple, run in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, folder / "home"
        (folder / "moods.py").write_text(MOODS)

    def run(self, code: str) -> str:
        """Run some code after the area was added."""
        done = subprocess.run(
            [sys.executable, "-c", f"{WITH_MOODS}\n{code}"],
            capture_output=True,
            text=True,
            check=True,
            cwd=self.folder,
            env=os.environ | {"AFTERWORD_HOME": str(self.home)},
        )
        return done.stdout

    def afterword(self, *line: str) -> str:
        """Run one line of the command."""
        return self.run(
            "from afterword.pipeline.doors.cli import main\n"
            f"sys.argv[1:] = {list(line)!r}\ntry: main()\nexcept SystemExit: pass"
        )


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    one = Program(tmp_path_factory.mktemp("moods"))
    one.afterword("memory", "write", "preference", "Likes quibbleworth")
    one.run(
        "from pathlib import Path\nfrom afterword.pipeline.core.store.driver import dbapi\n"
        f"conn = dbapi.connect({str(one.home / 'groups' / 'main.sqlite')!r})\n"
        "conn.execute('CREATE TABLE moods (id INTEGER PRIMARY KEY, mood TEXT, why TEXT)')\n"
        "conn.execute(\"INSERT INTO moods VALUES (1, 'glad', 'Likes quibbleworth')\")\n"
        "conn.commit()"
    )
    return one


def test_an_added_area_has_its_command_and_its_line_of_help(program: Program):
    assert "\n  moods        Say how many moods there are.\n" in program.afterword("--help")
    assert program.afterword("moods") == "one mood\n"


def test_an_added_area_has_its_route_its_switch_its_cron_entry_and_its_metric(program: Program):
    told = program.run(
        "from afterword.schedules.table import TABLE\n"
        "from afterword.workers.observability import CATALOGUE\n"
        "from afterword.workers.routes import ROUTES\n"
        "route = ROUTES['count_moods']\n"
        "print(route.run is moods.count, route.queue, route.serial('main', {}))\n"
        "print([entry.job for entry in TABLE if entry.name == 'moods.count'])\n"
        "print('afterword_moods' in CATALOGUE)"
    )

    assert told.splitlines() == ["True quick moods main", "['count_moods']", "True"]
    assert "guess_mood" in program.afterword("switch", "ls")


def test_an_added_area_has_its_metric_counted_from_its_event(program: Program):
    told = program.run(
        "from afterword.workers.observability import Metrics\n"
        "metrics = Metrics(['count_moods'])\n"
        "metrics('mood.felt', {'mood': 'glad', 'times': 3})\n"
        "name, labels = 'afterword_moods_felt_total', {'mood': 'glad'}\n"
        "print(metrics.registry.get_sample_value(name, labels))"
    )

    assert told == "3.0\n"


def test_the_doctor_looks_at_an_added_area(program: Program):
    found = {one["subject"]: one for one in json.loads(program.afterword("doctor", "--json"))}

    assert (found["moods of main"]["state"], found["moods of main"]["says"]) == ("fine", "1 moods")


def test_forget_erases_what_an_added_area_holds(program: Program):
    program.afterword("forget", "--memory", "1", "--apply", "--yes")
    told = program.run(
        "from afterword.pipeline.core.store.driver import dbapi\n"
        f"conn = dbapi.connect({str(program.home / 'groups' / 'main.sqlite')!r})\n"
        "print(conn.execute('SELECT mood, why FROM moods').fetchall())"
    )

    assert told.strip() == "[('glad', None)]"
