"""`afterword budget`: show the cost of models, reserve and book money, stop all spending."""

from typing import Annotated

import typer

from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.options import Note
from afterword.pipeline.doors.cli.services import budget_of
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget import Budget, Purpose, Usage, caps_of
from afterword.pipeline.gateway.budget.amounts import micro_usd
from afterword.pipeline.gateway.budget.overview import unspent
from afterword.pipeline.gateway.http.gates import gates_of, reopen_everywhere
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.views.operator.budget import (
    budget_overview,
    money_reserved,
    money_settled,
    spending_resumed,
    spending_stopped,
)

_Category = Annotated[
    str, typer.Argument(metavar="CATEGORY", help="Budget category, such as learning.")
]
_Uid = Annotated[str, typer.Argument(metavar="UID", help="Printed by `budget reserve`.")]
_Tokens = Annotated[int, typer.Option(min=0, help="Tokens of the call.")]
_Word = Annotated[str, typer.Option(help="A stable word for the ledger.")]


def show(ctx: typer.Context) -> None:
    """Show every cap, the money left, and this month's cost by model.

    Example: afterword budget show
    """
    call = Call(ctx)
    # The caps come from the settings: they can be shown before any file exists.
    if call.is_installed():
        overview = _budget(call).overview()
    else:
        overview = unspent(caps_of(call.settings), call.now())
    call.answer(overview, lambda: budget_overview(overview, call.now()))


def reserve(
    ctx: typer.Context,
    category: _Category,
    amount: Annotated[float, typer.Argument(metavar="USD", help="Greatest cost of the call.")],
    task: _Word = "outside",
    model: _Word = "outside",
    ttl: Annotated[
        float, typer.Option(min=1, help="Seconds after which it counts as spent.")
    ] = 600,
) -> None:
    """Reserve money for a call of another program, and print the reservation's uid.

    Example: afterword budget reserve agent 0.05
    """
    call = Call(ctx)
    purpose = Purpose(category, call.settings.group, mask(task), mask(model))
    estimate = micro_usd(amount, "amount", up=True)
    reservation = _budget(call, create=True).reserve(purpose, estimate, ttl, outside=True)
    call.answer(reservation, lambda: money_reserved(reservation))


def settle(
    ctx: typer.Context,
    uid: _Uid,
    cost: Annotated[
        float | None,
        typer.Option(metavar="USD", help="Cost of the call; unknown: the reserved amount."),
    ] = None,
    input_tokens: _Tokens = 0,
    output_tokens: _Tokens = 0,
) -> None:
    """Book the cost of a reserved call.

    Example: afterword budget settle 0123456789abcdef --cost 0.02
    """
    call = Call(ctx)
    usage = None
    if cost is not None:
        usage = Usage(input_tokens, output_tokens, micro_usd(cost, "cost", up=True))
    elif input_tokens or output_tokens:
        field = "input_tokens" if input_tokens else "output_tokens"
        raise InvalidInputError(field, "needs a cost", "--cost USD beside it, or neither")
    budget = _budget(call)
    if usage is None:
        settled = budget.settle_at_reservation(uid, "settled without its cost")
    else:
        settled = budget.settle(uid, usage)
    call.answer({"uid": uid, "settled": settled}, lambda: money_settled(uid, is_settled=settled))


def stop(
    ctx: typer.Context,
    note: Note = "",
) -> None:
    """Stop all spending in every process at once.

    Example: afterword budget stop --note "end of the month"
    """
    call = Call(ctx)
    changed = _budget(call, create=True).stop(note)
    call.answer({"stopped": True, "changed": changed}, lambda: spending_stopped(is_changed=changed))


def resume(ctx: typer.Context) -> None:
    """Allow spending again.

    Example: afterword budget resume
    """
    call = Call(ctx)
    stores = call.stores()
    budget = budget_of(call, stores)
    changed = budget.resume()
    # Waiting jobs become ready now instead of at the next tick.
    ready = reopen_everywhere(stores, gates_of(budget, []), call.roots.clock)
    answer = {"stopped": False, "changed": changed, "jobs_woken": ready}
    call.answer(answer, lambda: spending_resumed(ready, is_changed=changed))


def _budget(call: Call, create: bool = False) -> Budget:
    return budget_of(call, call.stores(create))
