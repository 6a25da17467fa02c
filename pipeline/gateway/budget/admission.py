"""The rule: spent + reserved + asked for never passes a hard cap."""

from collections.abc import Iterable
from datetime import datetime

from afterword.pipeline.clock import iso
from afterword.pipeline.errors import BudgetExceededError
from afterword.pipeline.gateway.budget.amounts import MOST_MICRO_USD, usd
from afterword.pipeline.gateway.budget.caps import Caps, setting_of
from afterword.pipeline.gateway.budget.model import SpendingStop, Window
from afterword.pipeline.gateway.budget.windows import ends_at


def check_not_stopped(stopped: SpendingStop | None, gate: str | None = None) -> None:
    """Refuse everything while spending is stopped.

    Args:
        gate: what can be asked whether it is open again.

    Raises:
        BudgetExceededError: it is; `reopens_at` is None, since a person must act.
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
    """Refuse an amount that does not fit into all of the windows that would pay for it.

    Args:
        amount_micro_usd: at least 1, so that a cap of 0 admits nothing, free calls included.
        gate: what can be asked whether it is open again.

    Raises:
        BudgetExceededError: one is too full; `reopens_at` is when the last of them may have room.
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
        f"{usd(amount_micro_usd)} more asked for; wait, or raise "
        f"{setting_of(last.scope, last.name)}",
        reopens_at=until,
        gate=gate,
        asked_micro_usd=amount_micro_usd,
    )


def fits(caps: Caps, window: Window, amount_micro_usd: int) -> bool:
    """Say whether a window has room for an amount."""
    cap = caps.of(window.scope, window.name)
    return cap is None or window.used_micro_usd + amount_micro_usd <= cap


def room_in(caps: Caps, windows: Iterable[Window]) -> int:
    """Return the largest amount that all of the windows have room for; micro-USD, 0 for none."""
    left = [MOST_MICRO_USD]
    for window in windows:
        cap = caps.of(window.scope, window.name)
        if cap is not None:
            left.append(max(0, cap - window.used_micro_usd))
    return min(left)


def reopens_at(caps: Caps, window: Window, amount_micro_usd: int) -> datetime:
    """Return when asking a full window again is worth while (aware UTC).

    Reservations are worst cases: where only they are in the way, most of the money comes back when
    a call is settled, at the latest when the first of them expires, and not at midnight.
    """
    end = ends_at(window.key)
    cap = caps.of(window.scope, window.name)
    spent_up = cap is not None and window.spent_micro_usd + amount_micro_usd > cap
    if spent_up or window.frees_at is None:
        return end
    return min(end, window.frees_at)


def crosses_soft(caps: Caps, window: Window, amount_micro_usd: int) -> bool:
    """Say whether an amount takes a window, not warned about yet, to its soft threshold."""
    soft = caps.soft_of(window.scope, window.name)
    if soft is None or window.warned_at is not None:
        return False
    return window.used_micro_usd + amount_micro_usd >= soft
