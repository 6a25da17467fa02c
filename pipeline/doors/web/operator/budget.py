"""What models cost and may cost; stop all spending, and allow it again."""

from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageField, PageForm
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.http.gates import gates_of, reopen_everywhere
from afterword.pipeline.views.operator.budget import (
    budget_overview,
    spending_resumed,
    spending_stopped,
)


def budget(by: PageCaller) -> PageContent:
    """Return every cap with the money left, this month's cost by model, and the stop."""
    overview = _budget(by).overview()
    form = _STOP if overview.stopped is None else _RESUME
    return PageContent([form, budget_overview(overview, by.now())])


def stop(by: PageCaller, note: str = "") -> ActionAnswer:
    """Stop all spending in every process at once."""
    return ActionAnswer(spending_stopped(is_changed=_budget(by).stop(note)), "/budget")


def resume(by: PageCaller) -> ActionAnswer:
    """Allow spending; jobs that waited for it go on."""
    budget = _budget(by)
    is_changed = budget.resume()
    jobs = reopen_everywhere(by.parts.stores, gates_of(budget, []), by.parts.clock)
    return ActionAnswer(spending_resumed(jobs, is_changed=is_changed), "/budget")


def _budget(by: PageCaller) -> Budget:
    return Budget(by.parts.stores.instance, caps_of(by.settings), by.parts.clock, by.parts.ids)


_STOP = PageForm(
    "/budget/stop",
    "Stop all spending",
    [PageField("note", "Reason", most=200)],
    summary="Stop all spending",
    is_grave=True,
)
_RESUME = PageForm("/budget/resume", "Allow spending again")
