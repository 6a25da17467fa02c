"""What a replay costs, and what runs it, is timed by the real present, whatever past it lives in.

The budget, the circuit of a model service, the leases of slices, and the progress of a run.
Decision record 0047 has the table, "Whose clock". The real present is that of the fixture `clock`:
5 January 2026; the prices are of January 2024.
"""

import json
from collections.abc import Iterator

import pytest

from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.operations.replay.area import RUN_SLICE
from afterword.pipeline.operations.replay.run import status_of
from afterword.pipeline.operations.replay.slices import SlicePlan, restart_slices, run_slice
from afterword.pipeline.testing.faulty_server import refuses
from afterword.pipeline.testing.model_server import ModelServer
from tests.unit.replay.clock_worlds import BARS_A_DAY, ROLE, column, found, market, restless
from tests.unit.replay.worlds import BEGIN, HOUR, plan_of, prepared, price_file


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def replay(command, server, tmp_path):
    """Run `afterword replay …` on four decisions that went wrong, explained by a model."""
    prices = market(tmp_path, 25, lambda bar: restless(bar) * (1 + 0.06 * (bar // BARS_A_DAY % 2)))
    decisions = tmp_path / "decisions.jsonl"
    with decisions.open("w") as file:
        for day in (14, 16, 18, 20):
            line = {"role": ROLE, "decision": "Buy", "asset": "BTC", "direction": "long"}
            at = BEGIN + day * 24 * HOUR
            print(json.dumps(line | {"decided_at": at.isoformat()}), file=file)
    given = {
        "AFTERWORD_LLM_PROVIDER": "anthropic",
        "AFTERWORD_LLM_BASE_URL": server.origin,
        "AFTERWORD_LLM_CASSETTE": str(tmp_path / "answers.jsonl"),
        "AFTERWORD_LLM_USD_PER_MILLION_INPUT_TOKENS": "1",
        "AFTERWORD_LLM_USD_PER_MILLION_OUTPUT_TOKENS": "1",
    }
    begin = ("--prices", str(prices), "--decisions", str(decisions), "--judge", "model")

    def replay(verb, **env):
        more = begin if verb == "run" else ()
        return command("replay", verb, "past", *more, "--slice", "3", env=given | env)

    return replay


def test_a_model_judge_spends_the_money_of_the_real_day(replay, clock, instance):
    """Two simulated days lie between two decisions: their caps would pay for all questions."""
    cap = {"AFTERWORD_EXPERIMENT_DAILY_CAP_USD": "0.01"}
    ends = [replay("run", **cap)]
    for _ in range(2):
        clock.advance(days=1)
        ends.append(replay("resume", **cap))

    assert [one.code for one in ends] == [1, 1, 0]
    assert "until 2026-01-06T00:00Z" in ends[0].err
    assert "until 2026-01-07T00:00Z" in ends[1].err
    assert found(instance, "SELECT date, min(ts) AS at, count(*) FROM llm_usage GROUP BY date") == [
        ("2026-01-05", "2026-01-05 00:00", 3),
        ("2026-01-06", "2026-01-06 00:00", 3),
        ("2026-01-07", "2026-01-07 00:00", 2),
    ]


def test_the_circuit_of_a_model_service_is_closed_again_after_real_seconds(
    replay, clock, instance, server
):
    server.script(refuses(429, Retry_After="60"))
    ends, asked = [replay("run")], [server.requests]
    circuit = found(instance, "SELECT state, changed_at, reopens_at FROM circuits")
    for seconds in (59, 1):
        clock.advance(seconds=seconds)
        ends.append(replay("resume"))
        asked.append(server.requests)

    assert circuit == [("open", "2026-01-05 00:00", "2026-01-05 00:01")]
    assert [one.code for one in ends] == [1, 1, 0]
    assert asked == [1, 1, 9]  # refused, not asked, then two questions about each decision
    assert column(instance, "SELECT state FROM circuits") == ["closed"]


@pytest.fixture
def a_slice(stores, clock):
    """Run the next slice of a replay as a worker does, each pass of it in some real seconds."""

    def a_slice(store: Store, pass_s: float) -> str:
        restart_slices(store, SlicePlan(7, "heuristic"), clock())
        with writing(store) as conn:
            (job,) = claim(conn, RUN_SLICE.name, 1, clock())
            leases = lease(conn, [job.id], "worker", clock, RUN_SLICE)
        ((until,),) = found(store, "SELECT lease_until AS until_at FROM jobs")

        def has_time() -> bool:
            clock.advance(seconds=pass_s)
            return True

        run_slice(store, leases, stores.home, HeuristicJudge(), has_time)
        return str(until)

    return a_slice


def test_the_lease_of_a_slice_lasts_for_real_time_and_so_does_its_run(
    stores, clock, a_slice, tmp_path
):
    store = prepared(stores, "past", plan_of(price_file(tmp_path, days=20)))

    assert a_slice(store, pass_s=15) == "2026-01-05 00:20"  # its deadline is 1200 s
    assert found(store, "SELECT started_at, ended_at, ran_us / 1000000 FROM job_runs") == [
        ("2026-01-05 00:00", "2026-01-05 00:07", 4 * 7 * 15)
    ]
    assert column(store, "SELECT available_at FROM jobs") == ["2026-01-05 00:07"]  # the next slice


def test_the_hash_knows_nothing_of_when_a_replay_ran_and_how_long(stores, clock, a_slice, tmp_path):
    plan, hashes, ran = plan_of(price_file(tmp_path, days=20)), set(), []
    for name, pass_s in (("quick", 0.5), ("slow", 30)):
        store = prepared(stores, name, plan)
        while status_of(store).state != "done":
            a_slice(store, pass_s)
            clock.advance(days=100)
        hashes.add(status_of(store).state_hash)
        ran += column(store, "SELECT sum(ran_us) / 1000000 FROM job_runs")

    assert len(hashes - {""}) == 1
    assert ran == [40, 2400]
