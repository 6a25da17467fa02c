"""`afterword role reflect`: what it says where something holds decisions back."""

import pytest

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.area import REFLECT_ENTRIES
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.testing.model_server import ModelServer, stops
from afterword.pipeline.testing.roles import HOUR, book, jagged

SPOT, SWING = "market.spot.momentum", "market.perps.swing"


@pytest.fixture
def decided_at(store, clock):
    """Prices of a market that fell by 5 % some 100 hours ago, after this moment."""
    start = clock() - 300 * HOUR
    prices = book("SOLUSDT", start, jagged(200, [-0.05, *[0.0] * 90]))
    (series,) = prices.series("SOL")
    keep_bars(store, series, prices.bars(series, start, clock(), clock()), clock)
    return clock() - 100 * HOUR


@pytest.fixture
def record(command, decided_at):
    def one(direction, role=SPOT, asset="SOL"):
        at = decided_at.isoformat()
        line = ("--asset", asset, "--direction", direction, "--decided-at", at)
        assert command("role", "record", role, f"{direction} {asset}", *line).code == 0

    return one


@pytest.fixture
def model():
    """A service whose answers stop in the middle."""
    with ModelServer(mix=[stops("max_tokens")]) as server:
        yield server


@pytest.fixture
def asks(model):
    """The settings that let it judge."""
    return judged_by(model)


def judged_by(model):
    return {
        "AFTERWORD_ROLE_JUDGE": "model",
        "AFTERWORD_LLM_PROVIDER": "anthropic",
        "AFTERWORD_LLM_MODEL": "claude-haiku-5-5",
        "AFTERWORD_LLM_BASE_URL": model.origin,
    }


@pytest.fixture
def at_work(store, clock):
    """Let a worker run a job of a role."""

    def one(role, worker="worker-1"):
        with writing(store) as conn:
            add(conn, REFLECT_ENTRIES, {"role": role}, clock())
            ids = [row.id for row in claim(conn, REFLECT_ENTRIES.name, 9, clock())]
            lease(conn, ids, worker, clock, REFLECT_ENTRIES)

    return one


def test_where_nobody_may_be_asked_the_rest_goes_on_and_the_reason_comes_last(
    command, record, model, asks
):
    record("long")
    record("short")
    record("short", SWING)
    command("budget", "stop", "--note", "too dear")
    done = command("role", "reflect", env=asks)

    assert done.code == 1
    # The swing's own window is of three days: the ladder adds that of one day.
    assert done.out == "right              2\noutcomes measured  1\n"
    assert done.err.count("\n") == 1
    assert "too dear" in done.err
    again = command("role", "reflect", "--json", env=asks)
    assert (again.code, again.json["reflected"]) == (1, {})
    assert "too dear" in again.json["postponed"][SPOT]
    assert model.served == []


def test_a_role_that_a_worker_is_at_is_left_out_and_the_others_go_on(
    command, clock, record, at_work
):
    record("short")
    record("short", SWING)
    at_work(SPOT)

    done = command("role", "reflect")
    assert (done.code, done.out) == (
        0,
        "right              1\n"
        "outcomes measured  1\n"
        f"{SPOT} is left out: a job reflects on it now\n",
    )
    assert command("role", "reflect", SPOT, "--json").json["at_work"] == [SPOT]
    clock.advance(seconds=REFLECT_ENTRIES.deadline_s + 1)  # whoever ran it is dead by now
    assert command("role", "reflect").out == "right  1\n"


def test_a_switch_that_is_off_is_told_and_nothing_is_judged(command, clock, record):
    record("short")
    command("switch", "set", "classify_entry", "off", "--note", "a new prompt")
    clock.advance(hours=2)

    done = command("role", "reflect")
    assert done.out == (
        "classify_entry is off, set 2 h 0 min ago (a new prompt): it judges nothing; "
        "`afterword switch set classify_entry on` ends that\n"
    )
    command("switch", "set", "classify_entry", "shadow")
    done = command("role", "reflect")
    assert done.out.startswith("in shadow  1\nclassify_entry is in the shadow, set ")
    command("switch", "set", "classify_entry", "on")
    assert command("role", "reflect").out == "right  1\n"


def test_what_is_parked_says_what_would_end_that(command, record):
    record("short", asset="DOGE")
    record("long")
    command("switch", "set", "draft_lesson", "off")
    said = {"type": "logic_error", "narrative": "It stood against a fall it had seen."}
    with ModelServer(fills=lambda _: said) as server:
        lines = command("role", "reflect", env=judged_by(server)).out.splitlines()

    assert lines[:2] == ["parked, lessons are off  1", "parked, no price         1"]
    assert "switch set draft_lesson on`, then `afterword role reflect --parked`" in lines[2]
    assert "prices import" in lines[3]
    assert len(lines) == 4


def test_when_nothing_could_be_judged_it_says_what_waits(command, record):
    record("short", asset="DOGE")
    command("role", "reflect")
    command("role", "record", SPOT, "long SOL", "--asset", "SOL", "--direction", "long")
    lines = command("role", "reflect").out.splitlines()

    assert lines[0] == "reflected  0"
    assert lines[1].startswith("pending decisions: 1; the next one can be judged in ")
    assert lines[2].startswith("parked decisions, no price: 1; ")
    assert len(lines) == 3


def test_decisions_whose_question_failed_wait_and_are_told_of(command, clock, record, asks):
    record("long")
    done = command("role", "reflect", env=asks)

    assert done.out.splitlines()[0] == "to ask again  1"
    assert done.out.splitlines()[1].startswith("1 waits for another try, the first in ")
    again = command("role", "reflect", env=asks)
    assert again.out.splitlines()[0] == "reflected  0"
    assert again.out.splitlines()[1].endswith("; --parked asks now")
    clock.advance(hours=1)
    command("budget", "stop", "--note", "enough")
    assert command("role", "reflect", env=asks).out == "reflected  0\n"  # its turn has come
