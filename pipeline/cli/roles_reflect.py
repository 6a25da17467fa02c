"""`afterword role reflect` and `mark`: what became of decisions, by rule, by a model or by hand."""

from typing import Annotated, cast

import typer

from pipeline.budget import Budget, caps_of
from pipeline.cli.call import Call
from pipeline.cli.names import memory_name
from pipeline.cli.output import Cell, print_fields, print_line
from pipeline.cli.roles_show import Which
from pipeline.llm.build import build_llm
from pipeline.prices.stored import StoredPrices
from pipeline.roles.build import build_judge
from pipeline.roles.judge import CLASSIFY, DRAFT
from pipeline.roles.mark import mark_decision
from pipeline.roles.model import Mark, Tally, tally_all
from pipeline.roles.reflect import Modes, Reflector, reflect_role
from pipeline.skills import RoleRegistry
from pipeline.skills.discover import load_roles
from pipeline.switches import Switches


def reflect(
    ctx: typer.Context,
    role: Annotated[str, typer.Argument(metavar="[ROLE]", help="One role; all if missing.")] = "",
    parked: Annotated[
        bool, typer.Option("--parked", help="Also what is parked, or waits for another try.")
    ] = False,
) -> None:
    """Reflect now on every decision whose time has come."""
    call = Call(ctx)
    registry = load_roles(call.settings.home)
    roles = [registry.role(role)] if role else list(registry)
    reflector = _reflector(call, registry)
    done = tally_all([reflect_role(reflector, one.id, parked=parked) for one in roles])
    call.answer(done, lambda: print_fields(_tally(done)))


def mark(
    ctx: typer.Context,
    decision: Which,
    outcome: Annotated[str, typer.Argument(metavar="OUTCOME", help="right, wrong or noise.")],
    note: Annotated[str, typer.Option(help="Why; becomes part of its story.")],
) -> None:
    """Say by hand what became of a decision that waits."""
    call = Call(ctx)
    done = mark_decision(
        call.store(),
        load_roles(call.settings.home),
        memory_name(decision),
        cast(Mark, outcome),
        note,
        call.roots.clock,
    )
    call.answer(done, lambda: print_line(f"decision {done.id} is marked {done.mark}"))


def _reflector(call: Call, registry: RoleRegistry) -> Reflector:
    settings, clock = call.settings, call.roots.clock
    instance, store = call.shelf().instance, call.store()
    llm = None
    if settings.role_judge == "model":
        budget = Budget(instance, caps_of(settings), clock, call.roots.ids)
        llm = build_llm(settings, instance, budget, clock)
    switches = Switches(instance, clock)
    modes = Modes(switches.mode(CLASSIFY), switches.mode(DRAFT))
    return Reflector(store, registry, build_judge(settings, llm), StoredPrices, clock, modes)


def _tally(done: Tally) -> dict[str, Cell]:
    counts: dict[str, Cell] = {word.replace("_", " "): n for word, n in done.reflected.items()}
    counts |= {f"parked, {reason}": n for reason, n in done.parked.items()}
    others = {"skipped": done.skipped, "to ask again": done.failed, "in shadow": done.shadowed}
    return counts | {name: n for name, n in others.items() if n} or {"reflected": 0}
