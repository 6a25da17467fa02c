"""Nothing takes a replay for a group: each part that looks at all files leaves replays alone."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import fakeredis
import pytest

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.core.store.changes import ChangeWatch
from afterword.pipeline.core.store.check import check
from afterword.pipeline.core.store.manifest import read_manifest
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.skills.registry import RoleRegistry
from afterword.pipeline.operations.doctor.examine import examine
from afterword.pipeline.settings import Settings, load
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.dispatcher.groups import GroupTracker
from afterword.schedules.up import Up
from afterword.workers.observability import Metrics
from afterword.workers.observability.damage import DamageWatch
from afterword.workers.observability.files import file_sizes
from afterword.workers.observability.health import Health, require_parts
from afterword.workers.observability.ledger import LedgerSource
from afterword.workers.observability.sources import group_numbers
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context

SECRET = "the quibbleworth account pays the rent"


@dataclass(frozen=True)
class Past:
    """A replay with work that is due, closed, as its folder was then."""

    stores: Stores
    before: dict[str, tuple[bytes, int]]

    def is_untouched(self) -> bool:
        return traces(self.stores) == self.before


def traces(stores: Stores) -> dict[str, tuple[bytes, int]]:
    folder = stores.home / "replays"
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


@pytest.fixture
def past(stores: Stores, writer: Writer) -> Past:
    write_memory(writer, NewMemory("lesson", SECRET))
    replay = stores.replay("past", create=True)
    write_memory(replace(writer, store=replay), NewMemory("lesson", SECRET))
    stores.close()
    return Past(stores, traces(stores))


def test_the_dispatcher_tracks_groups_only(past: Past):
    tracker = GroupTracker(past.stores, monotonic)
    tracker.scan(at_once=True)

    assert [group.name for group in tracker] == ["main"]
    assert ChangeWatch(past.stores.folder, monotonic).scan(at_once=True).changed == ["main"]
    assert past.is_untouched()


def test_everything_runs_beside_a_replay_and_leaves_its_folder_alone(
    past: Past, home: Path, clock: ManualClock, writer: Writer
):
    settings = load(home=home, synchronous="NORMAL", shutdown_grace_s=0.2)
    up = Up(build_context(settings, clock=clock), routes=ROUTES, threads=2)
    up.start()
    try:
        wait_until(lambda: up.dispatcher.starting() is None)
        write_memory(writer, NewMemory("context", "bought BTC for 100 USD", type="context"))
        for _hour in range(7):  # every entry that fires in a group with work, but the daily ones
            clock.advance(hours=1)
            moment = clock()
            wait_until(
                lambda moment=moment: all(
                    group.decided_until is not None and group.decided_until >= moment
                    for group in up.dispatcher.groups
                )
            )
        wait_until(lambda: not jobs(past.stores.group("main")))
        assert [group.name for group in up.dispatcher.groups] == ["main"]
    finally:
        up.stop()

    assert past.is_untouched()
    assert jobs(past.stores.replay("past")) == [EXTRACT_EDGES.name]


def jobs(store: Store) -> list[str]:
    with reading(store) as conn:
        return [job.kind for job in listing(conn)]


def test_the_doctor_examines_and_repairs_no_replay(
    past: Past, home: Path, clock: ManualClock, command: Command
):
    found = list(examine(load(home=home), clock, monotonic, str))
    command("doctor", "--fix", "--apply")

    assert "group main" in {one.subject for one in found}
    assert not [one for one in found if "past" in one.subject + one.says]
    assert past.is_untouched()


def test_metrics_count_and_read_no_replay(past: Past, clock: ManualClock):
    kinds = tuple(ROUTES)
    declared = group_numbers(SimpleNamespace(roles=RoleRegistry([]), settings=Settings()))
    numbers = LedgerSource(
        past.stores, kinds, Metrics(kinds).known, declared, clock, ManualSeconds()
    )()
    watch = DamageWatch(past.stores, ManualSeconds())
    for _ in range(5):
        watch.step()

    assert numbers["afterword_groups"] == {(): 1}
    assert set(file_sizes(past.stores)["afterword_store_bytes"]) == {("instance",), ("main",)}
    assert watch.damaged() == {"afterword_store_damaged": {}}
    assert past.is_untouched()


def test_a_damaged_replay_raises_no_alarm(past: Past, home: Path, command: Command):
    path = past.stores.home / "replays" / "past.sqlite"
    path.write_bytes(b"this is no database" * 300)
    watch = DamageWatch(past.stores, ManualSeconds())
    for _ in range(5):
        watch.step()

    assert watch.damaged() == {"afterword_store_damaged": {}}
    assert command("store", "check").code == 0
    assert command("memory", "read").code == 0
    assert path.read_bytes() == b"this is no database" * 300


def test_health_does_not_depend_on_a_replay_of_the_groups_name(past: Past, home: Path):
    context = build_context(load(home=home, group="past"))
    health = Health(monotonic)
    stopping = _Unset()
    require_parts(health, context, fakeredis.FakeRedis(), stopping)  # type: ignore[arg-type]  # one method of an event
    health.started()

    assert health.reasons() == {}
    assert past.is_untouched()
    context.stores.close()


class _Unset:
    def is_set(self) -> bool:
        return False


def test_a_backup_and_its_restore_hold_no_replay(
    past: Past, home: Path, command: Command, tmp_path: Path
):
    assert command("store", "backup", str(tmp_path / "backup")).code == 0
    files = read_manifest(tmp_path / "backup").files
    elsewhere = Command(tmp_path / "elsewhere", command.clock, command.ids)
    assert elsewhere("store", "restore", str(tmp_path / "backup")).code == 0

    assert {(one.kind, one.name) for one in files if one.kind != "key"} == {
        ("instance", "instance"),
        ("group", "main"),
    }
    assert not (tmp_path / "backup" / "replays").exists()
    assert not (tmp_path / "elsewhere" / "replays").exists()
    refused = command("store", "backup", str(tmp_path / "named"), "--group", "past")
    assert (refused.code, "group 'past' does not exist" in refused.err) == (1, True), refused
    assert past.is_untouched()


def test_a_check_of_all_files_checks_no_replay(past: Past, home: Path, command: Command):
    found = check(home, past.stores.instance.options, lambda _conn: ())

    assert {one.name for one in found} == {"instance", "main"}
    assert "past" not in command("store", "check").out
    assert past.is_untouched()


def test_forget_erases_the_group_and_names_the_replay(past: Past, command: Command):
    done = command("forget", "--subject", "quibbleworth", "--apply", "--yes")

    assert "remove it with `afterword replay rm past`" in done.out
    assert past.is_untouched()


@pytest.mark.parametrize(
    "line",
    [
        ("memory", "read", "--group", "past"),
        ("jobs", "ls", "--group", "past"),
        ("snapshot", "--group", "past"),
        ("forget", "--subject", "quibbleworth", "--group", "past"),
    ],
    ids=" ".join,
)
def test_no_command_for_a_group_opens_the_replay_of_that_name(
    past: Past, command: Command, line: tuple[str, ...]
):
    done = command(*line)

    assert SECRET not in done.out
    assert "'past' does not exist" in done.err or done.code == 0
    assert past.is_untouched()


def test_commands_over_all_groups_list_no_replay(past: Past, command: Command):
    for line in (("jobs", "ls"), ("fleet",), ("budget", "show"), ("jobs", "dead")):
        assert "past" not in command(*line).out
    assert json.loads(command("jobs", "ls", "--json").out) is not None
    assert past.is_untouched()
