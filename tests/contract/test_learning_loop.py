"""One declaration adds a step to the learning loop: a job, a person and a replay then run it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from afterword.pipeline.areas import AREAS
from afterword.pipeline.core.area import load
from afterword.pipeline.operations.loop.model import steps_asked, steps_of_pass
from afterword.schedules.table import TABLE

ADDED: Final = '''
"""A room that somebody adds: a step that counts decisions, and leaves a line of the audit log."""

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.area import Area, AreaJob, AreaStep, CronLine, Kind
from afterword.pipeline.core.store import writing
from afterword.pipeline.operations.loop.model import LoopStep

COUNT_DECISIONS = Kind("count_decisions")

AREA = Area(
    name="counting",
    jobs=(
        AreaJob(
            COUNT_DECISIONS,
            "afterword.workers.actors.learning:run_step",
            queue="upkeep",
            has_work="afterword.pipeline.operations.loop.has_work:step_due",
            step=AreaStep("counting:COUNT", place=70, asked_place=70),
        ),
    ),
    cron=(CronLine("counting.count", "0 * * * *", job="count_decisions"),),
)


def count(of, roles):
    with writing(of.store, finishing=of.leases) as conn:
        found = conn.exec_driver_sql("SELECT count(*) FROM role_memory").scalar_one()
    RAN.append((of.store.address, bool(of.leases), found))
    return found


def due(conn, roles):
    first = conn.exec_driver_sql("SELECT min(decided_at) FROM role_memory").scalar_one()
    return None if first is None else from_micros(first)


RAN = []
COUNT = LoopStep(name="count_decisions", run=count, due=due)
'''

WITH_ADDED: Final = """
import sys
from pathlib import Path
from afterword.pipeline import areas
areas.AREAS = (*areas.AREAS, __import__("counting").AREA)  # its line in the tuple
from counting import COUNT_DECISIONS, RAN
from afterword.pipeline.clock import system_clock
home = Path(sys.argv[1])
"""

BY_A_JOB: Final = """
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.settings import load
from afterword.schedules.table import TABLE
from afterword.schedules.work import has_work_since, rules
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Work

context = build_context(load(home=home))
store = context.stores.group("main")
(entry,) = (one for one in TABLE if one.job == "count_decisions")
with reading(store) as conn:
    print(has_work_since(rules(context), conn, entry, system_clock(), None).year)
with writing(store) as conn:
    add(conn, COUNT_DECISIONS, {}, system_clock())
    (job,) = listing(conn, kind="count_decisions")
    leases = lease(conn, [job.id], "me", system_clock, COUNT_DECISIONS)
ROUTES["count_decisions"].run(Work(context, "main", store, leases))
with reading(store) as conn:
    print(RAN, list(listing(conn, kind="count_decisions")))
"""

BY_A_PERSON: Final = """
from afterword.pipeline.doors.cli import main
sys.argv[1:] = ["role", "reflect"]
try: main()
except SystemExit: print(RAN)
"""

BY_A_REPLAY: Final = """
from afterword.pipeline.core.store import StoreOptions, Stores
from afterword.pipeline.ids import random_uid
from tests.unit.replay.worlds import plan_of, price_file, replayed

stores = Stores(home, StoreOptions("OFF"), system_clock, random_uid)
status = replayed(stores, "past", plan_of(price_file(home / "prices", days=20)))
passes = [found for address, is_job, found in RAN if address == "replay:past" and not is_job]
print(len(passes) > 20, passes == sorted(passes), passes[-1] == status.recorded > 0)
"""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory):
    """Run code in a process of its own, in which the step is declared."""
    folder = tmp_path_factory.mktemp("counting")
    (folder / "counting.py").write_text(ADDED)
    home = folder / "home"
    paths = os.pathsep.join((str(folder), str(Path.cwd())))

    def run(code: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", f"{WITH_ADDED}\n{code}", str(home)],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"AFTERWORD_HOME": str(home), "PYTHONPATH": paths},
        )
        return done.stdout.splitlines()

    run(
        "from afterword.pipeline.doors.cli import main\n"
        "sys.argv[1:] = ['role', 'record', 'market.spot.momentum', 'Buy SOL',"
        " '--decided-at', '2024-01-05T00:00:00Z', '--asset', 'SOL', '--direction', 'long']\n"
        "main()"
    )
    return run


def test_its_job_runs_an_added_step_and_the_schedule_asks_it_since_when_there_is_work(ran):
    assert ran(BY_A_JOB) == ["2024", "[('main', True, 1)] []"]


def test_a_person_who_asks_for_the_loop_has_an_added_step_done(ran):
    assert ran(BY_A_PERSON)[-1] == "[('main', False, 1)]"


def test_a_pass_of_a_replay_runs_an_added_step_once_it_has_work(ran):
    assert ran(BY_A_REPLAY) == ["True True True"]


def test_every_step_is_named_for_its_job_and_what_is_scheduled_says_when_it_is_due():
    scheduled = {entry.job for entry in TABLE}
    for area in AREAS:
        for job in area.jobs:
            if job.step:
                step = load(job.step.step)
                assert step.name == job.kind.name
                assert step.due is not None or job.kind.name not in scheduled


def test_a_step_follows_steps_that_come_before_it():
    names = [step.name for step in steps_of_pass()]
    for place, step in enumerate(steps_of_pass()):
        assert {*step.follows} <= {*names[:place]}


def test_a_person_is_told_of_outcomes_that_wait_in_a_replay_for_the_next_pass():
    assert [step.name for step in steps_of_pass()] == [
        *("measure_outcomes", "reflect_entries", "weigh_patterns", "word_patterns"),
        *("synthesize_methodologies", "audit_methodologies"),
    ]
    assert [step.name for step in steps_asked()] == [
        *("reflect_entries", "measure_outcomes", "weigh_patterns", "word_patterns"),
    ]
