"""A mirror rests between two runs, and is left out after five failures until a probe."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from afterword.pipeline.domain.sync.turn import SyncPauses, SyncState, due_at, is_due

NOW = datetime(2026, 1, 5, tzinfo=UTC)
PAUSES = SyncPauses()
NEW = SyncState("perps_fills", "main")


def tried(minutes_ago: float, failures: int = 0) -> SyncState:
    at = NOW - timedelta(minutes=minutes_ago)
    if failures:
        return replace(NEW, last_tried_at=at, last_error="x", consecutive_failures=failures)
    return replace(NEW, last_tried_at=at, last_synced_at=at)


def test_a_mirror_that_never_ran_is_due() -> None:
    assert is_due(NEW, NOW, PAUSES)
    assert due_at(NEW, PAUSES) is None


@pytest.mark.parametrize(
    ("state", "due", "forced"),
    [
        (tried(4.9), False, True),
        (tried(5), True, True),
        (tried(4.9, failures=4), False, True),
        (tried(5, failures=4), True, True),
        (tried(29.9, failures=5), False, True),
        (tried(30, failures=5), True, True),
        (tried(29.9, failures=60), False, True),
    ],
)
def test_a_pause_counts_from_the_last_try(state: SyncState, due: bool, forced: bool) -> None:
    assert is_due(state, NOW, PAUSES) is due
    assert is_due(state, NOW, PAUSES, is_forced=True) is forced


def test_a_mirror_that_fails_at_every_look_is_probed_every_half_hour() -> None:
    # Looked at every five minutes for six hours: five tries, then one for each half an hour.
    state, runs = NEW, 0
    for look in range(72):
        now = NOW + timedelta(minutes=5 * look)
        if is_due(state, now, PAUSES):
            failures = state.consecutive_failures + 1
            state = replace(state, last_tried_at=now, last_error="x", consecutive_failures=failures)
            runs += 1
    assert runs == 5 + 11


def test_a_clock_that_was_set_back_holds_no_mirror() -> None:
    assert is_due(tried(-60 * 24), NOW, PAUSES)
    assert is_due(tried(-60 * 24, failures=9), NOW, PAUSES)


def test_a_run_that_was_cut_off_goes_on_at_once() -> None:
    cut_off = replace(tried(30), last_tried_at=NOW - timedelta(minutes=1))
    assert is_due(cut_off, NOW, PAUSES)
    assert not is_due(replace(cut_off, last_error="x", consecutive_failures=1), NOW, PAUSES)
