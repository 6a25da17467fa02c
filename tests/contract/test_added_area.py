"""One line in the tuple of areas adds a room: every door, driver and list of the program has it.

The room is `added/moods`, with its migration beside it; each run is a process of its own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ADDED: Final = Path(__file__).parent / "added"
ROOT: Final = Path(__file__).parents[2]

WITH_MOODS: Final = """
import sys
from pathlib import Path
from afterword.pipeline import areas
from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import migrate
from moods.area import AREA
migrate.MIGRATIONS = Path({migrations!r})  # the product's, and one more
areas.AREAS = (*areas.AREAS, AREA)  # its line in the tuple
home = Path({home!r})
"""


class Program:
    """The program with one more area in its tuple, run in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.home, migrations = folder / "home", folder / "migrations"
        shutil.copytree(ROOT / "pipeline/core/store/migrations/sqlite", migrations)
        shutil.copy(ADDED / "9999_moods.sql", migrations / "group")
        self._added = WITH_MOODS.format(migrations=str(migrations), home=str(self.home))

    def run(self, code: str) -> str:
        """Run some code after the area was added."""
        paths = os.pathsep.join(map(str, (ADDED, ROOT)))
        done = subprocess.run(
            [sys.executable, "-c", f"{self._added}\n{code}"],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"AFTERWORD_HOME": str(self.home), "PYTHONPATH": paths},
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
    """The program after an agent remembered something, felt glad about it, and decided."""
    program = Program(tmp_path_factory.mktemp("moods"))
    program.afterword("memory", "write", "preference", "Likes quibbleworth")
    program.afterword(
        *("role", "record", "market.spot.momentum", "Buy SOL", "--asset", "SOL"),
        *("--decided-at", "2024-01-05T00:00:00Z", "--direction", "long"),
    )
    told = program.run(
        "from afterword.pipeline.doors.agent import Agent, call\n"
        "with Agent.open('main') as agent:\n"
        "    print(call(agent, 'mood_record', {'mood': 'glad', 'why': 'Likes quibbleworth'}))"
    )
    assert told == "{'id': 1, 'mood': 'glad'}\n"
    return program


def test_it_has_its_command_with_its_help_and_its_view_in_each_form(program: Program):
    assert "\n  moods        Say which moods there were.\n" in program.afterword("--help")
    assert "Say which moods there were." in program.afterword("moods", "--help")
    assert re.search(r"glad +1\n", program.afterword("moods"))
    assert json.loads(program.afterword("moods", "--json")) == {"glad": 1}


def test_a_model_is_told_of_its_tool_by_each_door(program: Program):
    told = program.run(
        "import json\n"
        "from afterword.pipeline.doors.agent import manifest, tools\n"
        "from afterword.pipeline.doors.agent.offered import offered\n"
        "from afterword.pipeline.doors.mcp.offer import tool\n"
        "(entry,) = (entry for entry in manifest() if entry['name'] == 'mood_record')\n"
        "print(json.dumps([entry['description'], 'mood_record' in offered('all'),\n"
        "    tool('mood_record').model_dump(mode='json')]))"
    )
    description, is_offered, over_mcp = json.loads(told)

    assert (description, is_offered) == ("Record how you feel.", True)
    assert sorted(over_mcp["input_schema"]["properties"]) == ["mood", "why"]
    assert sorted(over_mcp["output_schema"]["properties"]) == ["id", "mood"]
    assert over_mcp["annotations"]["read_only_hint"] is False


def test_it_has_its_route_its_switch_and_its_cron_entry(program: Program):
    told = program.run(
        "from afterword.schedules.table import TABLE\n"
        "from afterword.workers.routes import ROUTES\n"
        "from moods.actor import forget\n"
        "route = ROUTES['forget_moods']\n"
        "print(route.run is forget, route.queue, route.serial('main', {}))\n"
        "print([entry.job for entry in TABLE if entry.name == 'moods.forget'])"
    )

    assert told.splitlines() == ["True quick moods main", "['forget_moods']"]
    assert "guess_mood" in program.afterword("switch", "ls")


def test_the_schedule_asks_its_rule_since_when_there_is_work(program: Program):
    told = program.run(
        "from afterword.pipeline.core.store import reading\n"
        "from afterword.pipeline.settings import load\n"
        "from afterword.schedules.table import TABLE\n"
        "from afterword.schedules.work import has_work_since, rules\n"
        "from afterword.workers.worker.app import build_context\n"
        "context = build_context(load(home=home))\n"
        "(entry,) = (entry for entry in TABLE if entry.job == 'forget_moods')\n"
        "with reading(context.stores.group('main')) as conn:\n"
        "    since = has_work_since(rules(context), conn, entry, system_clock(), None)\n"
        "print((since - system_clock()).days)"
    )

    assert told == "29\n"


