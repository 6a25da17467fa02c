"""`afterword doctor`: check the installation, and repair derived data."""

from typing import Annotated

import typer

from afterword.pipeline.clock import monotonic
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.output import Cell, print_line, print_table
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.embedding.build import build_embedder
from afterword.pipeline.operations.doctor.anonymous import anonymous
from afterword.pipeline.operations.doctor.examine import examine
from afterword.pipeline.operations.doctor.fix import (
    ACTIONS,
    FAILURES,
    FixResult,
    failure,
    fix,
    fix_home,
    wanted_actions,
)
from afterword.pipeline.operations.doctor.model import Finding


def doctor(
    ctx: typer.Context,
    hide: Annotated[
        bool,
        typer.Option(
            "--anonymous", help="Hide names and exact counts, so that the report can be shared."
        ),
    ] = False,
    repair: Annotated[bool, typer.Option("--fix", help="Show what can be repaired.")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="With --fix: repair it.")] = False,
    only: Annotated[
        str,
        typer.Option(
            metavar="NAMES", help=f"With --fix: only these actions, of {','.join(ACTIONS)}."
        ),
    ] = "",
) -> None:
    """Check the installation and say what to do; exit 1 if anything is wrong.

    Example: afterword doctor --fix --apply
    """
    call = Call(ctx)
    if repair and not hide:
        _repair(call, [name.strip() for name in only.split(",") if name.strip()], apply)
    elif apply or only or repair:
        problem = "cannot be combined with these options"
        raise InvalidInputError("fix", problem, "--fix [--apply] [--only NAMES]")
    else:
        _check(call, hide)


def _check(call: Call, hide: bool) -> None:
    home = call.settings.home
    found = list(examine(call.settings, call.roots.clock, monotonic, call.roots.ids))
    if hide:
        groups = sorted(path.stem for path in (home / "groups").glob("*.sqlite"))
        found = [anonymous(one, home, groups) for one in found]
    call.answer(found, lambda: print_table(("what", "is", "found"), [_row(one) for one in found]))
    if any(one.state == "wrong" for one in found):
        raise typer.Exit(1)


def _repair(call: Call, only: list[str], apply: bool) -> None:
    call.check_installed()
    # First: a skill that others may write is not loaded.
    done = fix_home(call.settings.home, only=only, apply=apply)
    if wanted_actions("group", only):
        done += _repair_groups(call, only, apply)
    call.answer(done, lambda: _print_fixed(done, apply))
    if any(one.failed for one in done):
        raise typer.Exit(1)


def _repair_groups(call: Call, only: list[str], apply: bool) -> list[FixResult]:
    stores, clock = call.stores(), call.roots.clock
    budget = Budget(stores.instance, caps_of(call.settings), clock, call.roots.ids)
    embedder = build_embedder(call.settings, stores.instance, budget, clock)
    try:
        roles = load_roles(call.settings.home)
    except InvalidInputError as error:
        return [failure("", "skills", error)]
    done: list[FixResult] = []
    for name in [call.named_group] if call.named_group else stores.groups():
        try:
            store = stores.group(name)
            done += fix(store, embedder, call.now(), roles=roles, only=only, apply=apply)
        except FAILURES as error:
            done.append(failure(name, "open", error))
    return done


def _print_fixed(done: list[FixResult], apply: bool) -> None:
    rows: list[list[Cell]] = [
        [one.group or "(home)", one.action, _state(one), one.rows, one.says] for one in done
    ]
    print_table(("group", "action", "is", "rows", "what it does"), rows)
    if not apply and any(one.rows for one in done):
        print_line("nothing was changed; run --fix --apply to repair it")


def _state(one: FixResult) -> str:
    if one.failed:
        return "wrong"
    if not one.rows:
        return "nothing to do"
    return "done" if one.applied else "to do"


def _row(finding: Finding) -> list[str]:
    said = f"{finding.says}; {finding.remedy}" if finding.remedy else finding.says
    return [finding.subject, finding.state, said]
