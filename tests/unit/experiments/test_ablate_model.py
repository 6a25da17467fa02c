"""`afterword replay ablate --model`: what a person reads about three arms, and how it ends."""

import re

import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.operations.replay import rows
from afterword.pipeline.operations.replay.model import ReplaySettings
from afterword.pipeline.rules.market.windows import DAY_US
from tests.unit.experiments.ground import Ground


@pytest.fixture
def past(stores, clock, ids):
    """A replay with the past of a desk whose longs all fall."""
    store, began = stores.replay("sol", create=True), to_micros(clock())
    settings = ReplaySettings(
        inputs=(),
        rules=(),
        horizon_hours=24,
        every_hours=24,
        placebos=False,
        seed=1,
        gate="strict",
        fdr=0.2,
        pattern_error=0.05,
        judge="heuristic",
        known_until="",
        begins_at=began,
        ends_at=began + 90 * DAY_US,
    )
    with writing(store) as conn:
        rows.create(conn, settings, began)
        rows.start(conn, 0)
    return Ground(store, clock, ids)


@pytest.fixture
def run(command, server):
    def one(*line, **env):
        given = {
            "AFTERWORD_LLM_PROVIDER": "anthropic",
            "AFTERWORD_LLM_BASE_URL": server.origin,
            "AFTERWORD_LLM_USD_PER_MILLION_INPUT_TOKENS": "1",
            "AFTERWORD_LLM_USD_PER_MILLION_OUTPUT_TOKENS": "1",
            "AFTERWORD_ROLE_LESSONS": "all",
        }
        return command("replay", "ablate", "sol", *line, env=given | env)

    return one


def test_a_person_reads_both_verdicts_first_then_the_arms_and_the_cost(past, run, server):
    past.live(9)
    done = run("--model", "--known-until", "2025-01-01")

    assert done.code == 0, done.err
    whole, lines = " ".join(done.out.split()), done.out.splitlines()
    first, second = (part.start() for part in re.finditer("Cannot tell yet: ", whole))
    assert first == 0 and whole.startswith("Cannot tell yet: no method has graduated")
    assert whole.index("mean difference +0.000") > second
    arms = {
        line.split()[0]: line for line in lines if line.split()[0] in ("none", "memory", "sham")
    }
    assert "100.0 %" in arms["memory"] and "  0.0 %" in arms["none"]
    assert any(line.startswith("beside it, and no verdict: memory - none +") for line in lines)
    read, written = server.tokens
    assert f"cost: {(read + written) / 1e6:f}".rstrip("0") + " USD" in lines
    assert "What this cannot tell:" in lines
    query = "SELECT count(*) FROM audit_log WHERE tool_call = 'replay.ablate'"
    with reading(past.store) as conn:
        assert conn.exec_driver_sql(query).scalar_one() == 1


def test_without_the_models_last_day_nothing_counts_and_the_answers_are_shown_apart(past, run):
    past.live(9)
    done = run("--model", "--limit", "2", "--samples", "2")

    assert "Cannot tell: it is not known until when the model knows the world." in done.out
    assert "not counted, since the model may know how it ended:" in done.out


def test_a_cassette_answers_the_second_time_at_no_cost(past, run, tmp_path):
    past.live(9)
    line = ("--model", "--known-until", "2025-01-01", "--json")
    cassette = {"AFTERWORD_LLM_CASSETTE": str(tmp_path / "cassette")}
    live = run(*line, **cassette).json["memory"]
    again = run(*line, AFTERWORD_LLM_PROVIDER="cassette", **cassette).json["memory"]

    assert live["verdict"] == again["verdict"] and live["verdict"]["verdict"] == "cannot tell yet"
    assert set(live["beside"]) == {"memory - none", "sham - none"}
    costs = [sum(arm["cost_micro_usd"] for arm in one["arms"]) for one in (live, again)]
    assert costs[0] > 0 == costs[1]


def test_a_spent_budget_shows_what_was_answered_and_ends_with_when_it_reopens(past, run):
    past.live(9)
    done = run(
        "--model", "--known-until", "2025-01-01", AFTERWORD_EXPERIMENT_DAILY_CAP_USD="0.0055"
    )

    assert done.code == 1 and "budget:experiment until" in done.err
    assert "questions were not answered; open again at" in done.out


def test_without_a_model_it_says_which_setting_is_missing(past, run):
    done = run("--model", AFTERWORD_LLM_PROVIDER="disabled")

    assert done.code == 2 and "AFTERWORD_LLM_PROVIDER: is disabled" in done.err
