"""The job of a window answers it, once however often it is delivered; a replay answers the same."""

import pytest

from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import LeaseLostError, lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.institution.area import REFLECT_RUNS
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.settings import load
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Work
from tests.unit.institution.five_roles import SETTING


@pytest.fixture
def measured(command, capture, prices, clock):
    """A run whose first two windows are measured, and their jobs are due."""
    capture()
    start = clock()
    clock.advance(days=9)
    prices("BTCUSDT", start, 9, lambda _hour: 1.002)


@pytest.fixture
def worker(home, clock):
    """Return a function that leases the due jobs of windows and returns what runs them."""
    contexts = []

    def work():
        context = build_context(
            load(home=home, synchronous="NORMAL"), clock=clock, ids=seeded_uids(2)
        )
        contexts.append(context)
        store = context.stores.group("main")
        with writing(store) as conn:
            promote(conn, clock())
            ids = [job.id for job in claim(conn, REFLECT_RUNS.name, 10, clock())]
            leases = lease(conn, ids, "worker", clock, REFLECT_RUNS)
        return lambda: ROUTES[REFLECT_RUNS.name].run(Work(context, "main", store, leases))

    yield work
    for context in contexts:
        context.stores.close()


def _answers(store):
    with reading(store) as conn:
        return conn.exec_driver_sql(
            "SELECT window_hours, answer FROM institution_reflections ORDER BY 1"
        ).all()


def _jobs(store):
    with reading(store) as conn:
        return conn.exec_driver_sql(
            "SELECT count(*) FROM jobs WHERE kind = ?", (REFLECT_RUNS.name,)
        ).scalar()


def test_the_jobs_of_windows_answer_them_and_are_done(store, measured, worker):
    worker()()

    assert _answers(store) == [(24, "yes"), (168, "yes")]
    assert _jobs(store) == 4


def test_a_job_that_lost_its_lease_writes_nothing_and_the_next_delivery_answers_once(
    store, measured, worker, clock
):
    first = worker()
    with writing(store) as conn:  # another worker has them by now
        conn.exec_driver_sql(
            "UPDATE jobs SET state = 'ready', epoch = epoch + 1, lease_owner = NULL,"
            " lease_until = NULL WHERE kind = ? AND state = 'running'",
            (REFLECT_RUNS.name,),
        )
    with pytest.raises(LeaseLostError):
        first()
    assert _answers(store) == []

    worker()()
    assert _answers(store) == [(24, "yes"), (168, "yes")]


def test_while_captures_are_off_the_jobs_end_and_write_nothing(
    store, measured, worker, monkeypatch, command
):
    monkeypatch.setenv(SETTING, "false")
    worker()()
    assert (_answers(store), _jobs(store)) == ([], 4)

    monkeypatch.setenv(SETTING, "true")
    assert "2 windows answered" in command("institution", "run", "reflect").out


def test_a_run_is_forgotten_with_all_that_was_said_in_it_and_of_it(
    command, capture, measured, store
):
    command("institution", "run", "reflect")
    command("institution", "run", "reflect", "r1", "--note", "tangerine words")
    capture(run="r2", asset="ETH", thesis="A tangerine grows")

    done = command("forget", "--subject", "tangerine", "--apply", "--yes")
    assert done.code == 0, done.err + done.out

    with reading(store) as conn:
        texts = [
            value
            for table in ("institution_runs", "institution_role_outputs", "institution_reflections")
            for row in conn.exec_driver_sql(f"SELECT * FROM {table}").all()
            for value in row
        ]
    assert not [text for text in texts if isinstance(text, str) and "tangerine" in text]
    assert command("institution", "run", "show", "r2").code == 1
    assert "Yes" in command("institution", "retrospect", "BTC").out


def test_where_a_run_comes_from_and_what_a_decision_was_made_in(command, capture, measured):
    command("institution", "run", "reflect")
    decision = command("institution", "run", "show", "r1", "--json").json["run"]["decision"]

    why_run = command("memory", "why", "r1").out
    why_decision = command("memory", "why", decision).out

    assert "institution run r1" in why_run and "market analyst: analyst_report" in why_run
    assert "institution run r1" in why_decision and "outcome after 24 h" in why_decision


def test_a_replay_of_the_group_answers_the_same(command, capture, measured, stores):
    command("institution", "run", "reflect")
    lived = command("institution", "run", "show", "r1", "--json").json["run"]["windows"]

    done = command("replay", "run", "again", "--from-group", "main")
    assert done.code == 0, done.err

    with reading(stores.replay("again")) as conn:
        rows = conn.exec_driver_sql(
            "SELECT window_hours, answer, text FROM institution_reflections ORDER BY 1"
        ).all()
    answered = [window for window in lived if window["state"] == "answered"]
    assert rows == [(one["window_hours"], one["answer"], one["why"]) for one in answered]