def test_metrics_show_its_numbers_and_count_its_events(program: Program):
    told = program.run(
        "import threading\n"
        "from prometheus_client import generate_latest\n"
        "from afterword.pipeline.clock import monotonic\n"
        "from afterword.pipeline.settings import load\n"
        "from afterword.workers.observability import Metrics, watch\n"
        "from afterword.workers.observability.health import Health\n"
        "from afterword.workers.worker.app import build_context\n"
        "metrics = Metrics(['count_moods'])\n"
        "watch(metrics, build_context(load(home=home)), Health(monotonic), threading.Event())\n"
        "metrics('mood.felt', {'mood': 'glad', 'times': 3})\n"
        "print(generate_latest(metrics.registry).decode())"
    ).splitlines()

    assert "# HELP afterword_moods Moods of all groups." in told
    assert 'afterword_moods{mood="glad"} 1.0' in told
    assert 'afterword_moods_felt_total{mood="glad"} 3.0' in told


def test_the_reference_lists_its_parts(program: Program):
    told = program.run("import json\nfrom reference.pages import pages\nprint(json.dumps(pages()))")
    pages = json.loads(told)

    assert "afterword moods" in pages["commands.md"]
    assert "Record how you feel." in pages["tools.md"]
    assert "`count_moods`" in pages["jobs.md"]
    assert "the first mood fades" in pages["jobs.md"]
    assert "`afterword_moods`" in pages["metrics.md"]
    assert "| moods | `moods` |" in pages["rooms.md"]


def test_a_job_runs_its_step_of_the_learning_loop_and_the_schedule_asks_when_it_is_due(
    program: Program,
):
    told = program.run(
        "from afterword.pipeline.core.jobs.add import add\n"
        "from afterword.pipeline.core.jobs.inspect import listing\n"
        "from afterword.pipeline.core.jobs.lease import lease\n"
        "from afterword.pipeline.core.store import reading, writing\n"
        "from afterword.pipeline.settings import load\n"
        "from afterword.schedules.table import TABLE\n"
        "from afterword.schedules.work import has_work_since, rules\n"
        "from afterword.workers.routes import ROUTES\n"
        "from afterword.workers.worker.app import build_context\n"
        "from afterword.workers.worker.context import Work\n"
        "from moods.area import COUNT_MOODS\n"
        "from moods.step import RAN\n"
        "context = build_context(load(home=home))\n"
        "store = context.stores.group('main')\n"
        "(entry,) = (entry for entry in TABLE if entry.job == 'count_moods')\n"
        "with reading(store) as conn:\n"
        "    print(has_work_since(rules(context), conn, entry, system_clock(), None).year)\n"
        "with writing(store) as conn:\n"
        "    add(conn, COUNT_MOODS, {}, system_clock())\n"
        "    (job,) = listing(conn, kind='count_moods')\n"
        "    leases = lease(conn, [job.id], 'me', system_clock, COUNT_MOODS)\n"
        "ROUTES['count_moods'].run(Work(context, 'main', store, leases))\n"
        "with reading(store) as conn:\n"
        "    print(RAN, list(listing(conn, kind='count_moods')))"
    )

    assert told.splitlines() == ["2024", "[('main', True, 1)] []"]


def test_a_person_who_asks_for_the_loop_has_its_step_done(program: Program):
    told = program.run(
        "from afterword.pipeline.doors.cli import main\n"
        "from moods.step import RAN\n"
        "sys.argv[1:] = ['role', 'reflect']\n"
        "try: main()\nexcept SystemExit: print(RAN)"
    )

    assert told.splitlines()[-1] == "[('main', False, 1)]"


def test_a_pass_of_a_replay_runs_its_step_once_it_has_work(program: Program):
    told = program.run(
        "from afterword.pipeline.core.store import StoreOptions, Stores\n"
        "from afterword.pipeline.ids import random_uid\n"
        "from moods.step import RAN\n"
        "from tests.unit.replay.worlds import plan_of, price_file, replayed\n"
        "stores = Stores(home, StoreOptions('OFF'), system_clock, random_uid)\n"
        "status = replayed(stores, 'past', plan_of(price_file(home / 'prices', days=20)))\n"
        "passes = [found for address, is_job, found in RAN\n"
        "          if address == 'replay:past' and not is_job]\n"
        "print(len(passes) > 20, passes == sorted(passes), passes[-1] == status.recorded > 0)"
    )

    assert told == "True True True\n"


def test_the_doctor_looks_at_it(program: Program):
    findings = {row["subject"]: row for row in json.loads(program.afterword("doctor", "--json"))}
    finding = findings["moods of main"]

    assert (finding["state"], finding["says"]) == ("fine", "1 moods")


def test_forget_erases_what_it_holds(program: Program):
    program.afterword("forget", "--memory", "1", "--apply", "--yes")
    told = program.run(
        "from afterword.pipeline.core.store.driver import dbapi\n"
        "conn = dbapi.connect(str(home / 'groups' / 'main.sqlite'))\n"
        "print(conn.execute('SELECT mood, why FROM moods').fetchall())"
    )

    assert told == "[('glad', None)]\n"
