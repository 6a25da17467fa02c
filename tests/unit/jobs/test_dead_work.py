"""Work whose job is dead stays dead: nothing adds it again until a person redrives it."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add, add_many
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.crashes import VERDICT_S, free_crashed
from afterword.pipeline.core.jobs.fail import fail
from afterword.pipeline.core.jobs.inspect import counts, listing
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.jobs.model import MAX_CRASHES
from afterword.pipeline.core.jobs.operate import redrive
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.facts.record import record_fact
from afterword.pipeline.domain.memory.area import EMBED_MEMORIES
from afterword.pipeline.domain.memory.delete import delete_memory, restore_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.builtin import BUILTIN
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.operations.doctor.fix import fix
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.embedding import HashedEmbedder
from afterword.schedules.entry import CronEntry
from afterword.schedules.table import whole_table
from afterword.schedules.tick import add_slot
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Work

NOTE = Kind("note_something", batch=4, max_attempts=1)
POISON = "a text that kills its worker"


def states(store: Store) -> dict[tuple[str, str], int]:
    with reading(store) as conn:
        return counts(conn)


def dead_letter(store: Store, kind: Kind, clock: Clock, error: Exception | None = None) -> None:
    """Let every job of a kind end for good, as a worker would."""
    bad = InvalidInputError("text", "cannot be used", "another text")
    with reading(store) as conn:
        ids = [job.id for job in listing(conn, kind=kind.name)]
    for job_id in ids:
        with writing(store) as conn:
            conn.exec_driver_sql(f"UPDATE jobs SET state = 'ready' WHERE id = {job_id}")
            leases = lease(conn, [job_id], "worker", clock, kind)
        with writing(store) as conn:
            assert fail(conn, leases, kind, error or bad, "", lambda: 0.5) == "dead"


def kill_workers(store: Store, kind: Kind, clock: ManualClock) -> None:
    """Let the one job of a kind kill as many workers as it takes to dead-letter it."""
    for _ in range(MAX_CRASHES):
        with writing(store) as conn:
            (job,) = listing(conn, kind=kind.name)
            assert lease(conn, [job.id], "killed", clock, kind, isolated=True).held
            free_crashed(conn, "killed", clock())
            clock.advance(seconds=VERDICT_S)
            promote(conn, clock())


@pytest.fixture
def poisoned(store: Store, clock: ManualClock, ids: IdSource) -> int:
    """A memory whose embedding job killed its workers until it was dead-lettered."""
    new = NewMemory("context", POISON, type="context")
    (written,) = write_memories(Writer(store, clock, ids, embeds=True), [new])
    kill_workers(store, EMBED_MEMORIES, clock)
    return written.id


@pytest.fixture
def run_scheduled(home, clock: ManualClock, ids: IdSource) -> Iterator[Callable[[str], None]]:
    """Run the jobs of a kind as a worker does, with an embedder that answers."""
    settings = load(home=home, synchronous="NORMAL")
    context = replace(build_context(settings, clock=clock, ids=ids), embedder=HashedEmbedder())

    def run(name: str) -> None:
        store, kind = context.stores.group("main"), ROUTES[name].kind
        clock.advance(minutes=10)
        with writing(store) as conn:
            promote(conn, clock())
            taken = [row.id for row in claim(conn, name, 9, clock())]
            leases = lease(conn, taken, "worker", clock, kind)
        assert leases.held, f"no job {name} is due"
        ROUTES[name].run(Work(context, "main", store, leases))

    with closing(context.stores):
        yield run


def test_the_back_fill_leaves_a_text_alone_that_killed_its_workers(
    store: Store, poisoned: int, command, run_scheduled: Callable[[str], None]
):
    command("cron", "run", "embeddings.backfill")
    run_scheduled("backfill_embeddings")

    assert states(store)[EMBED_MEMORIES.name, "dead"] == 1
    assert (EMBED_MEMORIES.name, "ready") not in states(store)


def test_a_person_redrives_it_once(store: Store, poisoned: int, command, run_scheduled):
    assert command("jobs", "redrive", "--kind", EMBED_MEMORIES.name).code == 0
    run_scheduled(EMBED_MEMORIES.name)

    with reading(store) as conn:
        state = conn.exec_driver_sql("SELECT embedding_state FROM memories").scalar_one()
    assert state == "embedded"
    assert (EMBED_MEMORIES.name, "dead") not in states(store)


def test_the_doctor_counts_memories_with_a_dead_job_and_adds_none_beside_it(
    store: Store, poisoned: int, clock: Clock, command
):
    said = command("doctor").out
    assert "1 memories have no vector, because their embedding job is dead" in said
    assert "afterword jobs redrive --kind embed_memories" in said

    (fixed,) = fix(store, HashedEmbedder(), clock(), only=["embeddings"], apply=True)
    assert (fixed.rows, fixed.applied) == (0, False)


def test_a_restored_memory_does_not_bring_its_dead_job_back(
    store: Store, poisoned: int, clock: Clock, writer: Writer
):
    delete_memory(writer, poisoned)
    restore_memory(Writer(store, clock, random_uid, "owner", embeds=True), poisoned)

    assert (EMBED_MEMORIES.name, "ready") not in states(store)


@pytest.mark.parametrize("entry", whole_table(RoleRegistry(BUILTIN)), ids=lambda entry: entry.name)
def test_no_slot_of_the_schedule_adds_a_job_again_that_is_dead(
    store: Store, clock: ManualClock, entry: CronEntry
):
    kind = ROUTES[entry.job].kind
    with writing(store) as conn:
        assert add_slot(conn, entry, kind, clock(), "here", clock())
    dead_letter(store, kind, clock)
    clock.advance(hours=24)
    with writing(store) as conn:
        assert not add_slot(conn, entry, kind, clock(), "here", clock())

    assert states(store) == {(kind.name, "dead"): 1}


def test_an_owner_who_runs_an_entry_twice_at_one_moment_is_told_so(store: Store, command):
    command("cron", "run", "facts.consolidate")
    told = command("cron", "run", "facts.consolidate")

    assert told.code == 1
    assert "at this very moment already" in told.err and "dead" not in told.err
    assert sum(states(store).values()) == 1


def test_an_owner_who_runs_an_entry_is_told_that_its_job_is_dead(
    store: Store, clock: ManualClock, command
):
    command("cron", "run", "facts.consolidate")
    dead_letter(store, ROUTES["consolidate_facts"].kind, clock)
    clock.advance(minutes=1)
    told = command("cron", "run", "facts.consolidate")

    assert told.code == 1
    assert "afterword jobs redrive --kind consolidate_facts" in told.err


def test_a_new_fact_does_not_begin_a_pass_again_that_kills_its_workers(
    store: Store, clock: ManualClock, ids: IdSource
):
    kind = ROUTES["consolidate_facts"].kind
    record_fact(store, NewMemory("fact", POISON), clock, ids)
    clock.advance(minutes=1)
    with writing(store) as conn:
        promote(conn, clock())
    kill_workers(store, kind, clock)
    record_fact(store, NewMemory("fact", "another one"), clock, ids)

    assert states(store)[kind.name, "dead"] == 1
    assert (kind.name, "later") not in states(store)


def test_a_pass_that_the_outside_ended_goes_on_at_its_next_occasion(
    store: Store, clock: ManualClock
):
    with writing(store) as conn:
        add(conn, NOTE, {}, clock(), key="slot")
        add(conn, NOTE, {"id": 1}, clock())
    dead_letter(store, NOTE, clock, UnavailableError("the outside is away"))
    with writing(store) as conn:
        assert add(conn, NOTE, {}, clock(), key="slot")
        assert add_many(conn, NOTE, [{"id": 1}, {"id": 2}], clock()) == 1

    with reading(store) as conn:
        found = [(job.key, job.payload, job.state) for job in listing(conn)]
    # A row's own job is the same work again whatever ended it.
    assert found == [(None, {"id": 1}, "dead"), ("slot", {}, "ready"), (None, {"id": 2}, "ready")]


def test_dead_jobs_of_one_key_that_an_older_release_left_are_redriven_one_at_a_time(
    store: Store, clock: ManualClock
):
    with writing(store) as conn:
        for _ in range(2):
            conn.exec_driver_sql(
                "INSERT INTO jobs (kind, key, payload, state, available_at, created_at) "
                "VALUES ('note_something', 'slot', '{}', 'dead', 0, 0)"
            )
    with writing(store) as conn:
        assert [redrive(conn, None, clock()) for _ in range(2)] == [1, 0]

    assert states(store) == {(NOTE.name, "dead"): 1, (NOTE.name, "ready"): 1}
