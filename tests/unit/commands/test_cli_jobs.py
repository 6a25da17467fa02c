"""What an operator sees of the ledger, in words, and does to it."""

from datetime import timedelta

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add, add_many
from afterword.pipeline.core.jobs.fail import fail, postpone
from afterword.pipeline.core.jobs.inspect import counts
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.clock import ManualClock

EMBED = Kind("embed_memories", batch=64)


def dead_letter(store: Store, clock: Clock, ids: list[int]) -> None:
    """Let each job fail in the way that is never retried."""
    for job_id in ids:
        with writing(store) as conn:
            leases = lease(conn, [job_id], "worker-a", clock, EMBED)
        with writing(store) as conn:
            error = InvalidInputError("text", "is gone", "a text")
            fail(conn, leases, EMBED, error, "Traceback:\n  line 7", lambda: 0.5)


def test_the_backlog_is_told_per_group_and_kind(stores: Stores, store, clock, command):
    with writing(store) as conn:
        add_many(conn, EMBED, [{"memory_id": n} for n in range(4)], clock())
    with writing(stores.group("other", create=True)) as conn:
        add(conn, EMBED, {}, clock())
    clock.advance(minutes=4, seconds=10)
    with writing(store) as conn:
        leases = lease(conn, [1], "worker-a", clock, EMBED)
    clock.advance(seconds=2)
    with writing(store, finishing=leases):
        pass
    clock.advance(seconds=2)
    table = command("jobs", "ls").out.splitlines()

    assert " ".join(table[1].split()) == (
        "main embed_memories 3 ready 4 min 14 s 0.5/s, empty in 6.0 s"
    )
    assert table[2].startswith("other")
    other = command("jobs", "ls", "--group", "other").out.splitlines()
    assert other[2:] == ["no process is alive: 1 job waits; start `afterword up`"]
    value = command("jobs", "ls", "--json").json[0]
    assert (value["states"], value["live_threads"]) == ({"ready": 3}, 0)


def test_a_job_says_in_words_what_it_waits_for(store, clock, command):
    with writing(store) as conn:
        add(conn, EMBED, {"memory_id": 9}, clock(), key="nine")
        until = clock() + timedelta(hours=2)
        postpone(conn, [1], until, "budget:learning until 2026-01-05T02:00Z", clock())
    shown = command("jobs", "show", "1").out

    assert "its start time, in 2 h 0 min (budget:learning until 2026-01-05T02:00Z)" in shown
    assert "memory_id 9" in shown
    assert "no run of this job has ended" in shown


def test_a_dead_job_shows_its_runs_and_error_and_its_traceback_on_demand(store, clock, command):
    with writing(store) as conn:
        add(conn, EMBED, {}, clock())
    dead_letter(store, clock, [1])
    shown = command("jobs", "show", "1")

    assert "an operator; its last error: InvalidInputError: text: is gone" in shown.out
    assert "worker-a" in shown.out
    assert "line 7" not in shown.out
    assert "  line 7" in command("jobs", "show", "1", "--debug").out
    assert command("jobs", "show", "1", "--json").json["runs"][0]["outcome"] == "dead"
    assert "1   embed_memories  dead" in command("jobs", "dead").out
    assert command("jobs", "dead", "--kind", "other").out == "no dead job of kind other\n"


def test_a_finished_job_is_known_by_its_runs(store, clock, command):
    with writing(store) as conn:
        add(conn, EMBED, {}, clock())
        leases = lease(conn, [1], "worker-a", clock, EMBED)
    with writing(store, finishing=leases):
        pass

    assert "is done; only its runs are kept" in command("jobs", "show", "1").out
    assert command("jobs", "stats", "--json").json[0]["outcome"] == "done"
    assert command("jobs", "stats").out.splitlines()[1].split()[:4] == [
        *("main", "embed_memories", "done", "1")
    ]


def test_dead_jobs_are_counted_and_then_revived(store, clock, command):
    with writing(store) as conn:
        add_many(conn, EMBED, [{}] * 3, clock())
    dead_letter(store, clock, [1, 2, 3])

    assert command("jobs", "redrive", "--dry-run").out == "3 dead jobs can be revived\n"
    assert len(command("jobs", "dead", "--json").json) == 3
    assert command("jobs", "redrive", "--limit", "1").out == "1 dead jobs are due again\n"
    assert command("jobs", "retry", "2").out == "job 2 was dead; it is due now\n"
    assert command("jobs", "redrive", "--rate", "0.5").out == "1 dead jobs are due again\n"
    with reading(store) as conn:
        assert counts(conn) == {("embed_memories", "ready"): 3}
    assert command("jobs", "retry", "2").err == "afterword: job 2 is ready; it needs no retry\n"


