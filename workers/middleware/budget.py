"""Postpones jobs whose budget is spent, before they start."""

from afterword.workers.middleware.gate import Gate


class BudgetGate(Gate):
    """Asks the budget an actor names with the option `spends`."""

    option, reason = "spends", "over_budget"

    def check(self, wanted: str, group: str) -> None:
        self.context.budget.check(wanted, group)
