"""Postpone jobs whose budget is spent, before they start."""

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Stores
from afterword.pipeline.gateway.budget import Budget
from afterword.workers.middleware.gate import Gate


class BudgetGate(Gate):
    """Checks the budget category that an actor names with its option `spends`."""

    option, reason = "spends", "over_budget"

    def __init__(self, stores: Stores, clock: Clock, budget: Budget) -> None:
        super().__init__(stores, clock)
        self._budget = budget

    def check(self, wanted: str, group: str) -> None:
        """Return if the budget category `wanted` has money left for the group; else raise."""
        self._budget.check(wanted, group)