def test_a_dead_job_that_runs_again_has_the_priority_it_was_added_with(store, clock, command):
    with writing(store) as conn:
        add(conn, EMBED, {"n": 1}, clock(), priority=5)
        add(conn, EMBED, {"n": 2}, clock(), priority=-10)
        add(conn, EMBED, {"n": 3}, clock(), priority=7)
    dead_letter(store, clock, [1, 2, 3])
    command("jobs", "retry", "3")
    command("jobs", "redrive")

    rows = command("jobs", "ls", "--kind", EMBED.name, "--json").json
    assert {row["payload"]["n"]: row["priority"] for row in rows} == {1: 5, 2: -10, 3: 7}


def test_jobs_are_chosen_by_queue_and_age_counted_first(store, clock, command):
    with writing(store) as conn:
        add_many(conn, EMBED, [{}, {}], clock())
        add(conn, Kind("sync_history"), {}, clock(), run_at=clock() + timedelta(hours=3))
    clock.advance(minutes=90)
    with writing(store) as conn:
        add(conn, EMBED, {}, clock())
    dead_letter(store, clock, [1, 2, 4])
    old = ("--queue", "embed", "--older-than-min", "60")

    assert command("jobs", "redrive", *old, "--dry-run").out == "2 dead jobs can be revived\n"
    assert [row["id"] for row in command("jobs", "dead", *old, "--json").json] == [1, 2]
    assert command("jobs", "redrive", "--queue", "llm").out == "0 dead jobs are due again\n"
    assert command("jobs", "redrive", *old).out == "2 dead jobs are due again\n"
    assert [row["id"] for row in command("jobs", "ls", "--queue", "sync", "--json").json] == [3]
    waiting = ("jobs", "retry", "--queue", "sync")
    assert command(*waiting, "--older-than-min", "99").out == "0 waiting jobs started, due now\n"
    assert command(*waiting, "--dry-run").out == "1 waiting job can be started\n"
    assert command(*waiting).out == "1 waiting job started, due now\n"
    with reading(store) as conn:
        assert counts(conn) == {
            ("embed_memories", "ready"): 2,
            ("embed_memories", "dead"): 1,
            ("sync_history", "ready"): 1,
        }


def test_a_choice_of_jobs_that_means_nothing_is_refused(store, command):
    for line, words in (
        (("redrive", "--queue", "fast"), "queue: 'fast' is unknown"),
        (("redrive", "--older-than-min", "-1"), "older_than_min: is -1"),
        (("ls", "--older-than-min", "nan"), "older_than_min: is nan"),
        (("retry",), "id: names one job, and options mean several"),
        (("retry", "1", "--queue", "sync"), "id: names one job, and options mean several"),
    ):
        answer = command("jobs", *line)
        assert (answer.code, answer.err.startswith(f"afterword: {words}")) == (2, True)


def test_a_rate_that_never_ends_is_refused_even_as_a_dry_run(store, command):
    for rate in ("0", "-1", "nan"):
        answer = command("jobs", "redrive", "--dry-run", "--rate", rate)
        assert (answer.code, answer.err[:16]) == (2, "afterword: rate:")


def test_pausing_a_kind_tells_when_nobody_knows_it(store, clock: ManualClock, command):
    with writing(store) as conn:
        add(conn, EMBED, {}, clock())

    known = command("jobs", "pause", "embed_memories", "--note", "model is down")
    typo = command("jobs", "pause", "embed_memory", "--json")
    clock.advance(minutes=1)

    assert known.out == "embed_memories is paused in group main\n"
    assert typo.json["known"] is False
    assert "paused 1 min 0 s ago: model is down" in command("jobs", "ls").out
    assert command("jobs", "pause", "embed_memories", "--json").json["changed"] is False
    assert command("jobs", "resume", "embed_memories").out == (
        "embed_memories is not paused in group main\n"
    )


def test_rows_are_listed_by_state_and_kind(store, clock, command):
    with writing(store) as conn:
        add_many(conn, EMBED, [{"memory_id": n} for n in range(3)], clock())
        add(conn, Kind("tidy_store"), {}, clock())

    assert len(command("jobs", "ls", "--state", "ready", "--json").json) == 4
    assert [
        row["kind"] for row in command("jobs", "ls", "--kind", "tidy_store", "--json").json
    ] == ["tidy_store"]
    assert len(command("jobs", "ls", "--state", "ready", "--limit", "2", "--json").json) == 2
    assert (
        "the dispatcher; it was due 0.0 ms ago" in command("jobs", "ls", "--kind", "tidy_store").out
    )
