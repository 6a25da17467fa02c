"""`afterword replay probe`: what a person reads, and how it ends."""

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.doors.commands.replay.probe import last_known
from tests.unit.experiments.ground import Ground


@pytest.fixture
def run(command, server):
    """Run the command with the model of the test, and single cases in memory."""

    def one(*line, **env):
        given = {
            "AFTERWORD_LLM_PROVIDER": "anthropic",
            "AFTERWORD_LLM_BASE_URL": server.origin,
            "AFTERWORD_LLM_USD_PER_MILLION_INPUT_TOKENS": "1",
            "AFTERWORD_LLM_USD_PER_MILLION_OUTPUT_TOKENS": "1",
            "AFTERWORD_ROLE_LESSONS": "all",
        }
        return command("replay", "probe", *line, env=given | env)

    return one


def test_a_person_reads_what_changed_what_it_cost_and_what_that_shows(ground, run, server):
    ground.live(2)
    done = run("--limit", "2", "--known-until", "2026-01-01")

    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].split() == [
        *("decision", "decided", "asset", "then", "without", "with", "memory", "answer", "USD")
    ]
    assert "long, wrong  long 0.60  short 0.60   changed" in lines[1]
    assert "4 without: I go long." in lines
    assert "4 with memory: I go short." in lines
    assert "2 asked again by claude-haiku-5-5: 2 changed, 0 unchanged" in lines
    read, written = server.tokens
    cost = f"{(read + written) / 1e6:f}".rstrip("0")
    assert f"cost: {cost} USD, {read:,} tokens read, {written:,} written" in lines
    assert any(line.startswith("A changed answer shows that memory was read") for line in lines)


def test_the_answer_as_json_is_the_same_twice_from_a_cassette(ground, run, tmp_path):
    ground.live(2)
    cassette = str(tmp_path / "cassette")
    uid = ground.uids["SOL"][0]
    live = run("--decision", uid, "--json", AFTERWORD_LLM_CASSETTE=cassette)
    replay = {"AFTERWORD_LLM_PROVIDER": "cassette", "AFTERWORD_LLM_CASSETTE": cassette}
    first, second = (run("--decision", uid, "--json", **replay) for _ in range(2))

    assert first.out == second.out
    assert [one["uid"] for one in first.json["decisions"]] == [uid]
    assert (live.json["changed"], live.json["recorded"]) == (first.json["changed"], 0)
    assert first.json["cost_micro_usd"] == 0 < live.json["cost_micro_usd"]


def test_a_spent_budget_shows_what_was_answered_and_ends_with_when_it_reopens(ground, run, store):
    ground.live(2)
    done = run("--limit", "2", AFTERWORD_EXPERIMENT_DAILY_CAP_USD="0.0055")

    assert done.code == 1
    assert "budget:experiment until 2026-01-10T00:00Z" in done.err
    assert "questions were not answered; open again at 2026-01-10" in done.out
    assert "long 0.60" in done.out
    with reading(store) as conn:
        query = "SELECT count(*) FROM audit_log WHERE tool_call = 'replay.probe'"
        assert conn.exec_driver_sql(query).scalar_one() == 1


def test_what_is_not_asked_says_why(ground, run, server):
    ground.live(1)
    done = run("--role", "desk.calls", AFTERWORD_ROLE_LESSONS="confirmed")

    assert done.out.splitlines() == [
        "no decision was asked again",
        "decision 2 was not asked: memory tells nothing of it today",
        "decision 1 was not asked: memory tells nothing of it today",
        "with AFTERWORD_ROLE_LESSONS=all, memory tells hints and single cases too",
    ]
    assert server.asked == []


def test_without_a_model_or_a_decision_it_says_what_is_missing(ground, run):
    ground.live(1)
    for line, env, code, word in (
        ((), {"AFTERWORD_LLM_PROVIDER": "disabled"}, 2, "AFTERWORD_LLM_PROVIDER: is disabled"),
        (("--decision", "nobody"), {}, 1, "'nobody' does not exist"),
        (("--known-until", "soon"), {}, 2, "known_until: 'soon' is not a day"),
        (("main", "--group", "main"), {}, 2, "names a replay beside --group"),
    ):
        done = run(*line, **env)
        assert (done.code, word in done.err) == (code, True), done.err


def test_the_last_known_day_counts_whole():
    assert str(last_known("2025-06-30")) == "2025-06-30 23:59:59.999999+00:00"
    assert last_known(None) is None


def test_a_replay_is_asked_about_by_its_name_and_live_groups_stay_as_they_are(
    run, stores, store, clock, ids, ground
):
    ground.live(1)
    before = ground.tables()
    past = Ground(stores.replay("sol", create=True), clock, ids)
    past.live(1)
    rows = past.tables()
    done = run("sol", "--json")

    assert done.code == 0, done.err
    assert done.json["store"] == "sol"
    assert {one["uid"] for one in done.json["decisions"]} == {*past.uids["SOL"], *past.uids["BTC"]}
    assert done.json["asked"] == 2
    assert (ground.tables(), past.tables()) == (before, rows)
    assert run("another").code == 1
