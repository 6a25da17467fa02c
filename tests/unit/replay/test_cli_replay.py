"""`afterword replay run`, `resume`, `ls`, `rm` and `compare`, for people and for programs."""

import re

import pytest

from tests.unit.replay.worlds import gone_on, plan_of, prepared, price_file

RULE = ("--rule", "momentum:lookback_hours=48", "--horizon", "1d", "--no-placebos")
HASH = "[0-9a-f]{64}"


@pytest.fixture
def run(command, tmp_path):
    """Run a replay of a rule that decides once a day."""
    prices = str(price_file(tmp_path, days=20))

    def replay(name, *options):
        return command("replay", "run", name, "--prices", prices, *RULE, *options)

    return replay


def test_a_run_says_what_it_did_its_hash_and_how_to_read_it(run):
    done = run("mine")

    assert (done.code, done.err) == (0, "")
    did, hashed, next_ = done.out.splitlines()
    assert re.fullmatch(
        r"replay mine: 2024-01-01 00:30:00Z to 2024-01-21 00:30:00Z, 18 decisions in .*s", did
    )
    assert re.fullmatch(rf"[\d,]+ events/s; state {HASH}", hashed)
    assert next_ == "read it with `afterword replay report mine`"


def test_a_run_answers_its_status_and_how_fast_it_was_as_json(run):
    found = run("mine", "--json").json

    assert (found["replay"]["name"], found["replay"]["state"]) == ("mine", "done")
    assert found["replay"]["recorded"] == found["throughput"]["decisions"] == 18
    assert re.fullmatch(HASH, found["replay"]["state_hash"])


def test_a_prepared_replay_is_resumed_to_its_end_and_then_says_so(command, stores, tmp_path):
    plan = plan_of(price_file(tmp_path, days=20))
    prepared(stores, "mine", plan)

    first = command("replay", "resume", "mine", "--slice", "5")
    again = command("replay", "resume", "mine")

    whole = gone_on(stores, prepared(stores, "other", plan), plan)
    assert f"state {whole.state_hash}" in first.out
    assert again.out == f"replay mine has ended before; state {whole.state_hash}\n"
    assert command("replay", "resume", "mine", "--json").json["replay"]["state"] == "done"


def test_the_list_shows_each_replay_and_how_far_it_is(command, run, stores, tmp_path):
    run("mine")
    prepared(stores, "waiting", plan_of(price_file(tmp_path, "BTCUSDT", days=20)))

    rows = {line.split()[0]: line for line in command("replay", "ls").out.splitlines()}
    listed = {one["name"]: one for one in command("replay", "ls", "--json").json}

    assert "18 of 18" in rows["mine"] and listed["mine"]["state_hash"][:12] in rows["mine"]
    assert (listed["mine"]["state"], listed["waiting"]["state"]) == ("done", "running")
    assert f"0 of {listed['waiting']['decisions']}" in rows["waiting"]
    assert listed["waiting"]["recorded"] == 0


def test_an_empty_home_says_how_to_begin(command, stores):
    assert command("replay", "ls").out == "no replay yet; afterword replay run NAME --prices FILE\n"
    assert command("replay", "ls", "--json").json == []


def test_a_removed_replay_is_gone_and_can_be_run_again(command, run, stores):
    first = run("mine", "--json").json

    assert command("replay", "rm", "mine").out == "replay mine is removed\n"
    assert stores.replays() == []
    assert run("mine", "--json").json["replay"]["state_hash"] == first["replay"]["state_hash"]
    assert command("replay", "rm", "mine", "--json").json == {"removed": "mine"}


def test_equal_replays_are_told_to_be_equal(command, run):
    run("one")
    run("other", "--slice", "3")

    done = command("replay", "compare", "one", "other")

    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "one and other are equal until 2024-01-21 00:30:00Z: every hashed row is the same\n"
    )
    assert command("replay", "compare", "one", "other", "--json").json["first"] is None


def test_replays_that_differ_are_told_apart_by_setting_and_first_event(command, run):
    run("one")
    run("other", "--every", "2d")

    text = command("replay", "compare", "one", "other").out
    found = command("replay", "compare", "one", "other", "--json").json

    assert text.startswith("setting every_hours: 24 | 48\n")
    assert re.search(r"the first difference is at 2024-01-0\d .*: decision ", text)
    assert found["settings"]["every_hours"] == [24, 48]
    assert (found["paired"], found["only_left"], found["only_right"]) == (9, 9, 0)


@pytest.mark.parametrize(
    "line", [("resume", "none"), ("rm", "none"), ("report", "none"), ("compare", "none", "none")]
)
def test_a_replay_that_is_not_there_is_one_line(command, stores, line):
    done = command("replay", *line)

    assert (done.code, done.out) == (1, "")
    assert done.err == ("afterword: replay 'none' does not exist; replays of this home: none\n")
