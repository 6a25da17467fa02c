"""What planned calls would cost, and the first cap that refuses one of them."""

from typing import Final

from afterword.pipeline.gateway.budget.amounts import usd
from afterword.pipeline.gateway.budget.prices import Price
from afterword.pipeline.gateway.budget.simulate_rule import (
    MOST_SIMULATED_DAYS,
    Refusal,
    SimulatedCalls,
    Simulation,
)
from afterword.pipeline.views.blocks import Fields, Section, Table, View
from afterword.pipeline.views.cells import Cell

_WORKS: Final = (
    *("task", "model", "calls", "tokens in", "out", "USD a call", "reserved", "USD", "tokens of"),
)


def budget_simulation(result: Simulation, price: Price) -> View:
    """Return the cost of planned calls by task, then when they would be made.

    Args:
        price: of the model.
    """
    source = f"of {price.as_of}" if price.as_of else "of a setting"
    tokens = f"{usd(price.input_micro_usd)} in, {usd(price.output_micro_usd)} out, {source}"
    facts: dict[str, str | int] = {
        "USD per million": tokens,
        "USD together": usd(result.cost_micro_usd),
        "calls": result.calls,
        "pass today": result.passes_today,
        "pass this month": result.passes_this_month,
        "first refused": "none" if result.refused is None else _refusal(result.refused),
        "done on": result.drained_on or f"never, or after {MOST_SIMULATED_DAYS:,} days",
    }
    return View([Table(_WORKS, list(map(_work, result.works))), Section("", [Fields(facts)])])


def _work(work: SimulatedCalls) -> list[Cell]:
    return [
        *(work.task, work.model, work.calls, work.input_tokens, work.output_tokens),
        *(usd(work.cost_micro_usd), usd(work.held_micro_usd)),
        usd(work.calls * work.cost_micro_usd),
        f"{work.measured:,} past calls" if work.measured else "assumed",
    ]


def _refusal(refused: Refusal) -> str:
    cap = f"{refused.setting} of {usd(refused.cap_micro_usd)} USD"
    return f"call {refused.call:,} on {refused.day} by {cap}"
