"""Decisions, and one of them with what it was made on and how it turned out."""

from typing import Literal

from afterword.pipeline.domain.decisions.read import list_decisions, show_decision
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.http.routes.asked import thing
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent
from afterword.pipeline.doors.web.trader.fields import select
from afterword.pipeline.operations.roles.counted import counted_roles
from afterword.pipeline.views.roles.decision import decision as decision_view
from afterword.pipeline.views.roles.listed import decision_list, role_list

MOST_DECISIONS_SHOWN = 100
"""Decisions on one page; the filters find the others."""

StateOfDecision = Literal["pending", "parked", "skipped", "reflected"]


def decisions(
    by: PageCaller, role: str | None = None, state: StateOfDecision | None = None
) -> PageContent:
    """Return what the decisions of each role came to, and the decisions that fit."""
    counted = counted_roles(by.store(), load_roles(by.settings.home))
    listed = list_decisions(by.store(), role, state, MOST_DECISIONS_SHOWN)
    filters = [
        select("role", "Role", [each.role for each in counted], role),
        select("state", "State", ("pending", "parked", "skipped", "reflected"), state),
    ]
    return PageContent([role_list(counted), decision_list(listed)], filters=filters)


def decision(by: PageCaller, decision: str) -> PageContent:
    """Return one decision: what it was made on, how it turned out, and what it taught."""
    shown = show_decision(by.store(), thing(decision))
    role = load_roles(by.settings.home).find(shown.decision.role_id)
    return PageContent([decision_view(shown, role)], title=f"Decision {shown.decision.id}")
