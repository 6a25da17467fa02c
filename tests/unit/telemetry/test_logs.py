"""What is told becomes log lines that people and machines can read, and nothing secret."""

import io
import json
import logging
import os
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest

from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.core.telemetry.levels import level_of
from afterword.pipeline.core.telemetry.log import log_events
from afterword.pipeline.testing.clock import ManualClock


class Log:
    """A log that is written to memory."""

    def __init__(
        self, clock: ManualClock, format: Literal["text", "json"] = "text", level: str = "INFO"
    ) -> None:
        self.stream = io.StringIO()
        self.stop = log_events(self.stream, format, level, clock)

    def lines(self) -> list[str]:
        return self.stream.getvalue().splitlines()


@pytest.fixture
def log(clock: ManualClock) -> Iterator[Callable[..., Log]]:
    started: list[Log] = []

    def start(**options: Any) -> Log:
        started.append(Log(clock, **options))
        return started[-1]

    yield start
    for one in started:
        one.stop()


def test_an_event_is_one_line_with_its_action_and_facts(log):
    written = log()
    emit("worker.started", owner="a1", threads=8)

    assert written.lines() == [
        f"2026-01-05T00:00:00.000000Z INFO    [{os.getpid()}] worker.started owner=a1 threads=8"
    ]


def test_a_json_line_says_the_same_to_a_machine(log):
    written = log(format="json")
    emit("budget.soft", level="WARNING", name="learning", used_micro_usd=4)
    line = json.loads(written.lines()[0])

    assert line.pop("pid") > 0
    assert line == {
        "ts": "2026-01-05T00:00:00.000000Z",
        "level": "WARNING",
        "action": "budget.soft",
        "name": "learning",
        "used_micro_usd": 4,
    }


def test_a_fact_cannot_pretend_to_be_another_line_or_fact(log):
    text, machine = log(), log(format="json")
    emit("group.opened", group='a b="c"\n2026 ERROR \u202eforged', action_taken="x=y")

    assert len(text.lines()) == len(machine.lines()) == 1
    assert r'group="a b=\"c\"\n2026 ERROR \u202eforged" action_taken="x=y"' in text.lines()[0]


def test_a_fact_does_not_replace_what_the_line_says_of_itself(log):
    written = log(format="json")
    emit("worker.started", ts="never", pid="mine")

    assert json.loads(written.lines()[0])["ts"] == "2026-01-05T00:00:00.000000Z"


@pytest.mark.parametrize(
    ("action", "facts", "level"),
    [
        ("store.waited", {}, "DEBUG"),
        ("store.refused", {}, "WARNING"),
        ("relay.sent", {}, "DEBUG"),
        ("relay.skipped", {}, "WARNING"),
        ("relay.epoch", {"jobs": 0}, "INFO"),
        ("relay.epoch", {"jobs": 7}, "WARNING"),
        ("message.skipped", {}, "DEBUG"),
        ("jobs.ended", {"outcome": "done"}, "INFO"),
        ("jobs.ended", {"outcome": "postponed"}, "INFO"),
        ("jobs.ended", {"outcome": "retried"}, "WARNING"),
        ("jobs.ended", {"outcome": "dead"}, "ERROR"),
        ("jobs.hung", {}, "WARNING"),
        ("cron.fired", {"missed": 0}, "DEBUG"),
        ("cron.fired", {"missed": 3}, "WARNING"),
        ("reconcile.freed", {}, "WARNING"),
        ("worker.started", {}, "INFO"),
        ("worker.stuck", {}, "WARNING"),
        ("history.imported", {}, "INFO"),
        ("budget.overrun", {"level": "ERROR"}, "ERROR"),
        ("budget.overrun", {"level": "no such level"}, "WARNING"),
    ],
)
def test_an_event_is_as_important_as_it_sounds(action: str, facts: dict[str, object], level: str):
    assert logging.getLevelName(level_of(action, facts)) == level


def test_nothing_below_the_level_is_written(log):
    quiet, chatty = log(level="WARNING"), log(level="DEBUG")
    emit("store.wrote", seconds=0.0123456789)
    emit("worker.started")

    assert quiet.lines() == []
    assert [line.split()[3] for line in chatty.lines()] == ["store.wrote", "worker.started"]
    assert chatty.lines()[0].endswith("seconds=0.012346")


def test_a_warning_that_repeats_itself_is_one_line_with_a_count(log, clock):
    written = log()
    for attempt in range(50):
        emit("relay.skipped", group="main", error=f"locked, attempt {attempt}")
        clock.advance(milliseconds=100)
    assert len(written.lines()) == 1

    clock.advance(seconds=10)
    emit("worker.stopped")

    assert len(written.lines()) == 3
    assert written.lines()[1].endswith('error="locked, attempt 49" repeated=49')


def test_a_flood_is_one_line_in_ten_seconds_however_long_it_lasts(log, clock):
    written = log()
    for _ in range(600):
        emit("relay.skipped", group="main", error="locked")
        clock.advance(milliseconds=100)

    assert len(written.lines()) == 6


def test_different_warnings_are_all_written(log):
    written = log()
    emit("relay.skipped", group="main", error="locked")
    emit("relay.skipped", group="other", error="locked")

    assert len(written.lines()) == 2


