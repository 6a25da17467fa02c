"""The four questions are answered by what is measured, once each; a missing price waits."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.institution.ladder import answer_window, nearest_window
from afterword.pipeline.domain.institution.reflect import reflect_runs
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS, RULE_VERSION, MeasuredOutcome
from afterword.pipeline.gateway.switches import Mode
from tests.unit.institution.five_roles import hashes


def _measured(hours, window, verdict=None):
    """Return an outcome of which only the verdicts matter."""
    return MeasuredOutcome(
        *("decision", 1, hours, RULE_VERSION, 0, "BTC", "crypto", "long", verdict or window),
        *(window, "file", "BTC", 0, "100", hours * 3_600_000_000, "101", 10**7, 0, 10**6, 0),
    )


@pytest.mark.parametrize(
    ("window", "horizon", "verdicts", "answer"),
    [
        (24, 168, {24: "right"}, "yes"),
        (24, 168, {24: "wrong"}, "no"),
        (24, 168, {24: "noise"}, "unclear"),
        (24, 168, {}, None),
        (168, 168, {168: "wrong"}, "no"),
        (720, 168, {24: "wrong", 168: "right", 720: "wrong"}, "yes"),
        (720, 168, {24: "right", 168: "wrong", 720: "right"}, "no"),
        (720, 168, {24: "wrong", 168: "noise", 720: "wrong"}, "unclear"),
        (720, 168, {24: "right", 720: "right"}, None),
        (720, 24, {24: "wrong", 720: "noise"}, None),
        (720, 2_160, {720: "right"}, "unclear"),
        (2_160, 168, {2_160: "right"}, "yes"),
        (8_760, 168, {8_760: "wrong"}, "no"),
    ],
)
def test_each_question_has_its_answer(window, horizon, verdicts, answer):
    outcomes = {hours: _measured(hours, verdict) for hours, verdict in verdicts.items()}

    found = answer_window(window, horizon, outcomes)

    assert (None if found is None else found.answer) == answer


def test_the_base_case_is_judged_by_its_own_plan_and_the_trigger_by_the_move():
    measured = {hours: _measured(hours, "wrong", "right") for hours in (24, 168)}

    assert answer_window(168, 168, measured).answer == "yes"
    assert answer_window(24, 168, measured).answer == "no"


@pytest.mark.parametrize(("hours", "window"), [(24, 24), (60, 24), (80, 168), (400, 720)])
def test_a_horizon_has_the_window_nearest_to_it(hours, window):
    assert nearest_window(hours) == window


def _rise(hour):
    return 1.002


@pytest.fixture
def run_of_a_month(capture, prices, clock):
    """A long run at a moment, and prices that rise for 40 days after it."""
    capture(horizon_days=30, target_price=105.0, stop_price=80.0)
    start = clock()
    clock.advance(days=41)
    prices("BTCUSDT", start, 40, _rise)


def _answers(command):
    shown = command("institution", "run", "show", "r1", "--json").json["run"]["windows"]
    return [(window["window_hours"], window["state"], window["answer"]) for window in shown]


def test_windows_are_answered_as_they_are_measured_and_the_rest_waits(command, run_of_a_month):
    done = command("institution", "run", "reflect")

    assert "3 windows answered: 3 yes." in done.out, done.out + done.err
    assert _answers(command) == [
        (24, "answered", "yes"),
        (168, "answered", "yes"),
        (720, "answered", "yes"),
        *((hours, "waits", None) for hours in LADDER_HOURS[3:]),
    ]
    assert "its target came first" in command("institution", "run", "show", "r1").out
    assert "No window is measured" in command("institution", "run", "reflect").out


def test_a_missing_price_waits_and_is_answered_when_it_comes(command, capture, prices, clock):
    capture()
    start = clock()
    clock.advance(days=8)
    command("role", "reflect")
    command("institution", "run", "reflect")
    assert _answers(command)[0] == (24, "unmeasured", None)
    clock.advance(days=2)

    prices("BTCUSDT", start, 8, _rise)
    command("institution", "run", "reflect")

    assert [state for _, state, _ in _answers(command)] == [*["answered"] * 2, *["waits"] * 4]


def test_two_reflectors_of_one_window_write_one_answer(store, clock, run_of_a_month):
    with ThreadPoolExecutor(4) as pool:
        tallies = [
            future.result()
            for future in [pool.submit(reflect_runs, store, clock, Mode.ON) for _ in range(8)]
        ]

    assert sum(sum(tally.answered.values()) for tally in tallies) == 3
    with reading(store) as conn:
        count = conn.exec_driver_sql("SELECT count(*) FROM institution_reflections").scalar()
    assert count == 3


def test_in_the_shadow_answers_are_kept_apart_and_off_writes_none(
    command, store, clock, run_of_a_month
):
    before = hashes(store)
    command("switch", "set", "reflect_institution", "off")
    assert "The ladder is off" in command("institution", "run", "reflect").out
    assert hashes(store) == before

    command("switch", "set", "reflect_institution", "shadow")
    assert "in the shadow" in command("institution", "run", "reflect").out
    assert _answers(command)[0] == (24, "unmeasured", None)
    assert "No window is measured" in command("institution", "run", "reflect").out

    command("switch", "set", "reflect_institution", "on")
    assert "3 windows answered" in command("institution", "run", "reflect").out


def test_later_rows_change_nothing_of_a_read_of_the_past(
    command, capture, store, clock, run_of_a_month
):
    command("institution", "run", "reflect")
    moment, past = clock(), []
    clock.advance(days=60)
    reads = (
        ("institution", "run", "ls"),
        ("institution", "run", "show", "r1"),
        ("institution", "retrospect", "BTC"),
        ("page", "BTC"),
    )

    def read():
        return [command(*line, "--as-of", moment.isoformat(), "--json").out for line in reads]

    past = read()
    capture(run="r2", thesis="A later one")
    command("institution", "run", "reflect", "r1", "--note", "later words")
    command("institution", "retrospect", "BTC")
    command("role", "reflect")
    command("institution", "run", "reflect")

    assert read() == past


def test_lazy_is_the_phase_0_of_the_next_run_and_manual_is_for_people(
    command, capture, store, clock, run_of_a_month
):
    command("institution", "run", "reflect")
    command("institution", "run", "reflect", "r1", "--note", "right for the wrong reason")

    told = command("institution", "retrospect", "btc", "--json").json
    again = command("institution", "retrospect", "BTC", "--json").json

    assert told == again and told["runs"] == ["r1"]
    assert "1 d: Was the trigger valid? Yes." in told["block"]
    assert "wrong reason" not in told["block"]
    clock.advance(hours=1)
    assert capture(run="r2", retrospect=told["digest"]).json[0]["is_new"]
    story = command("institution", "run", "show", "r1", "--json").json
    assert [note["kind"] for note in story["notes"]] == ["manual", "lazy"]
    with reading(store) as conn:
        rows = conn.exec_driver_sql("SELECT count(*) FROM methodology_cases").scalar()
    assert rows == 0
