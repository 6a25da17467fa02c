"""When a mirror is due: after a pause, and after many failures only for a probe."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from afterword.pipeline.settings import Settings

SyncSource = Literal["perps_fills", "funding", "transfers", "spot_activities"]
"""What is mirrored of an account, by R1's name where R1 has one; `spot_activities` of no account,
since files of wallets bring them."""


@dataclass(frozen=True, slots=True)
class SyncState:
    """How far the mirror of one source and account is; R1's `minara_history_sync_state`.

    Args:
        sub_account_id: name of the account; empty for a source that has none.
        last_synced_ts_ms: all that the venue had up to here is mirrored; UTC milliseconds.
        last_synced_at: when the last run ended well.
        last_tried_at: when the last run began.
        last_error: why the last run failed; None after one that ended well.
        consecutive_failures: count.
        whole_since_ms: nothing is missing from here on; UTC milliseconds. None before the first
            run.
    """

    source: SyncSource
    sub_account_id: str
    last_synced_ts_ms: int | None = None
    last_synced_at: datetime | None = None
    last_tried_at: datetime | None = None
    last_error: str | None = None
    consecutive_failures: int = 0
    whole_since_ms: int | None = None


@dataclass(frozen=True, slots=True)
class SyncPauses:
    """How long a mirror rests.

    Args:
        tick: from one run to the next.
        least: between two runs where something asks for one, unless it is forced.
        most_failures: consecutive failures after which a mirror is left out; count.
        cooldown: how long it is left out, until a probe.
    """

    tick: timedelta = timedelta(minutes=30)
    least: timedelta = timedelta(minutes=5)
    most_failures: int = 5
    cooldown: timedelta = timedelta(minutes=30)


def pauses_of(settings: Settings) -> SyncPauses:
    """Return the pauses that the settings ask for."""
    return SyncPauses(
        tick=timedelta(seconds=settings.history_sync_tick),
        least=timedelta(seconds=settings.history_sync_min_interval),
        most_failures=settings.history_sync_max_failures,
        cooldown=timedelta(seconds=settings.history_sync_failure_cooldown),
    )


def was_cut_off(state: SyncState) -> bool:
    """Return whether the last run ended neither well nor with an error: it goes on at once."""
    return state.last_error is None and state.last_tried_at != state.last_synced_at


def ran_since(state: SyncState, moment: datetime) -> bool:
    """Return whether a run that began at this moment or later came to its end."""
    return (
        state.last_tried_at is not None and moment <= state.last_tried_at and not was_cut_off(state)
    )


def due_at(state: SyncState, pauses: SyncPauses) -> datetime | None:
    """Return from when on a mirror may run; None for one that may run at once.

    The pause counts from the last try: counted from the last success, a mirror that fails for half
    an hour would be probed at every look.
    """
    if state.last_tried_at is None or was_cut_off(state):
        return None
    return state.last_tried_at + (pauses.cooldown if is_left_out(state, pauses) else pauses.least)


def is_left_out(state: SyncState, pauses: SyncPauses) -> bool:
    """Return whether a mirror failed so often that it waits for a probe."""
    return state.consecutive_failures >= pauses.most_failures


def next_run_at(state: SyncState, pauses: SyncPauses) -> datetime | None:
    """Return when a mirror runs by itself; None for one that never ran."""
    until = due_at(state, pauses)
    if until is None or state.last_tried_at is None:
        return None
    return max(until, state.last_tried_at + pauses.tick)


def is_due(state: SyncState, now: datetime, pauses: SyncPauses, *, is_forced: bool = False) -> bool:
    """Return whether a mirror may run now.

    Args:
        is_forced: somebody asks for it, and waits for the answer.
    """
    if is_forced:
        return True
    until = due_at(state, pauses)
    if until is None or now >= until:
        return True
    # A clock that was set back must not hold a mirror for longer than its pause.
    return state.last_tried_at is not None and state.last_tried_at > now
