"""Simulate planned calls day by day: their cost, and the first cap that refuses one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final

from afterword.pipeline.errors import BudgetExceededError, InvalidInputError
from afterword.pipeline.gateway.budget.admission import check_caps, fits, reopens_at
from afterword.pipeline.gateway.budget.caps import Caps, setting_of
from afterword.pipeline.gateway.budget.model import Window
from afterword.pipeline.gateway.budget.windows import BudgetScope

MOST_CALLS: Final = 10_000_000
"""Limit of the calls of one simulation; count."""

MOST_SIMULATED_DAYS: Final = 3_660
"""Limit of the simulated days: ten years; count."""


@dataclass(frozen=True, slots=True)
class SimulatedCalls:
    """Planned calls of one task; amounts in micro-USD.

    Args:
        input_tokens, output_tokens: of one call.
        cost_micro_usd: expected cost of one call.
        held_micro_usd: worst case of one call, which must fit under the caps.
        measured: number of past calls behind the token averages; 0: the tokens are assumed.

    Raises:
        InvalidInputError: too many calls, or a cost above the worst case.
    """

    task: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost_micro_usd: int
    held_micro_usd: int
    measured: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.calls <= MOST_CALLS:
            raise InvalidInputError("calls", f"{self.calls}", f"0 to {MOST_CALLS:,}")
        if self.held_micro_usd < self.cost_micro_usd:
            problem = f"is below the usage of a call of {self.task}"
            raise InvalidInputError("worst case", problem, "at least the tokens of a usual call")

    @property
    def requested_micro_usd(self) -> int:
        """The amount that must fit; at least 1, so that a cap of 0 refuses a free call too."""
        return max(1, self.held_micro_usd)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The first call that a cap refuses.

    Args:
        call: its number among all calls, from 1.
        day: the UTC day of the call.
        scope, name: the window of the cap.
        setting: the setting that raises the cap.
        reopens_at: when the window has room again; aware UTC.
        why: message of the budget's error.
    """

    call: int
    day: str
    scope: BudgetScope
    name: str
    cap_micro_usd: int
    setting: str
    reopens_at: datetime | None
    why: str


@dataclass(frozen=True, slots=True)
class Simulation:
    """The result for calls made one after the other, if nothing else spends money.

    Args:
        day: the UTC day that pays now.
        works: the planned calls, by task.
        calls: all of them; count.
        cost_micro_usd: cost of all calls.
        passes_today, passes_this_month: calls made by the end of this day and month; count.
        refused: None if every call fits at once.
        drained_on: day of the last call; None if it is never reached.
    """

    day: str
    works: tuple[SimulatedCalls, ...]
    calls: int
    cost_micro_usd: int
    passes_today: int
    passes_this_month: int
    refused: Refusal | None
    drained_on: str | None


def simulate(
    caps: Caps,
    windows: Sequence[Window],
    works: Sequence[SimulatedCalls],
    per_day: int | None = None,
) -> Simulation:
    """Simulate planned calls; a refused call waits for the next day, as a job does.

    Args:
        windows: the windows that pay now, the category's day first. Reservations of running
            calls count as spent for today.
        works: planned calls, in the order in which they are made.
        per_day: calls that arrive per day; None: all of them wait already.
    """
    today = day = windows[0].key
    left = [work.calls for work in works]
    total, done, by_day_end, by_month_end = sum(left), 0, 0, 0
    refused = drained_on = None
    for number in range(MOST_SIMULATED_DAYS):
        arrived = total if per_day is None else min(total, per_day * (number + 1))
        windows, left, blocked = _one_day(caps, windows, works, left, arrived - done)
        done = total - sum(left)
        if blocked is not None and refused is None:
            refused = _refusal(caps, windows, blocked, done + 1, day)
        by_day_end = done if day == today else by_day_end
        by_month_end = done if day[:7] == today[:7] else by_month_end
        if done == total:
            drained_on = day
            break
        day = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
        windows = [_window_of_day(window, day) for window in windows]
    cost = sum(work.calls * work.cost_micro_usd for work in works)
    return Simulation(
        today, tuple(works), total, cost, by_day_end, by_month_end, refused, drained_on
    )


def _one_day(
    caps: Caps,
    windows: Sequence[Window],
    works: Sequence[SimulatedCalls],
    left: Sequence[int],
    waiting: int,
) -> tuple[list[Window], list[int], SimulatedCalls | None]:
    """Return the windows and the calls left at the end of a day, and the task that was refused."""
    after, rest = list(windows), list(left)
    for place, work in enumerate(works):
        wanted = min(rest[place], waiting)
        made = min([wanted, *(_fitting_calls(caps, window, work, wanted) for window in after)])
        after = [_add_cost(window, made * work.cost_micro_usd) for window in after]
        rest[place] -= made
        waiting -= made
        if made < wanted:
            return after, rest, work
    return after, rest, None


def _fitting_calls(caps: Caps, window: Window, work: SimulatedCalls, wanted: int) -> int:
    """Return how many of the wanted calls fit into a window, made one after the other."""
    cap = caps.of(window.scope, window.name)
    if cap is None:
        return wanted
    spare = cap - window.used_micro_usd - work.requested_micro_usd
    if spare < 0:
        return 0
    return min(wanted, spare // work.cost_micro_usd + 1) if work.cost_micro_usd else wanted


def _refusal(
    caps: Caps, windows: Sequence[Window], work: SimulatedCalls, call: int, day: str
) -> Refusal:
    requested = work.requested_micro_usd
    full = [window for window in windows if not fits(caps, window, requested)]
    last = max(full, key=lambda window: reopens_at(caps, window, requested))
    cap = caps.of(last.scope, last.name) or 0
    setting = setting_of(last.scope, last.name)
    try:
        check_caps(caps, windows, requested)
    except BudgetExceededError as error:
        return Refusal(call, day, last.scope, last.name, cap, setting, error.reopens_at, str(error))
    raise AssertionError("a call that does not fit was admitted")


def _add_cost(window: Window, cost: int) -> Window:
    return replace(window, spent_micro_usd=window.spent_micro_usd + cost)


def _window_of_day(window: Window, day: str) -> Window:
    """Return the window of the same cap on a later day; a month's window stays until its end."""
    if window.scope == "category_month" and window.key == day[:7]:
        return window
    key = day[:7] if window.scope == "category_month" else day
    return Window(window.scope, window.name, key, 0, 0, None, None)
