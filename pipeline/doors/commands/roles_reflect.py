"""`afterword role reflect` and `mark`: what became of decisions, by rule, by a model or by hand."""

from contextlib import closing
from datetime import datetime
from typing import Annotated, Final, cast

import typer

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.store import Stores, reading
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.model import Mark, Tally
from afterword.pipeline.domain.memory.flag_rows import families
from afterword.pipeline.domain.patterns.build import build_writer
from afterword.pipeline.domain.patterns.word import Wording
from afterword.pipeline.domain.patterns.writer import WORD
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.build import build_judge
from afterword.pipeline.domain.reflection.effects import Effects, effects_of
from afterword.pipeline.domain.reflection.judge import CLASSIFY, DRAFT
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.setup_walk import SetupWalk
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.names import memory_name
from afterword.pipeline.doors.cli.output import Cell, print_fields, print_line
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.commands.memory_written import flag_line
from afterword.pipeline.doors.commands.roles_show import Which
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.gateway.llm.build import build_llm
from afterword.pipeline.gateway.switches import Switch, Switches, tasks_of
from afterword.pipeline.operations.loop.reflect_now import ReflectionCounts, reflect_now
from afterword.pipeline.views.words import ago, in_time

_REMEDIES: Final = {
    "no price": "`afterword prices fetch` or `prices import`; it is looked at when they come",
    "bars too coarse": "finer ones: `afterword prices fetch --interval 1h` or `prices import`",
    "too little history": "`afterword prices import` brings what was before",
    "no mark": "`afterword role mark ID OUTCOME --note ...` says what became of one",
    "lessons are": f"`afterword switch set {DRAFT} on`, then `afterword role reflect --parked`",
}
"""What ends a wait, by how the reason to be parked begins."""


def reflect(
    ctx: typer.Context,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="One role; all if missing.")] = "",
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
    switches = Switches(stores.instance, call.roots.clock, tasks_of(all_areas()))
    switched = {one.task: one for one in switches.all()}
    effects = effects_of(switched[CLASSIFY].mode, switched[DRAFT].mode)
    llm = _llm(ctx, call, stores)
    reflector = _reflector(call, registry, stores, effects, llm)
    writer = build_writer(call.settings, llm)
    wording = None if writer is None else Wording(writer, switched[WORD].mode)
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
    call.answer(answer, lambda: _print(done, switched[CLASSIFY], call.now()))
    if done.postponed:
        reasons = {str(error): error for error in done.postponed.values()}
        raise ExceptionGroup("the judge may not be asked now", list(reasons.values()))


def mark(
    ctx: typer.Context,
    decision: Which,
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

    def text() -> None:
        print_line(f"decision {done.id} is marked {done.mark}")
        if flagged:
            print_line(flag_line(f"decision {done.id}", f"decision:{done.id}", flagged))

    call.answer(done, text)


def _llm(ctx: typer.Context, call: Call, stores: Stores) -> Llm | None:
    settings, clock = call.settings, call.roots.clock
    if settings.role_judge != "model":
        return None
    budget = Budget(stores.instance, caps_of(settings), clock, call.roots.ids)
    llm = build_llm(settings, stores.instance, budget, clock)
    return None if llm is None else ctx.with_resource(closing(llm))


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


def _print(done: ReflectionCounts, classify: Switch, now: datetime) -> None:
    fields = (_tally(done.tally) if classify.mode.is_enabled else {}) | _learned(done)
    if fields:
        print_fields(fields)
    if not classify.mode.has_effect:
        print_line(_held(classify, now))
    for reason in done.tally.parked:
        if remedy := _remedy(reason):
            print_line(f"{reason}: {remedy}")
    for role_id in done.at_work:
        print_line(f"{role_id} is left out: a job reflects on it now")
    if done.waiting and done.again_at is not None:
        waits = "waits" if done.waiting == 1 else "wait"
        first = f"{waits} for another try, the first {in_time(done.again_at, now)}"
        print_line(f"{done.waiting:,} {first}; --parked asks now")
    if done.ladder.anew:
        line = f"{done.ladder.anew:,} outcomes of older rules are measured anew"
        print_line(f"{line}; {done.ladder.changed:,} of them have another verdict")
    if done.unworded is not None:
        print_line(f"patterns keep the words of a template: {done.unworded}")
    is_explained = done.at_work or done.postponed or not classify.mode.has_effect
    if done.tally == Tally() and not is_explained:
        _print_waiting(done, now)


def _print_waiting(done: ReflectionCounts, now: datetime) -> None:
    """Print why no decision could be judged."""
    if done.pending:
        when = (
            ""
            if done.next_at is None
            else f"; the next one can be judged {in_time(done.next_at, now)}"
        )
        print_line(f"pending decisions: {done.pending:,}{when}")
    for reason, number in done.parked.items():
        remedy = _remedy(reason)
        print_line(f"parked decisions, {reason}: {number:,}" + (f"; {remedy}" if remedy else ""))
    if not (done.pending or done.parked or done.waiting):
        print_line("no decision waits for a judgement")


def _learned(done: ReflectionCounts) -> dict[str, Cell]:
    """Return what was measured and weighed beside the judgements."""
    measured = sum(done.ladder.outcomes.values())
    counts: dict[str, Cell] = {"outcomes measured": measured} if measured else {}
    return counts | {f"patterns, {state}": n for state, n in done.patterns.items()}


def _remedy(reason: str) -> str:
    """Return what ends a wait for this reason; empty if unknown."""
    found = (remedy for word, remedy in _REMEDIES.items() if reason.startswith(word))
    return next(found, "")


def _held(switch: Switch, now: datetime) -> str:
    """Say that a task does not count, since when and why."""
    since = "" if switch.changed_at is None else f", set {ago(switch.changed_at, now)}"
    note = f" ({switch.note})" if switch.note else ""
    effect = "changes nothing" if switch.mode.is_enabled else "judges nothing"
    how = "in the shadow" if switch.mode.is_enabled else "off"
    remedy = f"`afterword switch set {switch.task} on`"
    return f"{switch.task} is {how}{since}{note}: it {effect}; {remedy} ends that"


def _tally(done: Tally) -> dict[str, Cell]:
    counts: dict[str, Cell] = {word.replace("_", " "): n for word, n in done.reflected.items()}
    counts |= {f"parked, {reason}": n for reason, n in done.parked.items()}
    counts |= {f"skipped, {reason}": n for reason, n in done.skipped.items()}
    others = {"to ask again": done.failed, "in shadow": done.shadowed}
    return counts | {name: n for name, n in others.items() if n} or {"reflected": 0}
