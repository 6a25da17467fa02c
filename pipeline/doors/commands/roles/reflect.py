"""`afterword role reflect` and `mark`: what became of decisions, by rule, by a model or by hand."""

from typing import Annotated, cast

import typer

from afterword.pipeline.core.store import Stores, reading
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.model import Mark
from afterword.pipeline.domain.decisions.tally import Tally
from afterword.pipeline.domain.memory.flag_rows import families
from afterword.pipeline.domain.patterns.build import build_writer
from afterword.pipeline.domain.patterns.word import Wording
from afterword.pipeline.domain.patterns.writer import WORD_TASK
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.build import build_judge
from afterword.pipeline.domain.reflection.effects import Effects, effects_of
from afterword.pipeline.domain.reflection.judge import CLASSIFY, DRAFT
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.setup_walk import SetupWalk
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.cli.services import llm_of, switches_of
from afterword.pipeline.doors.commands.memory.options import memory_name
from afterword.pipeline.doors.commands.roles.options import DecisionName, RoleOrAll
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.operations.loop.reflect_now import reflect_now
from afterword.pipeline.views.roles.reflection import marked, reflected


def reflect(
    ctx: typer.Context,
    role: RoleOrAll = "",
    parked: Annotated[
        bool, typer.Option("--parked", help="Also what is parked, or waits for another try.")
    ] = False,
) -> None:
    """Do now what workers do by themselves: judge every decision whose time has come, measure the
    windows that are over (1 to 365 days), and weigh and word the patterns that the record shows.

    Example: afterword role reflect market.spot.momentum
    """
    call = Call(ctx)
    registry = load_roles(call.settings.home)
    roles = [registry.role(role)] if role else list(registry)
    stores = call.stores()
    switches = switches_of(call, stores)
    switched = {switch.task: switch for switch in switches.all()}
    effects = effects_of(switched[CLASSIFY].mode, switched[DRAFT].mode)
    llm = llm_of(call, stores) if call.settings.role_judge == "model" else None
    reflector = _reflector(call, registry, stores, effects, llm)
    writer = build_writer(call.settings, llm)
    wording = None if writer is None else Wording(writer, switched[WORD_TASK].mode)
    with progress() as report:
        done = reflect_now(reflector, roles, report, parked=parked, wording=wording)
    answer = {name: getattr(done.tally, name) for name in Tally.__slots__} | {
        "at_work": done.at_work,
        "postponed": {name: str(error) for name, error in done.postponed.items()},
        "waiting": done.waiting,
        "again_at": done.again_at,
        "pending": done.pending,
        "still_parked": dict(done.parked),
        "next_at": done.next_at,
        "outcomes": dict(done.ladder.outcomes),
        "measured_anew": {"outcomes": done.ladder.anew, "changed": done.ladder.changed},
        "patterns": dict(done.patterns),
        "unworded": None if done.unworded is None else str(done.unworded),
    }
    call.answer(answer, lambda: reflected(done, switched[CLASSIFY], call.now()))
    if done.postponed:
        reasons = {str(error): error for error in done.postponed.values()}
        raise ExceptionGroup("the judge may not be asked now", list(reasons.values()))


def mark(
    ctx: typer.Context,
    decision: DecisionName,
    outcome: Annotated[str, typer.Argument(metavar="OUTCOME", help="right, wrong or noise.")],
    note: Annotated[str, typer.Option(help="Why; becomes part of its story.")],
) -> None:
    """Say by hand what became of a decision that waits.

    Example: afterword role mark 1 wrong --note "the news was old"
    """
    call = Call(ctx)
    store = call.store()
    done = mark_decision(
        store,
        load_roles(call.settings.home),
        memory_name(decision),
        cast(Mark, outcome),
        note,
        call.roots.clock,
    )
    with reading(store) as conn:
        flagged = families(conn, "role_memory", done.id)

    call.answer(done, lambda: marked(done, flagged))


def _reflector(
    call: Call, registry: RoleRegistry, stores: Stores, effects: Effects, llm: Llm | None
) -> Reflector:
    settings = call.settings
    return Reflector(
        stores.group(settings.group),
        registry,
        build_judge(settings, llm),
        StoredPrices,
        call.roots.clock,
        effects,
        standings=SetupWalk(settings.pattern_error),
        pattern_error=settings.pattern_error,
    )
