"""`afterword methodology synthesize`: score all methodologies now, and decide about them."""

import typer

from afterword.pipeline.domain.synthesis.build import (
    build_seed_writer,
    build_synthesis_judge,
    gate_rules,
)
from afterword.pipeline.domain.synthesis.judge import JUDGE
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.seed_writer import EXTRACT
from afterword.pipeline.domain.synthesis.synthesize import synthesize as run_pass
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.services import llm_of, switches_of
from afterword.pipeline.views.methods.synthesis import synthesis_done, synthesis_off


def synthesize(ctx: typer.Context) -> None:
    """Do now what workers do every six hours: bring the cases up to date, score every methodology
    by both gates, graduate what is told apart from luck, demote what no longer is.

    Example: afterword methodology synthesize
    """
    call = Call(ctx)
    settings = call.settings
    if not settings.learning_enabled:
        call.answer({"learning_enabled": False}, synthesis_off)
        return
    stores = call.stores()
    switches = switches_of(call, stores)
    llm = llm_of(call, stores) if settings.synthesis_judge == "model" else None
    by = Synthesis(
        stores.group(settings.group),
        build_synthesis_judge(settings, llm),
        gate_rules(settings),
        call.roots.clock,
        call.roots.ids,
        build_seed_writer(settings, llm),
        switches.mode(JUDGE),
        switches.mode(EXTRACT),
    )
    report = run_pass(by, "command")
    call.answer(report, lambda: synthesis_done(report, call.now()))
