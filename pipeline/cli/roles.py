"""`afterword role`: decisions, what became of them, and what was learned."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, cast

import typer

from pipeline.budget import Budget, caps_of
from pipeline.cli.call import Call
from pipeline.cli.decision_lines import read_decisions
from pipeline.cli.lazy import section
from pipeline.cli.moments import read_moment
from pipeline.cli.names import memory_name
from pipeline.cli.output import Cell, print_fields, print_line, print_table
from pipeline.cli.words import moment, shorten
from pipeline.errors import InvalidInputError
from pipeline.llm.build import build_llm
from pipeline.market.outcome import Stance
from pipeline.prices.stored import StoredPrices
from pipeline.roles.build import build_judge
from pipeline.roles.judge import CLASSIFY, DRAFT
from pipeline.roles.mark import mark_decision
from pipeline.roles.model import Decision, Mark, NewDecision, State, Tally, tally_all
from pipeline.roles.read import MAX_READ, RoleCounts, count_roles, list_decisions, show_decision
from pipeline.roles.recall import MAX_LESSONS, recent_lessons, skill_fragment
from pipeline.roles.record import prepare, record_decisions
from pipeline.roles.reflect import Modes, Reflector, reflect_role
from pipeline.skills import RoleRegistry
from pipeline.skills.discover import load_roles
from pipeline.switches import Switches

app = section("Record decisions, reflect on them, and recall what was learned.")

MAX_SHOWN: Final = 120
"""Characters of a decision in a table; `--json` has all of it."""

_DECISIONS: Final = ("id", "role", "decided", "asset", "says", "state", "outcome", "text")

Which = Annotated[str, typer.Argument(metavar="ID", help="A decision's uid, or its number.")]
RoleId = Annotated[str, typer.Argument(metavar="ROLE", help="Such as market.spot.momentum.")]
AsOf = Annotated[str | None, typer.Option(metavar="MOMENT", help="As it was known then.")]


@dataclass(frozen=True, slots=True)
class _Listed:
    """A role as `role list` answers."""

    role: str
    skill: str
    label: str
    decisions: int
    waiting: dict[str, int]
    reflected: dict[str, int]
    skipped: int


@app.command("list")
def list_(
    ctx: typer.Context,
    role: Annotated[
        str, typer.Argument(metavar="[ROLE]", help="Its decisions; without one, all roles.")
    ] = "",
    state: Annotated[
        str | None, typer.Option(help="Only pending, parked, skipped or reflected decisions.")
    ] = None,
    limit: Annotated[int, typer.Option(help=f"Most decisions shown, up to {MAX_READ}.")] = 20,
    as_of: AsOf = None,
) -> None:
    """List the roles with what their decisions came to, or the decisions of one."""
    call, at = Call(ctx), read_moment(as_of, "as_of")
    if not role and state is None and at is None:
        _list_roles(call)
        return
    found = list_decisions(call.store(), role or None, cast(State | None, state), limit, as_of=at)
    rows = [_row(one) for one in found]
    call.answer(found, lambda: print_table(_DECISIONS, rows, "no decisions"))


@app.command()
def show(ctx: typer.Context, decision: Which) -> None:
    """Show one decision: what it was made on, how it turned out, what it left."""
    call = Call(ctx)
    shown = show_decision(call.store(), memory_name(decision))

    def text() -> None:
        print_fields(_fields(shown.decision))
        if shown.context:
            print_line(f"context   {shorten(json.dumps(shown.context, ensure_ascii=False), 400)}")
        for one in shown.shadows:
            print_line(f"in shadow {one.task} by {one.by}: {one.classification or ''} {one.said}")

    call.answer(shown, text)


@app.command()
def record(
    ctx: typer.Context,
    role: Annotated[str, typer.Argument(metavar="[ROLE]", help="Who decided.")] = "",
    decision: Annotated[
        str, typer.Argument(metavar="[TEXT]", help="What was decided, and why.")
    ] = "",
    asset: Annotated[str | None, typer.Option(help="What it is about, such as SOL.")] = None,
    direction: Annotated[str | None, typer.Option(help="long, short or neutral.")] = None,
    confidence: Annotated[float | None, typer.Option(help="0 to 1.")] = None,
    inputs: Annotated[str, typer.Option(metavar="JSON", help="What it was decided on.")] = "",
    context: Annotated[
        Path | None, typer.Option(metavar="FILE", help="All that was seen then, as JSON.")
    ] = None,
    decided_at: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="When; now if missing.")
    ] = None,
    key: Annotated[
        str | None, typer.Option(help="Names this recording; again, it changes nothing.")
    ] = None,
    supersedes: Annotated[
        str | None, typer.Option(metavar="UID", help="The decision whose place it takes.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="Instead: a JSON object a line, all or none; - is standard input."),
    ] = None,
) -> None:
    """Record one decision, or all lines of a file; each waits until its outcome is known."""
    call = Call(ctx)
    registry = _registry(call)
    if file is not None:
        if decision:
            raise InvalidInputError("file", "is given beside a decision", "one of the two")
        news = read_decisions(file, role)
    else:
        news = [
            NewDecision(
                role,
                decision,
                _object(inputs, "inputs"),
                asset,
                cast(Stance | None, direction),
                confidence,
                read_moment(decided_at, "decided_at"),
                {} if context is None else _object(_read(context), "context"),
                key,
                origin="owner",
                supersedes=supersedes,
            )
        ]
    for index, new in enumerate(news):  # a refused decision makes no group
        prepare(registry, new, call.roots.ids, f"decisions[{index}]." if file else "")
    done = record_decisions(
        call.store(create=True),
        registry,
        news,
        call.roots.clock,
        call.roots.ids,
        actor="owner",
        embedding_enabled=call.embeds,
    )
    if file is None:
        (one,) = done
        again = "" if one.is_new else ", as before"
        call.answer(one, lambda: print_line(f"decision {one.id} ({one.uid}) is recorded{again}"))
        return
    fresh = sum(one.is_new for one in done)
    line = f"{fresh:,} decisions are recorded, {len(done) - fresh:,} were before"
    call.answer(done, lambda: print_line(line))


@app.command()
def reflect(
    ctx: typer.Context,
    role: Annotated[str, typer.Argument(metavar="[ROLE]", help="One role; all if missing.")] = "",
    parked: Annotated[
        bool, typer.Option("--parked", help="Also what is parked, or waits for another try.")
    ] = False,
) -> None:
    """Reflect now on every decision whose time has come."""
    call = Call(ctx)
    registry = _registry(call)
    roles = [registry.role(role)] if role else list(registry)
    reflector = _reflector(call, registry)
    done = tally_all([reflect_role(reflector, one.id, parked=parked) for one in roles])
    call.answer(done, lambda: print_fields(_tally(done)))


@app.command()
def recall(
    ctx: typer.Context,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="A role, or with --prompt a skill.")],
    limit: Annotated[int, typer.Option(help=f"Most lessons, up to {MAX_LESSONS}.")] = 10,
    prompt: Annotated[
        bool, typer.Option("--prompt", help="All of a skill's roles, as its prompt holds them.")
    ] = False,
    as_of: AsOf = None,
) -> None:
    """Print the latest lessons of a role."""
    call, at = Call(ctx), read_moment(as_of, "as_of")
    registry = _registry(call)
    if prompt:
        text = skill_fragment(call.store(), registry, role, limit, as_of=at)
        call.answer({"skill": role, "text": text}, lambda: typer.echo(text or "no lessons yet"))
        return
    found = recent_lessons(call.store(), registry, role, limit, as_of=at)
    rows: list[list[Cell]] = [
        [moment(one.reflected_at), one.classification, one.asset or "", one.text] for one in found
    ]
    columns = ("learned", "class", "asset", "lesson")
    call.answer(found, lambda: print_table(columns, rows, "no lessons yet"))


@app.command()
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
        _registry(call),
        memory_name(decision),
        cast(Mark, outcome),
        note,
        call.roots.clock,
    )
    call.answer(done, lambda: print_line(f"decision {done.id} is marked {done.mark}"))


def _registry(call: Call) -> RoleRegistry:
    return load_roles(call.settings.home)


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


def _list_roles(call: Call) -> None:
    registry = _registry(call)
    listed = [_listed(one, registry) for one in count_roles(call.store(), registry)]
    rows: list[list[Cell]] = [
        [
            one.role,
            one.label,
            one.decisions,
            _words(one.waiting),
            _words(one.reflected),
            one.skipped,
        ]
        for one in listed
    ]
    columns = ("role", "label", "decisions", "waiting", "reflected", "skipped")
    call.answer(listed, lambda: print_table(columns, rows, "no skill declares a role"))


def _listed(one: RoleCounts, registry: RoleRegistry) -> _Listed:
    skill = "" if one.role is None else registry.owner(one.role).id
    label = "declared no more" if one.role is None else one.role.label
    counts = dict(one.waiting), dict(one.reflected)
    return _Listed(one.role_id, skill, label, one.decisions, *counts, one.skipped)


def _row(one: Decision) -> list[Cell]:
    outcome = "" if one.verdict is None else one.verdict.classification or one.verdict.outcome
    state = one.state if one.reason is None else f"{one.state}: {one.reason}"
    text = shorten(one.decision, MAX_SHOWN)
    about = one.asset or "", one.direction
    return [str(one.id), one.role_id, moment(one.decided_at), *about, state, outcome, text]


def _fields(one: Decision) -> dict[str, Cell]:
    fields: dict[str, Cell] = {
        "decision": f"{one.id} ({one.uid})",
        "role": one.role_id,
        "text": one.decision,
        "asset": one.asset or "",
        "direction": one.direction,
        "confidence": "" if one.confidence is None else str(one.confidence),
        "decided": moment(one.decided_at),
        "recorded": moment(one.known_at),
        "state": one.state,
    }
    if one.reason is not None:
        fields |= {"reason": one.reason, "why": one.why or ""}
    if one.mark is not None:
        fields["marked"] = f"{one.mark}: {one.mark_note}"
    if one.verdict is not None:
        said = one.verdict
        fields |= {
            "outcome": said.outcome,
            "class": said.classification or "",
            "story": said.narrative,
            "judged by": said.by,
        }
    if one.lesson is not None:
        fields |= {"lesson": one.lesson, "drafted by": one.lesson_by or ""}
    return fields


def _tally(done: Tally) -> dict[str, Cell]:
    counts: dict[str, Cell] = {word.replace("_", " "): n for word, n in done.reflected.items()}
    counts |= {f"parked, {reason}": n for reason, n in done.parked.items()}
    others = {"skipped": done.skipped, "to ask again": done.failed, "in shadow": done.shadowed}
    return counts | {name: n for name, n in others.items() if n} or {"reflected": 0}


def _words(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {word.replace('_', ' ')}" for word, number in counts.items())


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError("context", f"{path}: {error}", "a file of JSON") from None


def _object(text: str, field: str) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(field, f"is not JSON ({error})", "a JSON object") from None
    if not isinstance(found, dict):
        raise InvalidInputError(field, f"is a {type(found).__name__}", "a JSON object")
    return found
