"""The rule of admission: spent + reserved + requested money never exceeds a hard cap."""

from collections.abc import Iterable
from datetime import datetime

from afterword.pipeline.clock import iso
from afterword.pipeline.errors import BudgetExceededError
from afterword.pipeline.gateway.budget.amounts import MOST_MICRO_USD, usd
from afterword.pipeline.gateway.budget.caps import Caps, setting_of
from afterword.pipeline.gateway.budget.model import SpendingStop, Window
from afterword.pipeline.gateway.budget.windows import ends_at


def check_not_stopped(stopped: SpendingStop | None, gate: str | None = None) -> None:
    """Refuse every call while spending is stopped.

    Args:
        gate: name of the gate, for the error.

    Raises:
        BudgetExceededError: spending is stopped; `reopens_at` is None, since a person must act.
    """
    if stopped is not None:
        why = f" ({stopped.note})" if stopped.note else ""
        raise BudgetExceededError(
            f"budget: all spending is stopped since {iso(stopped.since)}{why}; "
            "`afterword budget resume` reopens it",
            reopens_at=None,
            gate=gate,
        )


def check_caps(
    caps: Caps, windows: Iterable[Window], amount_micro_usd: int, gate: str | None = None
) -> None:
    """Refuse an amount that does not fit into every window that would pay for it.

    Args:
        amount_micro_usd: at least 1, so that a cap of 0 admits nothing, not even a free call.
        gate: name of the gate, for the error.

    Raises:
        BudgetExceededError: a window is too full; `reopens_at` is when the last of the full
            windows may have room.
    """
    full = [window for window in windows if not fits(caps, window, amount_micro_usd)]
    if not full:
        return
    last = max(full, key=lambda window: reopens_at(caps, window, amount_micro_usd))
    until = reopens_at(caps, last, amount_micro_usd)
    cap = caps.of(last.scope, last.name) or 0
    kind = "group " if last.scope == "group_day" else ""
    raise BudgetExceededError(
        f"budget:{kind}{last.name} until {until:%Y-%m-%dT%H:%MZ}: {usd(last.spent_micro_usd)} spent"
        f" and {usd(last.reserved_micro_usd)} reserved of {usd(cap)} USD for {last.key}, "
        f"{usd(amount_micro_usd)} more requested; wait, or raise "
        f"{setting_of(last.scope, last.name)}",
        reopens_at=until,
        gate=gate,
        requested_micro_usd=amount_micro_usd,
    )


def fits(caps: Caps, window: Window, amount_micro_usd: int) -> bool:
    """Return whether a window has room for an amount."""
    cap = caps.of(window.scope, window.name)
    return cap is None or window.used_micro_usd + amount_micro_usd <= cap


def headroom_in(caps: Caps, windows: Iterable[Window]) -> int:
    """Return the largest amount that fits into every window; micro-USD."""
    left = [MOST_MICRO_USD]
    for window in windows:
        cap = caps.of(window.scope, window.name)
        if cap is not None:
            left.append(max(0, cap - window.used_micro_usd))
    return min(left)


def reopens_at(caps: Caps, window: Window, amount_micro_usd: int) -> datetime:
    """Return when a full window may have room again (aware UTC).

    Reservations are worst cases. If only they fill the window, money comes back when a call is
    settled, at the latest when the first reservation expires; otherwise at the window's end.
    """
    end = ends_at(window.key)
    cap = caps.of(window.scope, window.name)
    spent_up = cap is not None and window.spent_micro_usd + amount_micro_usd > cap
    if spent_up or window.frees_at is None:
        return end
    return min(end, window.frees_at)


def crosses_soft(caps: Caps, window: Window, amount_micro_usd: int) -> bool:
    """Return whether an amount brings a window to its soft threshold for the first time."""
    soft = caps.soft_of(window.scope, window.name)
    if soft is None or window.warned_at is not None:
        return False
    return window.used_micro_usd + amount_micro_usd >= soft