def test_a_count_is_not_lost_when_the_process_ends(clock):
    written = Log(clock)
    for _ in range(3):
        emit("broker.dropped", queue="quick")
    written.stop()

    assert written.lines()[-1].endswith("repeated=2")


def test_a_clock_that_was_set_back_ends_the_silence(log, clock):
    written = log()
    emit("broker.dropped", queue="quick")
    clock.advance(hours=-2)
    emit("broker.dropped", queue="quick")

    assert len(written.lines()) == 2


@pytest.mark.parametrize(
    "text",
    [
        "cannot reach redis://user:hunter2@127.0.0.1:6379/7",
        "refused: Authorization: Bearer hunter2",
        "GET /v1?api_key=hunter2&x=1",
        '{"token": "hunter2"}',
        "password=hunter2",
    ],
)
def test_a_secret_in_an_error_is_masked(log, text: str):
    written = log()
    emit("embedding.failed", error=text)
    logging.getLogger("httpx").warning(text)

    assert len(written.lines()) == 2
    assert "hunter2" not in written.stream.getvalue()
    assert "***" in written.lines()[0] and "***" in written.lines()[1]


def test_a_secret_without_a_label_is_masked_by_its_form(log):
    written = log()
    emit("embedding.failed", error="no reply for " + "abandon " * 11 + "about")

    assert "abandon" not in written.stream.getvalue()


def test_the_message_of_a_failed_run_stays_in_the_ledger(log):
    written = log()
    emit(
        "jobs.ended", kind="reflect_entry", outcome="retried", error="ValueError: 'I sold my house'"
    )

    assert written.lines()[0].endswith("kind=reflect_entry outcome=retried error=ValueError")


def test_a_long_fact_is_cut(log):
    written = log()
    emit("worker.started", owner="x" * 10_000)

    assert len(written.lines()[0]) < 400


def test_warnings_of_libraries_go_the_same_way_without_tracebacks(log):
    written = log()
    try:
        raise OSError("gone")
    except OSError:
        logging.getLogger("redis").error("lost %s", "it", exc_info=True)
    logging.getLogger("redis").info("connected")

    assert written.lines() == [
        f"2026-01-05T00:00:00.000000Z ERROR   [{os.getpid()}] library.logged "
        'logger=redis message="lost it" error=OSError'
    ]


def test_a_traceback_is_shown_to_those_who_ask_for_debug(log):
    written = log(level="DEBUG")
    try:
        raise OSError("gone")
    except OSError:
        logging.getLogger("redis").error("lost", exc_info=True)

    assert len(written.lines()) == 1
    assert "Traceback (most recent call last)" in written.lines()[0]


def test_what_dramatiq_says_of_each_failed_message_is_told_by_the_ledger_already(log):
    written = log()
    logging.getLogger("dramatiq.worker.WorkerThread").error("Failed to process message work()")
    logging.getLogger("dramatiq.worker.ConsumerThread(quick)").critical("connection error")

    assert len(written.lines()) == 1


def test_the_same_trouble_of_every_queue_is_one_line(log):
    written = log()
    for queue in ("quick", "embed", "llm"):
        name = f"dramatiq.worker.ConsumerThread({queue})"
        logging.getLogger(name).critical("Consumer encountered an unexpected error.")

    assert len(written.lines()) == 1


def test_what_dramatiq_says_of_an_outage_is_told_by_us_already(log):
    written = log()
    logger = logging.getLogger("dramatiq.worker.ConsumerThread(quick)")
    logger.critical("Consumer encountered a connection error: %s", "refused")

    assert written.lines() == []


def test_two_outages_shortly_after_each_other_are_two_warnings(log, clock):
    written = log()
    for _ in range(2):
        emit("redis.away", error="refused")
        emit("redis.back", away_s=1.0)
        clock.advance(seconds=2)

    assert [line.split()[3] for line in written.lines()] == ["redis.away", "redis.back"] * 2


def test_a_count_that_is_written_late_has_the_time_of_the_last_repetition(log, clock):
    written = log()
    for _ in range(3):
        emit("relay.skipped", group="main", error="locked")
        clock.advance(seconds=1)
    clock.advance(minutes=5)
    emit("worker.stopped")
    emit("relay.skipped", group="main", error="locked")

    assert [line.split()[0] for line in written.lines()] == [
        "2026-01-05T00:00:00.000000Z",
        "2026-01-05T00:00:02.000000Z",  # not five minutes later, as if it were back
        "2026-01-05T00:05:03.000000Z",
        "2026-01-05T00:05:03.000000Z",  # this one is
    ]


def test_a_library_whose_message_does_not_fit_its_arguments_harms_nobody(log):
    written = log()
    ours = logging.getLogger().handlers[-1]
    ours.handle(
        logging.makeLogRecord(
            {"name": "redis", "levelno": logging.ERROR, "msg": "%d of %d", "args": ("x",)}
        )
    )

    assert "%d of %d" in written.lines()[0]


def test_a_closed_stream_stops_no_work(log):
    log().stream.close()

    emit("worker.started")


def test_after_the_end_libraries_have_their_own_logging_back(clock):
    root = logging.getLogger()
    before = (list(root.handlers), root.level)
    log = Log(clock)
    assert (list(root.handlers), root.level) != before
    log.stop()
    emit("worker.started")

    assert (list(root.handlers), root.level) == before
    assert log.lines() == []
