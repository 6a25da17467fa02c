"""`afterword budget simulate`: the cost of planned calls, and the first cap that refuses one."""

from typing import Annotated

import typer

from afterword.pipeline.domain.decisions.read import count_roles
from afterword.pipeline.domain.facts.area import JUDGE_FACTS
from afterword.pipeline.domain.facts.read import count_unjudged
from afterword.pipeline.domain.reflection.judge import CLASSIFY, DRAFT
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget import Price, caps_of, price_of
from afterword.pipeline.gateway.budget.amounts import MOST_TOKENS
from afterword.pipeline.gateway.budget.simulate import plan, simulate_now, tokens
from afterword.pipeline.gateway.budget.simulate_rule import MOST_CALLS
from afterword.pipeline.gateway.llm.build import price_of_model
from afterword.pipeline.views.operator.budget_simulation import budget_simulation


def simulate(
    ctx: typer.Context,
    calls: Annotated[
        int | None, typer.Option(min=1, max=MOST_CALLS, help="Number of calls.")
    ] = None,
    backlog: Annotated[
        bool,
        typer.Option("--backlog", help="Instead: the most calls that this group's backlog needs."),
    ] = False,
    task: Annotated[
        str, typer.Option(help="Task of the calls; its past calls give the tokens of one.")
    ] = "stated",
    category: Annotated[str, typer.Option(help="Budget category.")] = "learning",
    model: Annotated[str | None, typer.Option(help="Model; default: AFTERWORD_LLM_MODEL.")] = None,
    input_tokens: Annotated[
        int | None,
        typer.Option(
            "--in",
            min=0,
            max=MOST_TOKENS,
            help="Tokens a call reads; default: as past calls, or 1200.",
        ),
    ] = None,
    output_tokens: Annotated[
        int | None,
        typer.Option(
            "--out",
            min=0,
            max=MOST_TOKENS,
            help="Tokens it writes; default: as past calls, or 200.",
        ),
    ] = None,
    most_in: Annotated[
        int | None, typer.Option(min=0, max=MOST_TOKENS, help="Most it could read, to be reserved.")
    ] = None,
    most_out: Annotated[
        int | None,
        typer.Option(min=0, max=MOST_TOKENS, help="Most it could write, to be reserved."),
    ] = None,
    per_day: Annotated[
        int | None, typer.Option(min=1, help="Calls that arrive per day; default: all wait now.")
    ] = None,
) -> None:
    """Show what calls would cost if nothing else is spent, and the first cap that refuses one.

    Example: afterword budget simulate --backlog
    """
    call = Call(ctx)
    if (calls is None) is not backlog:
        raise InvalidInputError("calls", "need one source", "either --calls or --backlog")
    instance, group = call.stores().instance, call.settings.group
    chosen_model = model or call.settings.llm_model
    price = _price(call, chosen_model)
    assumed = tokens(
        1_200 if input_tokens is None else input_tokens,
        200 if output_tokens is None else output_tokens,
        most_in,
        most_out,
    )
    wanted = _backlog(call) if calls is None else {task: calls}
    is_given = (input_tokens, output_tokens, most_in, most_out) != (None, None, None, None)
    works = plan(instance, wanted, chosen_model, price, assumed, past=not is_given)
    result = simulate_now(
        instance, caps_of(call.settings), category, group, works, call.now(), per_day
    )
    call.answer(result, lambda: budget_simulation(result, price))


def _price(call: Call, model: str) -> Price:
    if model == call.settings.llm_model:
        return price_of_model(call.settings)
    return price_of(model, None, "AFTERWORD_LLM_MODEL and its price")


def _backlog(call: Call) -> dict[str, int]:
    """Return by task the most calls of a group's backlog: two per decision (its class, its lesson)
    and one per fact."""
    store = call.store()
    roles = count_roles(store, load_roles(call.settings.home))
    waiting = sum(sum(role.waiting.values()) for role in roles if role.role is not None)
    return {CLASSIFY: waiting, DRAFT: waiting, JUDGE_FACTS.name: count_unjudged(store)}
