"""`afterword llm`: check that the model answers, how fast, and at what cost."""

from typing import Annotated, Final, Literal

import typer

from afterword.pipeline.clock import monotonic
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.services import budget_of
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget.amounts import usd
from afterword.pipeline.gateway.http.gates import gates_of, reopen_everywhere
from afterword.pipeline.gateway.llm.build import build_metered, llm_breaker
from afterword.pipeline.gateway.llm.model import Form, Question
from afterword.pipeline.views.operator.llm import model_checked

app = section("Check that the model answers.")


class Sum(Form):
    """Say what one and one make."""

    result: Literal["two", "something else"]


_SYSTEM: Final = "You check that a connection works. Fill in the form."


@app.command()
def check(
    ctx: typer.Context,
    fast: Annotated[
        bool, typer.Option("--fast", help="Ask AFTERWORD_LLM_FAST_MODEL instead.")
    ] = False,
) -> None:
    """Send one tiny question to the model, even while its circuit is open.

    An answer closes the circuit: jobs that waited for the model go on.

    Example: afterword llm check
    """
    call = Call(ctx)
    settings = call.settings
    if settings.llm_provider != "anthropic":
        raise InvalidInputError(
            "AFTERWORD_LLM_PROVIDER", f"{settings.llm_provider} calls no model", "anthropic"
        )
    clock, stores = call.roots.clock, call.stores(create=True)
    instance = stores.instance
    budget = budget_of(call, stores)
    llm = build_metered(settings, instance, budget, clock, fast=fast)
    question = Question(
        "check_llm", settings.group, _SYSTEM, "1 + 1 = ?", Sum, max_output_tokens=256
    )
    began = monotonic()
    try:
        answer = llm.probe(question)
    finally:
        llm.close()
    took_s = monotonic() - began
    # The circuit is closed now: waiting jobs become ready now instead of at the next tick.
    gates = gates_of(budget, [llm_breaker(settings, instance, clock, fast=fast)])
    ready = reopen_everywhere(stores, gates, clock)
    result = {
        "provider": llm.provider,
        "model": answer.model,
        "answer": answer.value.result,
        "took_s": round(took_s, 3),
        "input_tokens": answer.usage.input_tokens,
        "output_tokens": answer.usage.output_tokens,
        "cost_usd": usd(answer.usage.cost_micro_usd),
        "request_id": answer.request_id,
        "jobs_woken": ready,
    }
    call.answer(result, lambda: model_checked(result, took_s))
