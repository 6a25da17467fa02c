"""`afterword methodology synthesize`: score all methodologies now, and decide about them."""

from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from typing import Final

import typer

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.store import Stores
from afterword.pipeline.domain.synthesis.build import (
    build_seed_writer,
    build_synthesis_judge,
    gate_rules,
)
from afterword.pipeline.domain.synthesis.judge import JUDGE
from afterword.pipeline.domain.synthesis.luck import luck_of
from afterword.pipeline.domain.synthesis.model import SynthesisReport
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.seed_writer import EXTRACT
from afterword.pipeline.domain.synthesis.synthesize import synthesize as run_pass
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.output import print_line
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.gateway.llm.build import build_llm
from afterword.pipeline.gateway.switches import Switches, tasks_of

_OFF: Final = "learning is off (AFTERWORD_LEARNING_ENABLED): nothing is scored or written"

_DONE: Final[Mapping[str, str]] = {
    "promising": "became promising",
    "not_promising": "no longer promising",
    "graduated": "graduated",
    "demoted": "demoted by their record",
    "requantized_by_judge": "demoted by the judge",
    "synthesis_auto_demote": "demoted by repeated flags",
    "flag": "flagged by the judge",
    "recover": "recovered by the judge",
    "merged": "merged into another",
    "seeded": "made from cases and patterns, to be tried",
}

_PARTS: Final[Mapping[str, str]] = {
    "judge": "the judge of graduates was not asked",
    "seeds": "no methodology was made from cases and patterns",
}


def synthesize(ctx: typer.Context) -> None:
    """Do now what workers do every six hours: bring the cases up to date, score every methodology
    by both gates, graduate what is told apart from luck, demote what no longer is.

    Example: afterword methodology synthesize
    """
    call = Call(ctx)
    settings = call.settings
    if not settings.learning_enabled:
        call.answer({"learning_enabled": False}, lambda: print_line(_OFF))
        return
    stores = call.stores()
    switches = Switches(stores.instance, call.roots.clock, tasks_of(all_areas()))
    llm = _llm(ctx, call, stores)
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
    call.answer(report, lambda: _print(report, call.now()))


def _llm(ctx: typer.Context, call: Call, stores: Stores) -> Llm | None:
    settings, clock = call.settings, call.roots.clock
    if settings.synthesis_judge != "model":
        return None
    budget = Budget(stores.instance, caps_of(settings), clock, call.roots.ids)
    llm = build_llm(settings, stores.instance, budget, clock)
    return None if llm is None else ctx.with_resource(closing(llm))


def _print(report: SynthesisReport, now: datetime) -> None:
    numbers = report.numbers
    cases = numbers["cases"]
    print_line(
        f"cases: {cases['opened']:,} opened, {cases['closed']:,} closed, "
        f"{cases['settled']:,} with a new result"
    )
    for group, why in numbers["frozen"].items():
        print_line(f"{group} stands still, nothing of it is graduated: {why}")
    for change, count in numbers["changes"].items():
        print_line(f"{_DONE.get(change, change.replace('_', ' '))}: {count:,}")
    for part, why in numbers["waits"].items():
        print_line(f"{_PARTS[part]}, and the next pass tries again: {why}")
    if not numbers["changes"]:
        print_line("no methodology changed its state")
    print_line(luck_of(numbers, now).words)
    other = "literal" if report.gate == "strict" else "strict"
    graduated = numbers["literal_graduated" if other == "literal" else "graduated"]
    print_line(f"The {other} gate, which is not in force, has {graduated:,} graduated.")
