"""`afterword role list` and `show`: the roles there are, and the decisions of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from textwrap import fill
from typing import Annotated, Final, cast

import typer

from afterword.pipeline.domain.decisions.model import Decision, State
from afterword.pipeline.domain.decisions.read import (
    MAX_READ,
    DecisionDetails,
    RoleCounts,
    count_roles,
    list_decisions,
    show_decision,
    show_evidence,
)
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.names import memory_name
from afterword.pipeline.doors.cli.output import Cell, print_fields, print_json, print_table
from afterword.pipeline.doors.commands.outcome_lines import outcome_answer
from afterword.pipeline.doors.commands.roles_story import ripe_at, story
from afterword.pipeline.views.words import moment, one_line, shorten

MAX_SHOWN: Final = 120
"""Characters of a decision in a table; `--json` has all of it."""

LINE: Final = 100
"""Characters of a line about the roles."""

_NO_MORE: Final = "declared no more"
"""In place of the label of a role whose skill is gone; its rows stay."""

_OUTCOMES: Final = ("right", "wrong", "noise")
_DECISIONS: Final = ("id", "role", "decided", "asset", "says", "state", "outcome", "text")

Which = Annotated[str, typer.Argument(metavar="ID", help="A decision's uid, or its number.")]
AsOf = Annotated[str | None, typer.Option(metavar="MOMENT", help="As it was known then.")]


@dataclass(frozen=True, slots=True)
class _RoleLine:
    """A role as `role list` answers."""

    role: str
    skill: str
    label: str
    decisions: int
    waiting: dict[str, int]
    outcomes: dict[str, int]
    reflected: dict[str, int]
    skipped: int


def list_(
    ctx: typer.Context,
    role: Annotated[
        str, typer.Argument(metavar="ROLE", help="Its decisions; without one, all roles.")
    ] = "",
    state: Annotated[
        str | None, typer.Option(help="Only pending, parked, skipped or reflected decisions.")
    ] = None,
    limit: Annotated[int, typer.Option(help=f"Most decisions shown, up to {MAX_READ}.")] = 20,
    as_of: AsOf = None,
) -> None:
    """List the roles with what their decisions came to, or the decisions of one.

    Example: afterword role list market.spot.momentum --state pending
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    if not role and state is None and at is None:
        _list_roles(call)
        return
    found = _decisions(call, role, state, limit, at)
    rows = [_row(one) for one in found]
    call.answer(found, lambda: print_table(_DECISIONS, rows, "no decisions"))


def show(
    ctx: typer.Context,
    decision: Which,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="Instead: all that its judge saw, as JSON.")
    ] = False,
) -> None:
    """Show one decision: what it was made on, how it turned out, what it left.

    Example: afterword role show 1
    """
    call = Call(ctx)
    if evidence:
        _show_evidence(call, decision)
        return
    shown = show_decision(call.store(), memory_name(decision))
    role = load_roles(call.settings.home).find(shown.decision.role_id)
    answer = {name: getattr(shown, name) for name in DecisionDetails.__slots__}
    answer["outcomes"] = [outcome_answer(one) for one in shown.outcomes]
    answer["ripe_at"] = ripe_at(shown.decision, role)
    call.answer(answer, lambda: print_fields(story(shown, role)))


def _show_evidence(call: Call, name: str) -> None:
    """Print what the judge of a decision saw.

    Raises:
        NotFoundError: no judge was asked about it, or what it saw was forgotten.
    """
    seen = show_evidence(call.store(), memory_name(name))
    call.answer(seen, lambda: print_json(seen))


def _list_roles(call: Call) -> None:
    registry = load_roles(call.settings.home)
    # There are roles before there is any file, and a newcomer looks here first.
    counts = (
        count_roles(call.store(), registry)
        if call.has_group()
        else [RoleCounts(role.id, role) for role in registry]
    )
    listed = [_listed(one, registry) for one in counts]
    call.answer(listed, lambda: _print_roles(listed))


def _print_roles(listed: Sequence[_RoleLine]) -> None:
    """Print the counts of each role, then what its decisions wait for and why they ended so."""
    rows: list[list[Cell]] = [
        [
            *(one.role, one.decisions, sum(one.waiting.values())),
            *(one.outcomes.get(outcome, 0) for outcome in _OUTCOMES),
            one.skipped,
        ]
        for one in listed
    ]
    columns = ("role", "decisions", "waiting", *_OUTCOMES, "skipped")
    print_table(columns, rows, "no skill declares a role")
    for one in listed:
        classes = {word: n for word, n in one.reflected.items() if word not in one.outcomes}
        told = {"waiting": _words(one.waiting), "classes": _words(classes)}
        lines = [f"{one.role}, {name}: {words}" for name, words in told.items() if words]
        if one.label == _NO_MORE:
            lines.append(f"{one.role}: {_NO_MORE}")
        for line in lines:
            typer.echo(fill(one_line(line), LINE, subsequent_indent="  "))


def _decisions(
    call: Call, role: str, state: str | None, limit: int, at: datetime | None
) -> list[Decision]:
    """Return decisions; none before there is any file.

    Raises:
        NotFoundError: no skill declares the role, and none of its decisions are kept.
    """
    registry = load_roles(call.settings.home) if role else None
    if registry is not None and registry.find(role) is None:
        kept = count_roles(call.store(), registry) if call.has_group() else []
        if role not in {one.role_id for one in kept}:
            registry.role(role)
    if not call.has_group():
        return []
    return list_decisions(call.store(), role or None, cast(State | None, state), limit, as_of=at)


def _listed(one: RoleCounts, registry: RoleRegistry) -> _RoleLine:
    skill = "" if one.role is None else registry.owner(one.role).id
    label = _NO_MORE if one.role is None else one.role.label
    counts = dict(one.waiting), dict(one.outcomes), dict(one.reflected)
    return _RoleLine(one.role_id, skill, label, one.decisions, *counts, one.skipped)


def _row(one: Decision) -> list[Cell]:
    outcome = "" if one.verdict is None else one.verdict.classification or one.verdict.outcome
    state = one.state if one.reason is None else f"{one.state}: {one.reason}"
    text = shorten(one.decision, MAX_SHOWN)
    about = one.asset or "", one.direction
    return [str(one.id), one.role_id, moment(one.decided_at), *about, state, outcome, text]


def _words(counts: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {word.replace('_', ' ')}" for word, number in counts.items())
