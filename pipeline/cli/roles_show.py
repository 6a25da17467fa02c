"""`afterword role list` and `show`: the roles there are, and the decisions of each."""

import json
from dataclasses import dataclass
from typing import Annotated, Final, cast

import typer

from pipeline.cli.call import Call
from pipeline.cli.moments import read_moment
from pipeline.cli.names import memory_name
from pipeline.cli.output import Cell, print_fields, print_line, print_table
from pipeline.cli.words import moment, shorten
from pipeline.roles.model import Decision, State
from pipeline.roles.read import (
    MAX_READ,
    RoleCounts,
    Shown,
    count_roles,
    list_decisions,
    show_decision,
)
from pipeline.skills import RoleRegistry
from pipeline.skills.discover import load_roles

MAX_SHOWN: Final = 120
"""Characters of a decision in a table; `--json` has all of it."""

MAX_CONTEXT_SHOWN: Final = 400
"""Characters of a frozen context as text; `--json` has all of it."""

_DECISIONS: Final = ("id", "role", "decided", "asset", "says", "state", "outcome", "text")

Which = Annotated[str, typer.Argument(metavar="ID", help="A decision's uid, or its number.")]
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


def show(ctx: typer.Context, decision: Which) -> None:
    """Show one decision: what it was made on, how it turned out, what it left."""
    call = Call(ctx)
    shown = show_decision(call.store(), memory_name(decision))
    call.answer(shown, lambda: _print(shown))


def _list_roles(call: Call) -> None:
    registry = load_roles(call.settings.home)
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


def _print(shown: Shown) -> None:
    print_fields(_fields(shown.decision))
    if shown.context:
        context = json.dumps(shown.context, ensure_ascii=False)
        print_line(f"context   {shorten(context, MAX_CONTEXT_SHOWN)}")
    for one in shown.shadows:
        print_line(f"in shadow {one.task} by {one.by}: {one.classification or ''} {one.said}")


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


def _words(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {word.replace('_', ' ')}" for word, number in counts.items())
