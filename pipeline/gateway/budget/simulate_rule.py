"""What an amount of model work would cost, and when which cap would refuse it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final

from afterword.pipeline.errors import BudgetExceededError, InvalidInputError
from afterword.pipeline.gateway.budget.admission import check_caps, fits, reopens_at
from afterword.pipeline.gateway.budget.caps import Caps, setting_of
from afterword.pipeline.gateway.budget.model import Window
from afterword.pipeline.gateway.budget.windows import Scope

MOST_CALLS: Final = 10_000_000
"""Calls of one simulation."""

MOST_DAYS: Final = 3_660
"""Days that are looked at: what is not done in ten years will not be done."""


@dataclass(frozen=True, slots=True)
class SimulatedCalls:
    """Calls of one sort; amounts in micro-USD.

    Args:
        input_tokens, output_tokens: of one call.
        cost_micro_usd: what one really costs.
        held_micro_usd: its worst case, which must fit under the caps before it is made.
        measured: past calls the tokens are the average of; 0: they are assumed.

    Raises:
        InvalidInputError: too many calls, or one that costs more than its worst case.
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
            problem = f"is below what a call of {self.task} uses"
            raise InvalidInputError("worst case", problem, "as many tokens as it uses, or more")

    @property
    def asked_micro_usd(self) -> int:
        """What has to fit: a free call asks for something too, or a cap of 0 would admit it."""
        return max(1, self.held_micro_usd)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The first call a cap refuses.

    Args:
        call: which of all calls it is; from 1.
        day: the UTC day it is asked for.
        scope, name: whose cap it is.
        setting: what the cap is raised by.
        reopens_at: when that cap has room again.
        why: as the budget says it.
    """

    call: int
    day: str
    scope: Scope
    name: str
    cap_micro_usd: int
    setting: str
    reopens_at: datetime | None
    why: str


@dataclass(frozen=True, slots=True)
class Simulation:
    """What would become of some work, one call after the other, if nobody else spent anything.

    Args:
        day: the UTC day that pays now.
        cost_micro_usd: of all of it.
        passes_today, passes_this_month: calls that are made by the end of this day and month.
        refused: None where every call fits at once.
        drained_on: the day the last call is made; None where that never comes.
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
    """Say what would become of work.

    What is refused waits for the next day, as a job does.

    Args:
        windows: the ones that pay now, the category's day first, with what is gone from them.
            What calls on their way hold counts as gone for today.
        works: in the order they are asked for.
        per_day: calls that come in a day; None: all of them wait already.
    """
    today = day = windows[0].key
    left = [work.calls for work in works]
    total, done, by_day_end, by_month_end = sum(left), 0, 0, 0
    refused = drained_on = None
    for number in range(MOST_DAYS):
        come = total if per_day is None else min(total, per_day * (number + 1))
        windows, left, stuck = _one_day(caps, windows, works, left, come - done)
        done = total - sum(left)
        if stuck is not None and refused is None:
            refused = _refusal(caps, windows, stuck, done + 1, day)
        by_day_end = done if day == today else by_day_end
        by_month_end = done if day[:7] == today[:7] else by_month_end
        if done == total:
            drained_on = day
            break
        day = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
        windows = [_on(window, day) for window in windows]
    cost = sum(work.calls * work.cost_micro_usd for work in works)
    return Simulation(
        today, tuple(works), total, cost, by_day_end, by_month_end, refused, drained_on
    )


def _one_day(
    caps: Caps,
    windows: Sequence[Window],
    works: Sequence[SimulatedCalls],
    left: Sequence[int],
    come: int,
) -> tuple[list[Window], list[int], SimulatedCalls | None]:
    """Return what is gone and left at the end of a day, and the work that was refused in it."""
    after, rest = list(windows), list(left)
    for place, work in enumerate(works):
        wanted = min(rest[place], come)
        made = min([wanted, *(_room(caps, window, work, wanted) for window in after)])
        after = [_paid(window, made * work.cost_micro_usd) for window in after]
        rest[place] -= made
        come -= made
        if made < wanted:
            return after, rest, work
    return after, rest, None


def _room(caps: Caps, window: Window, work: SimulatedCalls, wanted: int) -> int:
    """Return how many of the wanted calls fit into a window, one after the other."""
    cap = caps.of(window.scope, window.name)
    if cap is None:
        return wanted
    over = cap - window.used_micro_usd - work.asked_micro_usd
    if over < 0:
        return 0
    return min(wanted, over // work.cost_micro_usd + 1) if work.cost_micro_usd else wanted


def _refusal(
    caps: Caps, windows: Sequence[Window], work: SimulatedCalls, call: int, day: str
) -> Refusal:
    asked = work.asked_micro_usd
    full = [window for window in windows if not fits(caps, window, asked)]
    last = max(full, key=lambda window: reopens_at(caps, window, asked))
    cap = caps.of(last.scope, last.name) or 0
    setting = setting_of(last.scope, last.name)
    try:
        check_caps(caps, windows, asked)
    except BudgetExceededError as error:
        return Refusal(call, day, last.scope, last.name, cap, setting, error.reopens_at, str(error))
    raise AssertionError("a call that does not fit was admitted")


def _paid(window: Window, cost: int) -> Window:
    return replace(window, spent_micro_usd=window.spent_micro_usd + cost)


def _on(window: Window, day: str) -> Window:
    """Return a window of the same cap on a later day; a month goes on until it is over."""
    if window.scope == "category_month" and window.key == day[:7]:
        return window
    key = day[:7] if window.scope == "category_month" else day
    return Window(window.scope, window.name, key, 0, 0, None, None)
