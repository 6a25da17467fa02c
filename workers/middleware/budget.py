"""Postpones jobs whose budget is spent, before they start and at no cost to their retries."""

from datetime import timedelta
from typing import Any

from dramatiq import Broker, Middleware
from dramatiq.middleware import SkipMessage

from pipeline.errors import BudgetExceededError
from pipeline.jobs.fail import UNDECIDED_PAUSE_S, postpone
from pipeline.store import writing
from workers.context import Context


class BudgetGate(Middleware):
    """Asks the budget an actor names with the option `spends`; actors without it pass.

    A held job waits in the ledger: the broker keeps long delays in a worker's memory.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    @property
    def actor_options(self) -> set[str]:
        return {"spends"}

    def before_process_message(self, broker: Broker, message: Any) -> None:
        try:
            held = self._hold_if_spent(broker, message)
        except Exception as error:
            # dramatiq logs any other error and runs the job; skipped, the ledger sends it again.
            raise SkipMessage(f"budget gate failed: {error}") from error
        if held:
            raise SkipMessage(held)

    def _hold_if_spent(self, broker: Broker, message: Any) -> str | None:
        category = broker.get_actor(message.actor_name).options.get("spends")
        if category is None:
            return None
        group, job_ids = message.args
        try:
            self._context.budget.check(category, group)
        except BudgetExceededError as spent:
            now = self._context.clock()
            until = spent.reopens_at or now + timedelta(seconds=UNDECIDED_PAUSE_S)
            with writing(self._context.shelf.group(group)) as conn:
                postpone(conn, job_ids, until, str(spent)[:200], now)
            return str(spent)
        return None
