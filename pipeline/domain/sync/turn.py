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


def due_at(state: SyncState, pauses: SyncPauses) -> datetime | None:
    """Return from when on a mirror may run; None for one that may run at once.

    The pause counts from the last try: counted from the last success, a mirror that fails for half
    an hour would be probed at every look.
    """
    if state.last_tried_at is None:
        return None
    is_left_out = state.consecutive_failures >= pauses.most_failures
    return state.last_tried_at + (pauses.cooldown if is_left_out else pauses.least)


def next_run_at(state: SyncState, pauses: SyncPauses) -> datetime | None:
    """Return when a mirror runs by itself; None for one that never ran."""
    until = due_at(state, pauses)
    if until is None or state.last_tried_at is None:
        return None
    return max(until, state.last_tried_at + pauses.tick)


def is_due(state: SyncState, now: datetime, pauses: SyncPauses, *, is_forced: bool = False) -> bool:
    """Return whether a mirror may run now.

    Args:
        is_forced: somebody asks for it: only one that is left out waits.
    """
    until = due_at(state, pauses)
    if until is None or now >= until:
        return True
    # A clock that was set back must not hold a mirror for longer than its pause.
    if state.last_tried_at is not None and state.last_tried_at > now:
        return True
    return is_forced and state.consecutive_failures < pauses.most_failures
