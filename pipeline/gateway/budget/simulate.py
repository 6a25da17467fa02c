"""Simulate calls against the present budget; it writes nothing and reserves nothing."""

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
"""Bytes per token of English prose; a worst case counts bytes (see `estimate_tokens`)."""

AROUND: Final = 2_048
"""Tokens that a request adds to its question, as in `llm`."""

MOST_OUTPUT: Final = 1_024
"""Default limit of the tokens of an answer, as in `llm`."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one call.

    Args:
        most_input, most_output: its worst case, which is reserved.
    """

    input: int
    output: int
    most_input: int
    most_output: int


def tokens(
    input: int, output: int, most_input: int | None = None, most_output: int | None = None
) -> Tokens:
    """Return the tokens of one call; the default worst case is that of our own questions."""
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
    """Return the planned calls with their cost.

    Args:
        calls: number of calls by task.
        assumed: tokens of one call of a task without past calls.
        past: whether the average of past calls replaces `assumed`.

    Raises:
        InvalidInputError: too many calls, or a worst case below the usual cost.
    """
    with reading(instance) as conn:
        averages = measured(conn, model, list(calls)) if past else {}
    return [
        _planned(task, n, model, price, assumed, averages.get(task)) for task, n in calls.items()
    ]


def simulate_now(
    instance: Store,
    caps: Caps,
    category: str,
    group: str,
    works: list[SimulatedCalls],
    now: datetime,
    per_day: int | None = None,
) -> Simulation:
    """Simulate calls that begin now (see `simulate`).

    Args:
        instance: the installation's `instance.sqlite`.
        category, group: their caps apply.

    Raises:
        BudgetExceededError: all spending is stopped until a person resumes it.
        InvalidInputError: unknown category or invalid group name.
    """
    checked_category(category)
    checked_group(group)
    with reading(instance) as conn:
        check_not_stopped(rows.stopped(conn))
        day = rows.current_day(conn, now)
        paying = [*category_windows(category, day), group_window(group, day)]
        windows = rows.windows(conn, paying, now)
    return simulate(caps, windows, works, per_day)


def _planned(
    task: str,
    calls: int,
    model: str,
    price: Price,
    assumed: Tokens,
    average: CallAverage | None,
) -> SimulatedCalls:
    held = price.cost_micro_usd(assumed.most_input, assumed.most_output)
    if average is None:
        cost = price.cost_micro_usd(assumed.input, assumed.output)
        return SimulatedCalls(task, model, calls, assumed.input, assumed.output, cost, held)
    read, written = average.input_tokens, average.output_tokens
    cost = price.cost_micro_usd(read, written)
    held = max(cost, held if average.reserved_micro_usd is None else average.reserved_micro_usd)
    return SimulatedCalls(task, model, calls, read, written, cost, held, measured=average.calls)
