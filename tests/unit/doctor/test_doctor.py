"""The doctor finds what is wrong, says what to do, and touches nothing."""

from pathlib import Path

import pytest

from afterword.pipeline import local_model
from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import Clock, monotonic
from afterword.pipeline.core.area import Area, DoctorCheck, Kind
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.fail import fail
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.jobs.operate import pause
from afterword.pipeline.core.jobs.registrations import WorkerRegistration
from afterword.pipeline.core.store import Store, Stores, writing
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.operations.doctor.examine import examine
from afterword.pipeline.operations.doctor.model import Finding
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.workers.observability.doctor import check_redis

EMBED = Kind("embed_memories")


@pytest.fixture
def look(home: Path, clock: Clock, ids: IdSource):
    """Examine the home, and return what was found by its subject."""

    def found() -> dict[str, Finding]:
        return {one.subject: one for one in examine(load(home=home), clock, monotonic, ids)}

    return found


def wrong(found: dict[str, Finding]) -> list[str]:
    return [subject for subject, finding in found.items() if finding.state == "wrong"]


def test_a_healthy_installation_has_nothing_wrong(stores: Stores, store: Store, look):
    found = look()

    assert wrong(found) == []
    assert {"python", "sqlite", "packages", "home", "budget", "group main"} <= found.keys()
    assert found["jobs of main"].says == "0 open, none late, none dead"
    assert "pydantic" in found["packages"].says


def test_a_scan_without_its_model_is_worth_a_note(store, look, monkeypatch):
    monkeypatch.setattr(local_model, "works", lambda: False)

    scan = look()["injection scan"]

    assert scan.state == "note"
    assert "afterword[local]" in scan.remedy


def test_a_home_without_files_is_worth_a_note_and_stays_without(home, look):
    found = look()

    assert wrong(found) == []
    assert "nothing was written" in found["home"].says
    assert not home.exists()


def test_dead_late_and_paused_jobs_are_named_with_what_to_do(store, clock: ManualClock, look):
    with writing(store) as conn:
        for kind in (EMBED, EMBED, Kind("tidy_store"), Kind("sync_history")):
            add(conn, kind, {}, clock())
        leases = lease(conn, [1], "worker", clock, EMBED)
        pause(conn, "sync_history", clock())
    with writing(store) as conn:
        fail(conn, leases, EMBED, InvalidInputError("a", "b", "c"), "", lambda: 0.5)
    clock.advance(minutes=11)
    findings = [
        one
        for one in examine(load(home=store.path.parent.parent), clock, monotonic, str)
        if one.subject == "jobs of main"
    ]

    assert [(one.state, one.says) for one in findings] == [
        ("wrong", "dead jobs: 1 embed_memories"),
        ("wrong", "a job embed_memories has been due for 11 minutes"),
        ("note", "paused kinds: sync_history"),
    ]
    assert "jobs redrive" in findings[0].remedy
    assert "afterword up" in findings[1].remedy


def test_jobs_held_by_a_dead_worker_are_found_and_those_of_a_living_one_are_fine(
    store, home, clock, look
):
    owner, _dispatcher = (
        WorkerRegistration(home, "living", 1, ("quick",), (EMBED.name,)),
        WorkerRegistration(home, "d", 0, ()),
    )
    with writing(store) as conn:
        add(conn, EMBED, {}, clock())
        lease(conn, [1], "living", clock, EMBED)
    assert wrong(look()) == []

    owner.leave()
    assert look()["jobs of main"].says == "1 dead workers still lease jobs"


def test_a_damaged_group_is_named_and_the_others_are_still_examined(stores: Stores, look):
    for name in ("fine", "torn"):
        stores.group(name, create=True)
    stores.close()
    (stores.home / "groups" / "torn.sqlite").write_bytes(b"not a database" * 1000)
    found = look()

    assert wrong(found) == ["group torn"]
    assert "afterword store restore" in found["group torn"].says
    assert "jobs of fine" in found
    assert "jobs of torn" not in found


def test_files_that_others_may_read_are_found(stores, store, look):
    store.path.chmod(0o644)

    assert wrong(look()) == ["privacy"]
    assert look()["privacy"].remedy == f"chmod 600 {store.path}"


def test_a_replay_that_others_may_read_is_found(stores: Stores, store, look):
    past = stores.replay("past", create=True)
    assert wrong(look()) == []
    past.path.chmod(0o640)

    assert look()["privacy"].remedy == f"chmod 600 {past.path}"


def test_a_ledger_of_money_that_was_edited_is_found(stores: Stores, command, look):
    uid = command("budget", "reserve", "agent", "1").out.strip()
    command("budget", "settle", uid, "--cost", "0.5")
    assert wrong(look()) == []

    with writing(stores.instance) as conn:
        conn.exec_driver_sql("UPDATE budget_windows SET spent_micro_usd = 9000000")
    assert wrong(look()) == ["budget"]


def test_notes_of_operators_are_told_and_hidden_in_an_anonymous_report(stores: Stores, command):
    command("switch", "set", "draft_lesson", "off", "--note", "Jane asked")
    command("budget", "stop", "--note", "until Jane pays")

    assert command("doctor").out.count("Jane") == 2
    assert command("doctor", "--anonymous").out.count("Jane") == 0


def test_the_command_prints_a_line_each_and_exits_1_when_something_is_wrong(stores, store, command):
    healthy = command("doctor")
    store.path.chmod(0o644)
    sick = command("doctor", "--json")

    assert healthy.code == 0
    assert "sqlite" in healthy.out
    assert sick.code == 1
    assert [one["subject"] for one in sick.json if one["state"] == "wrong"] == ["privacy"]


def test_a_check_that_cannot_be_made_hides_no_other(store, look, monkeypatch):
    checks = tuple(
        DoctorCheck(scope, "nowhere.at_all:check", order=0)
        for scope in ("installation", "instance", "group")
    )
    areas = (Area(name="missing", checks=checks), *all_areas())
    monkeypatch.setattr("afterword.pipeline.operations.doctor.examine.all_areas", lambda: areas)
    found = look()

    assert wrong(found) == ["missing", "missing of main"]
    assert "the check failed (ModuleNotFoundError" in found["missing"].says
    assert found["redis"].state == "note"
    assert {found[name].state for name in ("budget", "jobs of main", "memory of main")} == {"fine"}


def test_redis_is_asked_only_where_it_is_configured(home):
    (unset,) = check_redis(load(home=home))
    (silent,) = check_redis(load(home=home, redis_url="redis://127.0.0.1:1/0"))

    assert (unset.state, silent.state) == ("note", "wrong")
    assert "does not answer" in silent.says


@pytest.mark.redis
def test_a_redis_that_may_forget_is_found(redis_server: RedisServer, tmp_path, home):
    (safe,) = check_redis(load(home=home, redis_url=redis_server.url))
    forgetful = RedisServer(tmp_path, {"maxmemory-policy": "allkeys-lru"})
    forgetful.start()
    try:
        (unsafe,) = check_redis(load(home=home, redis_url=forgetful.url))
    finally:
        forgetful.stop()

    assert (safe.state, unsafe.state) == ("fine", "wrong")
    assert "noeviction" in unsafe.says
