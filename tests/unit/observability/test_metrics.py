"""Metrics say what the ledger says: nothing disappears, nothing goes down, labels stay bounded."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dramatiq
import pytest
from dramatiq.brokers.stub import StubBroker
from prometheus_client import generate_latest

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.inspect import counts, totals
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.jobs.operate import pause
from afterword.pipeline.core.jobs.registrations import (
    WorkerRegistration,
    WorkerWatch,
    registrations_folder,
)
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.core.store.names import log_path
from afterword.pipeline.core.store.opening import connect as connect_file
from afterword.pipeline.core.telemetry import emit, listen
from afterword.pipeline.core.telemetry.numbers import Values
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import CircuitOpenError, UnavailableError
from afterword.pipeline.gateway.budget import Budget, Caps, Purpose, Usage
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import CircuitName
from afterword.pipeline.gateway.http.model import SetupError
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.entry import CronEntry
from afterword.schedules.rows import entries
from afterword.schedules.tick import DueEntry, fire
from afterword.schedules.up import Up
from afterword.workers.broker.broker import Delivery
from afterword.workers.middleware.metrics import Runs
from afterword.workers.observability import CATALOGUE, Metrics, watch
from afterword.workers.observability.cached import CachedSource
from afterword.workers.observability.damage import DamageWatch
from afterword.workers.observability.events import EVENT_RULES
from afterword.workers.observability.files import MOST_STORES, file_sizes
from afterword.workers.observability.fleet import fleet
from afterword.workers.observability.health import Health
from afterword.workers.observability.ledger import LONG_S, CronRows, LedgerSource
from afterword.workers.observability.money import MOST_MODELS, MoneySource
from afterword.workers.observability.sources import _circuits
from afterword.workers.testing import FAIL, NOTE_KIND, SPEND, TEST_ROUTES

EMBED, EDGES = Kind("embed_memories", batch=64), Kind("extract_edges", batch=256)
KINDS = (EMBED.name, EDGES.name)
ROOMS = ("pipeline", "workers", "schedules")


@pytest.fixture
def metrics() -> Iterator[Metrics]:
    """Metrics that are told what happens."""
    one = Metrics(KINDS)
    stop = listen(one)
    yield one
    stop()


@pytest.fixture
def ledger(stores: Stores, clock: ManualClock) -> Callable[..., LedgerSource]:
    def build(seconds: ManualSeconds | None = None, cron: CronRows | None = None) -> LedgerSource:
        known = Metrics(KINDS).known
        return LedgerSource(stores, KINDS, known, (), clock, seconds or ManualSeconds(), cron)

    return build


@pytest.fixture
def run_jobs(clock: ManualClock) -> Callable[..., None]:
    """Add jobs to a store and end them as done."""

    def run(store: Store, number: int, kind: Kind = EDGES) -> None:
        with writing(store) as conn:
            add_many(conn, kind, [{}] * number, clock())
            ids = [row.id for row in claim(conn, kind.name, number, clock())]
            leases = lease(conn, ids, "me", clock, kind)
        with writing(store, finishing=leases):
            pass

    return run


def shown(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def ended(numbers: dict[str, Values], outcome: str = "done") -> float:
    return numbers["afterword_jobs_ended_total"][EDGES.name, outcome]


def test_names_carry_their_unit_and_labels_are_words_of_a_closed_list():
    for named in CATALOGUE.values():
        assert named.name.startswith("afterword_")
        assert named.name.endswith("_total") == (named.type == "counter")
        assert "_ms" not in named.name and "millis" not in named.name
        assert not {"id", "uid", "group", "error", "owner", "pid"} & set(named.labels)


def test_help_texts_are_plain_sentences_that_name_the_unit():
    for named in CATALOGUE.values():
        assert re.fullmatch(r"[A-Z1].*\.", named.meaning), named.name
        assert not re.search(r"How many|[Nn]obody|[Ww]hoever|[Ww]hose way", named.meaning), (
            named.name
        )
        for unit, word in (("_seconds", "seconds"), ("_bytes", "bytes"), ("_usd", "US dollars")):
            if unit in named.name:
                assert word in named.meaning, named.name


def test_an_event_with_labels_of_its_own_has_one_for_each_of_its_metric():
    stated = [rule for rules in EVENT_RULES.values() for rule in rules if rule[1].labels]

    assert len(stated) == 7
    assert all(len(event.labels) == len(metric.labels) for metric, event in stated)


def test_every_event_of_a_rule_is_emitted_somewhere():
    root = Path(__file__).parents[3]
    sources = (file.read_text() for room in ROOMS for file in (root / room).rglob("*.py"))
    emitted = {action for text in sources for action in re.findall(r'emit\(\s*"([a-z_.]+)"', text)}

    assert set(EVENT_RULES) <= emitted


def test_events_are_counted_and_timed(metrics: Metrics):
    emit("jobs.leased", kind=EDGES.name, jobs=3, waited_s=[0.02, 0.3, 70.0])
    emit("jobs.ended", kind=EDGES.name, jobs=3, outcome="done")
    emit("jobs.stale", kind=EMBED.name, jobs=2)
    emit("relay.epoch", jobs=5)
    emit("redis.failed", where="lock", error="TimeoutError")
    emit("cron.fired", entry="store.tidy", jobs=1, missed=0, late_s=0.7)
    waits = {"kind": EDGES.name}

    assert shown(metrics, "afterword_job_wait_seconds_count", **waits) == 3
    assert shown(metrics, "afterword_job_wait_seconds_sum", **waits) == pytest.approx(70.32)
    assert shown(metrics, "afterword_job_wait_seconds_bucket", **waits, le="0.5") == 2
    assert (
        shown(metrics, "afterword_process_jobs_ended_total", **waits, outcome="done"),
        shown(metrics, "afterword_stale_commits_total", kind=EMBED.name),
        shown(metrics, "afterword_jobs_resent_total", cause="redis_empty"),
        shown(metrics, "afterword_redis_disruptions_total", where="lock"),
        shown(metrics, "afterword_cron_jobs_total", entry="store.tidy"),
        shown(metrics, "afterword_cron_late_seconds_sum"),
    ) == (3, 2, 5, 1, 1, 0.7)


def test_a_write_is_timed_by_the_store_itself(metrics: Metrics, store: Store):
    names = ("afterword_store_wait_seconds_count", "afterword_store_write_seconds_count")
    before = [shown(metrics, name) or 0 for name in names]
    with writing(store):
        pass

    assert [shown(metrics, name) for name in names] == [number + 1 for number in before]


def test_a_series_with_known_labels_is_there_before_anything_happened(metrics: Metrics):
    assert shown(metrics, "afterword_stale_commits_total", kind=EDGES.name) == 0
    assert shown(metrics, "afterword_jobs_resent_total", cause="unclaimed") == 0


def test_a_kind_nobody_knows_makes_no_series_of_its_own(metrics: Metrics):
    for i in range(100):
        emit("message.skipped", kind=f"from_the_future_{i}")

    assert shown(metrics, "afterword_messages_skipped_total", kind="other") == 100
    assert b"from_the_future" not in generate_latest(metrics.registry)


def test_an_event_without_its_facts_harms_nobody(metrics: Metrics):
    for action in EVENT_RULES:
        emit(action)


def test_no_series_is_doubled_by_its_time_of_birth(metrics: Metrics):
    assert b"_created" not in generate_latest(metrics.registry)


def test_metrics_are_shown_even_if_another_program_asked_for_multiprocess_files(tmp_path: Path):
    program = (
        "from afterword.workers.observability import Metrics;"
        "from prometheus_client import generate_latest;"
        "m = Metrics(['a_kind']); m('jobs.stale', {'kind': 'a_kind', 'jobs': 4});"
        "print(generate_latest(m.registry).decode())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert 'afterword_stale_commits_total{kind="a_kind"} 4.0' in done.stdout


def test_the_ledger_is_shown_by_kind_and_state_with_its_zeros(
    ledger: Any, store: Store, clock: ManualClock
):
    with writing(store) as conn:
        add_many(conn, EDGES, [{}] * 5, clock())
        claim(conn, EDGES.name, 2, clock())
        pause(conn, EMBED.name, clock())
    clock.advance(seconds=90)
    numbers = ledger()()

    assert numbers["afterword_jobs"][EDGES.name, "ready"] == 3
    assert numbers["afterword_jobs"][EDGES.name, "sent"] == 2
    assert numbers["afterword_jobs"][EMBED.name, "dead"] == 0
    assert numbers["afterword_jobs_oldest_ready_age_seconds"] == {
        (EDGES.name,): 90.0,
        (EMBED.name,): 0.0,
    }
    assert numbers["afterword_jobs_paused_groups"] == {(EDGES.name,): 0, (EMBED.name,): 1}


def test_groups_are_summed_and_the_oldest_of_them_is_shown(
    ledger: Any, stores: Stores, clock: ManualClock
):
    for name in ("a", "b", "c"):
        with writing(stores.group(name, create=True)) as conn:
            add_many(conn, EDGES, [{}] * 2, clock())
        clock.advance(seconds=10)
    numbers = ledger()()

    assert numbers["afterword_groups"][()] == 3
    assert numbers["afterword_jobs"][EDGES.name, "ready"] == 6
    assert numbers["afterword_jobs_oldest_ready_age_seconds"][EDGES.name,] == 30


def test_an_age_grows_though_nothing_is_written(ledger: Any, store: Store, clock: ManualClock):
    with writing(store) as conn:
        add_many(conn, EDGES, [{}], clock())
    source = ledger()
    ages = []
    for _ in range(4):
        ages.append(source()["afterword_jobs_oldest_ready_age_seconds"][EDGES.name,])
        clock.advance(seconds=15)

    assert ages == [0, 15, 30, 45]


def test_a_lease_past_its_end_is_seen_though_nothing_is_written(
    ledger: Any, store: Store, clock: ManualClock
):
    with writing(store) as conn:
        add_many(conn, EDGES, [{}, {}], clock())
        ids = [row.id for row in claim(conn, EDGES.name, 2, clock())]
        lease(conn, ids, "me", clock, EDGES)
    source = ledger()
    seen = []
    for _ in range(4):
        seen.append(dict(source()["afterword_leases"]))
        clock.advance(seconds=50)

    assert seen == [
        {("held",): 2, ("expired",): 0, ("long",): 0},
        {("held",): 2, ("expired",): 0, ("long",): 0},
        {("held",): 2, ("expired",): 2, ("long",): 0},
        {("held",): 2, ("expired",): 2, ("long",): 2},
    ]


def test_jobs_a_process_has_been_working_on_for_two_minutes_are_counted_until_they_end(
    metrics: Metrics,
):
    seconds = ManualSeconds()
    broker, runs = StubBroker(middleware=[]), Runs(metrics, seconds, slots=4)
    message = a_delivery()
    runs.before_process_message(broker, message)
    shown_at_first = shown(metrics, "afterword_process_jobs_long")
    seconds.now += LONG_S + 1
    shown_later = shown(metrics, "afterword_process_jobs_long")
    runs.after_process_message(broker, message)

    assert (shown_at_first, shown_later) == (0, 2)
    assert shown(metrics, "afterword_process_jobs_long") == 0


@pytest.mark.parametrize("page", range(1, 40))
def test_damage_on_any_page_is_found_in_a_file_that_is_open_and_in_use(
    stores: Stores, clock: ManualClock, page: int
):
    """A scrape reads some tables only; what it read before is in memory and not read again."""
    store = stores.group("main", create=True)
    write_memories(
        Writer(store, clock, seeded_uids(1)),
        [NewMemory(category="lesson", content=f"lesson {n} about funding") for n in range(200)],
    )
    watch = DamageWatch(stores, ManualSeconds())
    for _ in range(3):
        watch.step()
    with reading(store) as conn:
        conn.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    watch.step()
    assert watch.damaged()["afterword_store_damaged"] == {}

    with store.path.open("r+b") as file:
        file.seek(page * 4096)
        file.write(b"\xa5" * 4096)
    watch.step()
    watch.step()

    assert watch.damaged()["afterword_store_damaged"] == {("main",): 1}


def test_a_look_for_damage_leaves_an_idle_file_as_it_found_it(stores: Stores):
    stores.group("main", create=True)
    stores.close()
    before = sorted(path.name for path in (stores.home / "groups").iterdir())
    DamageWatch(stores, ManualSeconds()).step()

    # A log beside it would make the reconciler look into it every second.
    assert sorted(path.name for path in (stores.home / "groups").iterdir()) == before


def test_a_file_that_was_put_back_is_sound_again(stores: Stores):
    store = stores.group("main", create=True)
    stores.close()
    sound = store.path.read_bytes()
    watch = DamageWatch(stores, ManualSeconds())
    store.path.write_bytes(sound[:4096] + b"\xa5" * 4096 + sound[8192:])
    watch.step()
    watch.step()
    assert watch.damaged()["afterword_store_damaged"] == {("main",): 1}

    store.path.write_bytes(sound)
    watch.step()
    assert watch.damaged()["afterword_store_damaged"] == {}


def test_totals_are_those_of_the_files_so_a_new_process_shows_them_too(
    ledger: Any, store: Store, run_jobs: Any
):
    run_jobs(store, 7)

    assert ended(ledger()()) == 7
    assert ended(ledger()()) == 7
    with reading(store) as conn:
        assert sum(total.jobs for total in totals(conn)) == 7


def test_a_total_does_not_go_down_when_a_group_is_removed(
    ledger: Any, stores: Stores, run_jobs: Any
):
    for name, number in (("keeps", 3), ("goes", 4)):
        run_jobs(stores.group(name, create=True), number)
    source = ledger()
    before = ended(source())
    stores.close()
    for file in (stores.home / "groups").glob("goes.sqlite*"):
        file.unlink()
    numbers = source()

    assert (before, ended(numbers), numbers["afterword_groups"][()]) == (7, 7, 1)


def test_totals_wait_until_every_group_was_read_once(ledger: Any, stores: Stores, run_jobs: Any):
    for name in ("a", "b", "c"):
        run_jobs(stores.group(name, create=True), 2)
    source = ledger(ManualSeconds(step=0.9))  # each question takes time, and a look may take three
    unread = []
    while "afterword_jobs_ended_total" not in (numbers := source()):
        unread.append(numbers["afterword_groups_unread"][()])

    assert unread == sorted(unread, reverse=True) and unread[-1] > 0
    assert ended(numbers) == 6


def test_every_commit_is_seen_however_quick(ledger: Any, store: Store, run_jobs: Any):
    source = ledger()
    for done in range(1, 30):
        run_jobs(store, 1)
        assert ended(source()) == done


def test_a_commit_hidden_in_the_grain_of_time_stamps_is_seen(
    ledger: Any, store: Store, run_jobs: Any
):
    files = (store.path, store.path.with_name(store.path.name + "-wal"))
    run_jobs(store, 50)
    raw = connect_file(store.path, store.options)
    raw.execute("PRAGMA wal_checkpoint(RESTART)")
    raw.close()
    source = ledger()
    source()
    before = [file.stat() for file in files]
    run_jobs(store, 1)  # the log is written again from its start, and keeps its size
    for file, old in zip(files, before, strict=True):
        assert file.stat().st_size == old.st_size
        os.utime(file, ns=(old.st_atime_ns, old.st_mtime_ns))

    assert ended(source()) == 51


def test_an_idle_group_is_read_and_then_left_closed(
    ledger: Any, stores: Stores, store: Store, run_jobs: Any
):
    run_jobs(store, 3)
    source, path = ledger(), str(store.path)
    for _ in range(2):  # the first close empties the log into the file, and that is a change
        for _ in range(3):
            source()
        stores.close()  # as happens after a minute without use
    source()

    opened = [str(fd.readlink()) for fd in Path("/proc/self/fd").iterdir() if fd.exists()]
    assert path not in opened
    assert ended(source()) == 3


def test_a_damaged_group_is_counted_and_hides_no_other(
    ledger: Any, stores: Stores, store: Store, run_jobs: Any
):
    run_jobs(store, 2)
    (stores.home / "groups" / "damaged.sqlite").write_bytes(b"this is no database" * 100)
    numbers = ledger()()

    assert numbers["afterword_groups_unreadable"][()] == 1
    assert numbers["afterword_groups_unread"][()] == 0
    assert ended(numbers) == 2


def test_missed_slots_survive_the_dispatcher_that_missed_them(
    ledger: Any, store: Store, clock: ManualClock
):
    entry = CronEntry("store.tidy", "* * * * *", job="tidy_store")
    waits = DueEntry(entry, begins=clock(), since=clock(), counts_missed=True)
    clock.advance(minutes=10)
    with writing(store) as conn:
        fire(conn, waits, Kind("tidy_store"), "instance", clock())
    numbers = ledger(cron=entries)()

    assert numbers["afterword_cron_missed_ticks_total"]["store.tidy",] == 9
    assert numbers["afterword_cron_last_fired_timestamp_seconds"]["store.tidy",] == (
        clock().timestamp()
    )


def test_a_source_is_read_once_for_all_scrapes_of_some_seconds():
    asked: list[float] = []
    seconds = ManualSeconds()
    one = CachedSource(
        "test", lambda: asked.append(seconds.now) or {}, seconds, effort=ManualSeconds()
    )
    for _ in range(100):
        one.collect()
        seconds.now += 0.5

    assert asked[:4] == [0.0, 3.0, 6.0, 9.0]


def test_a_source_that_costs_much_is_read_less_often():
    asked: list[float] = []
    seconds = ManualSeconds()
    # Each reading keeps a processor busy for 2 s.
    one = CachedSource(
        "test", lambda: asked.append(seconds.now) or {}, seconds, effort=ManualSeconds(step=2)
    )
    for _ in range(100):
        one.collect()
        seconds.now += 1

    assert asked == [0.0, 40.0, 80.0]


def test_a_source_that_fails_shows_nothing_and_says_so():
    told: list[tuple[str, dict[str, Any]]] = []
    stop = listen(lambda action, facts: told.append((action, facts)))

    def fails() -> dict[str, Values]:
        raise UnavailableError("locked")

    found = CachedSource("money", fails, ManualSeconds()).collect()
    stop()

    assert found == []
    assert told == [("metrics.skipped", {"source": "money", "error": "locked"})]


def test_money_is_shown_in_dollars_by_budget_and_by_model(stores: Stores, clock: ManualClock):
    ids = iter(f"r{i}" for i in range(100))
    cents = dict.fromkeys(("learning", "agent", "workflow", "experiment"), 50_000)
    caps = Caps(daily=cents, monthly=cents, groups={"main": 40_000})
    budget = Budget(stores.instance, caps, clock, lambda: next(ids))
    source = MoneySource(budget, stores.instance)
    purpose = Purpose("learning", "main", "reflect_entry", "some-model")
    done = budget.reserve(purpose, 30_000, ttl_s=60)
    budget.settle(done.uid, Usage(1000, 200, 12_000))
    source()
    budget.settle(budget.reserve(purpose, 3_000, ttl_s=60).uid, Usage(100, 20, 2_000))
    budget.reserve(purpose, 5_000, ttl_s=60)
    numbers = source()

    assert numbers["afterword_budget_limit_usd"]["learning", "day"] == 0.05
    assert numbers["afterword_budget_spent_usd"]["learning", "month"] == 0.014
    assert numbers["afterword_budget_reserved_usd"]["group:main", "day"] == 0.005
    assert numbers["afterword_llm_calls_total"] == {("learning", "some-model", "measured"): 2}
    assert numbers["afterword_llm_tokens_total"]["learning", "some-model", "input"] == 1100
    assert numbers["afterword_llm_cost_usd_total"] == {("learning", "some-model"): 0.014}
    assert numbers["afterword_budget_stopped"] == {(): 0}


def test_a_service_that_is_left_alone_is_shown(stores: Stores, clock: ManualClock):
    breaker = Breaker(stores.instance, CircuitName("anthropic", "m", "one"), clock, 60)
    unused = Breaker(stores.instance, CircuitName("disabled", "m", "one"), clock, 60)

    def show() -> Values:
        return _circuits({"llm": breaker, "embedding": unused})["afterword_circuit_open"]

    assert show() == {("anthropic", "m"): 0}

    with pytest.raises(CircuitOpenError):
        breaker.guard(_wrong_key)
    assert show() == {("anthropic", "m"): 1}


def _wrong_key() -> None:
    raise SetupError("check the key")


def test_models_named_from_outside_stay_bounded(stores: Stores, clock: ManualClock):
    many = dict.fromkeys(("learning", "agent", "workflow", "experiment"), 50_000)
    budget = Budget(stores.instance, Caps(many, many), clock, lambda: "unused")
    for i in range(MOST_MODELS + 10):
        budget.enter_outside(Purpose("agent", "main", "turn", f"model {i}"), Usage(1, 1, 1))
    calls = MoneySource(budget, stores.instance)()["afterword_llm_calls_total"]

    assert len(calls) == MOST_MODELS + 1
    assert calls["agent", "other", "outside"] == 10


def test_workers_dispatchers_and_the_dead_are_told_apart(stores: Stores):
    worker = WorkerRegistration(stores.home, "w", threads=8, queues=("quick", "llm"))
    isolation = WorkerRegistration(stores.home, "i", threads=1, queues=("alone",))
    dispatcher = WorkerRegistration(stores.home, "d", threads=0, queues=())
    facts = json.dumps({"pid": 1, "threads": 4, "queues": ["quick"]})
    # A lock file nobody holds is what a killed process leaves.
    (registrations_folder(stores.home) / "gone.lock").write_text(f"{7:>20}\n{facts}")
    numbers = fleet(WorkerWatch(stores.home, ManualSeconds()))
    for registration in (worker, isolation, dispatcher):
        registration.leave()

    assert numbers["afterword_isolation_workers"][("alive",)] == 1
    assert numbers["afterword_workers"] == {("alive",): 1, ("frozen",): 0, ("dead",): 1}
    assert numbers["afterword_dispatchers"][("alive",)] == 1
    assert numbers["afterword_worker_threads"]["quick",] == 8
    assert numbers["afterword_worker_threads"]["embed",] == 0


def test_the_largest_stores_are_shown_and_no_more(stores: Stores):
    for i in range(MOST_STORES + 5):
        (stores.home / "groups" / f"g{i}.sqlite").write_bytes(b"x" * i)
    log_path(stores.folder / "g3.sqlite").write_bytes(b"y" * 1_000_000)
    numbers = file_sizes(stores)

    assert len(numbers["afterword_store_bytes"]) == MOST_STORES
    assert numbers["afterword_store_wal_bytes"]["g3",] == 1_000_000
    assert ("g0",) not in numbers["afterword_store_bytes"]
    assert numbers["afterword_home_free_bytes"][()] > 0


def a_delivery() -> Delivery:
    return Delivery(dramatiq.Message("quick", EDGES.name, ("main", [1, 2]), {}, {}))


def test_busy_slots_never_go_below_zero(metrics: Metrics):
    broker, seconds = StubBroker(middleware=[]), ManualSeconds()
    runs = Runs(metrics, seconds, slots=4)
    message = a_delivery()
    # After-hooks come for messages whose before-hook here never ran.
    runs.after_skip_message(broker, message)
    runs.after_process_message(broker, message, exception=RuntimeError())
    idle = shown(metrics, "afterword_slots_busy")
    runs.before_process_message(broker, message)
    busy = shown(metrics, "afterword_slots_busy")
    seconds.now += 2
    runs.after_process_message(broker, message)
    runs.after_process_message(broker, message)

    assert (idle, busy, shown(metrics, "afterword_slots_busy")) == (0, 1, 0)
    assert shown(metrics, "afterword_slots") == 4
    assert shown(metrics, "afterword_run_seconds_sum", kind=EDGES.name) == 2


def test_a_message_a_gate_held_back_is_no_run(metrics: Metrics):
    broker, runs = StubBroker(middleware=[]), Runs(metrics, ManualSeconds(), slots=4)
    message = a_delivery()
    runs.before_process_message(broker, message)
    runs.after_skip_message(broker, message)

    assert shown(metrics, "afterword_slots_busy") == 0
    assert shown(metrics, "afterword_run_seconds_count", kind=EDGES.name) is None


def test_jobs_a_spent_budget_holds_are_counted_with_the_reason(up: Callable[..., Up]):
    metrics = Metrics(TEST_ROUTES)
    stop = listen(metrics)
    started = up(learning_daily_cap_usd=0)
    store = started.context.stores.group("main", create=True)
    with writing(store) as conn:
        add_many(conn, SPEND, [{"id": 1}], started.context.runtime.clock())
    held = {"kind": SPEND.name, "reason": "over_budget"}
    wait_until(lambda: shown(metrics, "afterword_jobs_held_total", **held) == 1)
    stop()


def test_a_running_fleet_shows_exactly_what_its_ledger_holds(up: Callable[..., Up]):
    metrics = Metrics(TEST_ROUTES)
    stop = listen(metrics)
    started = up()
    store = started.context.stores.group("main")
    watch(metrics, started.context, Health(monotonic), started.context.runtime.stopping, entries)
    with writing(store) as conn:
        add_many(conn, NOTE_KIND, [{"id": i} for i in range(100)], started.context.runtime.clock())
        add_many(conn, FAIL, [{}, {}], started.context.runtime.clock())

    def all_settled() -> bool:
        with reading(store) as conn:
            return counts(conn) == {(FAIL.name, "dead"): 2}

    wait_until(all_settled)
    wait_until(lambda: not started.runner.heartbeat.busy())
    began = time.monotonic()
    wait_until(lambda: shown(metrics, "afterword_jobs", kind=FAIL.name, state="dead") == 2)
    stop()
    with reading(store) as conn:
        held = {(one.kind, one.outcome): one.jobs for one in totals(conn)}
    told = {
        key: shown(metrics, "afterword_process_jobs_ended_total", kind=key[0], outcome=key[1])
        for key in held
    }

    assert time.monotonic() - began < 10
    assert (
        told
        == held
        == {(NOTE_KIND.name, "done"): 100, (FAIL.name, "retried"): 2, (FAIL.name, "dead"): 2}
    )
    assert shown(metrics, "afterword_job_wait_seconds_count", kind=NOTE_KIND.name) == 100
    assert shown(metrics, "afterword_workers", state="alive") == 1
