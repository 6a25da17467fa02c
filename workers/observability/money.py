"""Metrics of the budgets, and of the calls, tokens and cost of each model."""

from collections import Counter
from dataclasses import dataclass, field

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.telemetry.numbers import BoundedNames, Tally, Values
from afterword.pipeline.gateway.budget import Budget
from afterword.pipeline.gateway.budget.overview import Line
from afterword.pipeline.gateway.budget.rows import usage_after

MOST_MODELS = 50
"""Models shown by name (count); calls that are made outside may name any model."""


@dataclass(slots=True)
class MoneySource:
    """Reads the budget, and the rows of the usage that were added since the last read.

    Args:
        instance: the installation's `instance.sqlite`.
    """

    budget: Budget
    instance: Store
    _last_id: int = 0
    _models: BoundedNames = field(default_factory=lambda: BoundedNames(MOST_MODELS))
    _calls: Tally = field(default_factory=Counter)
    _tokens: Tally = field(default_factory=Counter)
    _micro_usd: Tally = field(default_factory=Counter)

    def __call__(self) -> dict[str, Values]:
        """Return the numbers by metric."""
        self._read_new_usage()
        seen = self.budget.overview()
        capped = [
            line for line in (*seen.categories, *seen.groups) if line.cap_micro_usd is not None
        ]
        return {
            "afterword_budget_limit_usd": {_name(x): (x.cap_micro_usd or 0) / 1e6 for x in capped},
            "afterword_budget_spent_usd": {_name(x): x.spent_micro_usd / 1e6 for x in capped},
            "afterword_budget_reserved_usd": {_name(x): x.reserved_micro_usd / 1e6 for x in capped},
            "afterword_budget_stopped": {(): int(seen.stopped is not None)},
            "afterword_llm_calls_total": self._calls,
            "afterword_llm_tokens_total": self._tokens,
            "afterword_llm_cost_usd_total": {
                labels: amount / 1e6 for labels, amount in self._micro_usd.items()
            },
        }

    def _read_new_usage(self) -> None:
        """Add the usage since the last read: the table is append-only, and its ids only grow."""
        with reading(self.instance) as conn:
            sums = usage_after(conn, self._last_id)
        for usage in sums:
            model = self._models.label(usage.model)
            self._calls[usage.category, model, usage.basis] += usage.calls
            self._tokens[usage.category, model, "input"] += usage.input_tokens
            self._tokens[usage.category, model, "output"] += usage.output_tokens
            self._micro_usd[usage.category, model] += usage.cost_micro_usd
            self._last_id = max(self._last_id, usage.last_id)


def _name(line: Line) -> tuple[str, str]:
    if line.scope == "group_day":
        return f"group:{line.name}", "day"
    return line.name, "day" if line.scope == "category_day" else "month"
