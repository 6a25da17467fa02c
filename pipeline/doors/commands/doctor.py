"""`afterword doctor`: what is wrong, what to do about it, and what it can mend itself."""

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
from afterword.pipeline.operations.doctor.fix import ACTIONS, FAILURES, FixResult, failure, fix
from afterword.pipeline.operations.doctor.model import Finding


def doctor(
    ctx: typer.Context,
    hide: Annotated[
        bool, typer.Option("--anonymous", help="Without names and exact counts, to be shared.")
    ] = False,
    mend: Annotated[
        bool, typer.Option("--fix", help="Show what can be mended, without a model.")
    ] = False,
    apply: Annotated[bool, typer.Option("--apply", help="With --fix: mend it.")] = False,
    only: Annotated[
        str, typer.Option(metavar="NAMES", help=f"With --fix: of {','.join(ACTIONS)}.")
    ] = "",
) -> None:
    """Look for what is wrong and say what to do; exit 1 if anything is."""
    call = Call(ctx)
    if mend and not hide:
        _mend(call, [name.strip() for name in only.split(",") if name.strip()], apply)
    elif apply or only or mend:
        raise InvalidInputError("fix", "does not go with these", "--fix [--apply] [--only NAMES]")
    else:
        _look(call, hide)


def _look(call: Call, hide: bool) -> None:
    home = call.settings.home
    found = list(examine(call.settings, call.roots.clock, monotonic, call.roots.ids))
    if hide:
        groups = sorted(path.stem for path in (home / "groups").glob("*.sqlite"))
        found = [anonymous(one, home, groups) for one in found]
    call.answer(found, lambda: print_table(("what", "is", "found"), [_row(one) for one in found]))
    if any(one.state == "wrong" for one in found):
        raise typer.Exit(1)


def _mend(call: Call, only: list[str], apply: bool) -> None:
    stores, clock = call.stores(), call.roots.clock
    budget = Budget(stores.instance, caps_of(call.settings), clock, call.roots.ids)
    embedder = build_embedder(call.settings, stores.instance, budget, clock)
    roles = load_roles(call.settings.home)
    done: list[FixResult] = []
    for name in [call.named_group] if call.named_group else stores.groups():
        try:
            store = stores.group(name)
            done += fix(store, embedder, call.now(), roles=roles, only=only, apply=apply)
        except FAILURES as error:
            done.append(failure(name, "open", error))
    call.answer(done, lambda: _print_fixed(done, apply))
    if any(one.failed for one in done):
        raise typer.Exit(1)


def _print_fixed(done: list[FixResult], apply: bool) -> None:
    rows: list[list[Cell]] = [
        [one.group, one.action, _state(one), one.rows, one.says] for one in done
    ]
    print_table(("group", "action", "is", "rows", "what it does"), rows)
    if not apply and any(one.rows for one in done):
        print_line("nothing was changed; --fix --apply does it")


def _state(one: FixResult) -> str:
    if one.failed:
        return "wrong"
    if not one.rows:
        return "nothing to do"
    return "done" if one.applied else "to do"


def _row(finding: Finding) -> list[str]:
    said = f"{finding.says}; {finding.remedy}" if finding.remedy else finding.says
    return [finding.subject, finding.state, said]
