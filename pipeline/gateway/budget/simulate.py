"""Simulate work against the budget as it stands; nothing is written and nothing is held."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.store.names import checked_group
from afterword.pipeline.gateway.budget import rows
from afterword.pipeline.gateway.budget.admission import check_not_stopped
from afterword.pipeline.gateway.budget.caps import Caps
from afterword.pipeline.gateway.budget.model import checked_category
from afterword.pipeline.gateway.budget.prices import Price
from afterword.pipeline.gateway.budget.simulate_rows import CallAverage, measured
from afterword.pipeline.gateway.budget.simulate_rule import SimulatedCalls, Simulation, simulate
from afterword.pipeline.gateway.budget.windows import category_windows, group_window

BYTES_A_TOKEN: Final = 4
"""What English prose has; a worst case counts bytes (see `estimate_tokens`)."""

AROUND: Final = 2_048
"""Tokens around a question, and the most an answer may have where nobody says so: as in `llm`."""
MOST_OUTPUT: Final = 1_024


@dataclass(frozen=True, slots=True)
class Tokens:
    """What one call takes; tokens.

    Args:
        most_input, most_output: its worst case, which is held while it is made.
    """

    input: int
    output: int
    most_input: int
    most_output: int


def tokens(
    input: int, output: int, most_input: int | None = None, most_output: int | None = None
) -> Tokens:
    """Return what one call takes; a worst case nobody states is that of our own questions."""
    if most_input is None:
        most_input = BYTES_A_TOKEN * input + AROUND
    if most_output is None:
        most_output = max(output, MOST_OUTPUT)
    return Tokens(input, output, most_input, most_output)


def plan(
    instance: Store,
    calls: Mapping[str, int],
    model: str,
    price: Price,
    assumed: Tokens,
    *,
    past: bool = True,
) -> list[SimulatedCalls]:
    """Return the calls of some tasks with what each of them costs.

    Args:
        calls: how many, by task.
        assumed: what one takes where the model was never asked for such a thing.
        past: whether what past calls took counts more than what is assumed.

    Raises:
        InvalidInputError: too many calls, or a worst case that is none.
    """
    with reading(instance) as conn:
        found = measured(conn, model, list(calls)) if past else {}
    return [_work(task, number, model, price, assumed, found) for task, number in calls.items()]


def simulate_now(
    instance: Store,
    caps: Caps,
    category: str,
    group: str,
    works: list[SimulatedCalls],
    now: datetime,
    per_day: int | None = None,
) -> Simulation:
    """Say what would become of work that begins now (see `simulate`).

    Args:
        instance: the installation's `instance.sqlite`.
        category, group: whose caps hold.

    Raises:
        BudgetExceededError: all spending is stopped: nothing would pass before a person resumes it.
        InvalidInputError: no such category or group.
    """
    checked_category(category)
    checked_group(group)
    with reading(instance) as conn:
        check_not_stopped(rows.stopped(conn))
        day = rows.current_day(conn, now)
        paying = [*category_windows(category, day), group_window(group, day)]
        windows = rows.windows(conn, paying, now)
    return simulate(caps, windows, works, per_day)


def _work(
    task: str,
    calls: int,
    model: str,
    price: Price,
    assumed: Tokens,
    found: Mapping[str, CallAverage],
) -> SimulatedCalls:
    held = price.cost_micro_usd(assumed.most_input, assumed.most_output)
    if task not in found:
        cost = price.cost_micro_usd(assumed.input, assumed.output)
        return SimulatedCalls(task, model, calls, assumed.input, assumed.output, cost, held)
    one = found[task]
    cost = price.cost_micro_usd(one.input_tokens, one.output_tokens)
    held = max(cost, held if one.held_micro_usd is None else one.held_micro_usd)
    return SimulatedCalls(
        task, model, calls, one.input_tokens, one.output_tokens, cost, held, measured=one.calls
    )
