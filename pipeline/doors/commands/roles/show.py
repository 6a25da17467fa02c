"""`afterword role list` and `show`: the roles there are, and the decisions of each."""

from datetime import datetime
from typing import Annotated, cast

import typer

from afterword.pipeline.domain.decisions.model import Decision, DecisionState
from afterword.pipeline.domain.decisions.read import (
    MAX_DECISIONS_READ,
    DecisionDetails,
    count_roles,
    list_decisions,
    show_decision,
    show_evidence,
)
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, most_shown
from afterword.pipeline.doors.commands.memory.options import memory_name
from afterword.pipeline.doors.commands.roles.options import DecisionName
from afterword.pipeline.doors.commands.roles.outcome_answer import outcome_answer
from afterword.pipeline.doors.render.values import print_json
from afterword.pipeline.operations.roles.counted import counted_roles
from afterword.pipeline.views.roles.decision import decision as decision_view
from afterword.pipeline.views.roles.decision import ripe_at
from afterword.pipeline.views.roles.listed import decision_list, role_list


def list_(
    ctx: typer.Context,
    role: Annotated[
        str, typer.Argument(metavar="ROLE", help="Its decisions; without one, all roles.")
    ] = "",
    state: Annotated[
        str | None, typer.Option(help="Only pending, parked, skipped or reflected decisions.")
    ] = None,
    limit: Annotated[int, most_shown("decisions", MAX_DECISIONS_READ)] = 20,
    as_of: AsOf = None,
) -> None:
    """List the roles with what their decisions came to, or the decisions of one.

    Example: afterword role list market.spot.momentum --state pending
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    if not role and state is None and at is None:
        _list_roles(call)
        return
    decisions = _decisions(call, role, state, limit, at)
    call.answer(decisions, lambda: decision_list(decisions))


def show(
    ctx: typer.Context,
    decision: DecisionName,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="Instead: all that its judge saw, as JSON.")
    ] = False,
) -> None:
    """Show one decision: what it was made on, how it turned out, what it left.

    Example: afterword role show 1
    """
    call = Call(ctx)
    if evidence:
        _show_evidence(call, decision)
        return
    shown = show_decision(call.store(), memory_name(decision))
    role = load_roles(call.settings.home).find(shown.decision.role_id)
    answer = {name: getattr(shown, name) for name in DecisionDetails.__slots__}
    answer["outcomes"] = [outcome_answer(outcome) for outcome in shown.outcomes]
    answer["ripe_at"] = ripe_at(shown.decision, role)
    call.answer(answer, lambda: decision_view(shown, role))


def _show_evidence(call: Call, name: str) -> None:
    """Print what the judge of a decision saw.

    Raises:
        NotFoundError: no judge was asked about it, or what it saw was forgotten.
    """
    seen = show_evidence(call.store(), memory_name(name))
    print_json(seen)


def _list_roles(call: Call) -> None:
    # There are roles before there is any file, and a newcomer looks here first.
    store = call.store() if call.has_group() else None
    roles = counted_roles(store, load_roles(call.settings.home))
    call.answer(roles, lambda: role_list(roles))


def _decisions(
    call: Call, role: str, state: str | None, limit: int, at: datetime | None
) -> list[Decision]:
    """Return decisions; none before there is any file.

    Raises:
        NotFoundError: no skill declares the role, and none of its decisions are kept.
    """
    registry = load_roles(call.settings.home) if role else None
    if registry is not None and registry.find(role) is None:
        counts = count_roles(call.store(), registry) if call.has_group() else []
        if role not in {count.role_id for count in counts}:
            registry.role(role)
    if not call.has_group():
        return []
    return list_decisions(
        call.store(), role or None, cast(DecisionState | None, state), limit, as_of=at
    )
