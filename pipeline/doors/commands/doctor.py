"""`afterword doctor`: check the installation, and repair derived data."""

from typing import Annotated

import typer

from afterword.pipeline.clock import monotonic
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.services import budget_of
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.embedding.build import build_embedder
from afterword.pipeline.operations.doctor.anonymous import anonymous_report
from afterword.pipeline.operations.doctor.examine import examine
from afterword.pipeline.operations.doctor.fix import (
    ACTIONS,
    FixResult,
    fix_groups,
    fix_home,
    wanted_actions,
)
from afterword.pipeline.views.operator.doctor import finding_list, fix_list


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
    findings = list(examine(call.settings, call.roots.clock, monotonic, call.roots.ids))
    if hide:
        findings = anonymous_report(findings, call.settings.home)
    call.answer(findings, lambda: finding_list(findings))
    if any(finding.state == "wrong" for finding in findings):
        raise typer.Exit(1)


def _repair(call: Call, only: list[str], apply: bool) -> None:
    call.check_installed()
    # First: a skill that others may write is not loaded.
    done = fix_home(call.settings.home, only=only, apply=apply)
    if wanted_actions("group", only):
        done += _repair_groups(call, only, apply)
    call.answer(done, lambda: fix_list(done, is_applied=apply))
    if any(fix.failed for fix in done):
        raise typer.Exit(1)


def _repair_groups(call: Call, only: list[str], apply: bool) -> list[FixResult]:
    stores, clock = call.stores(), call.roots.clock
    embedder = build_embedder(call.settings, stores.instance, budget_of(call, stores), clock)
    names = [call.named_group] if call.named_group else stores.groups()
    return fix_groups(stores, names, embedder, call.now(), only=only, apply=apply)
