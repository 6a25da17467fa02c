"""`afterword switch`: show and set how each model task runs: on, off or in shadow mode."""

from typing import Annotated

import typer

from afterword.pipeline.areas import all_areas
from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.options import Note, most_shown
from afterword.pipeline.doors.cli.services import switches_of
from afterword.pipeline.gateway.switches import Mode, tasks_of, unset
from afterword.pipeline.views.operator.switches import switch_changes, switch_list, switch_set

app = section("Turn model tasks on or off, or run them in shadow mode.")


@app.command("ls")
def ls(ctx: typer.Context) -> None:
    """Show every switch.

    Example: afterword switch ls
    """
    call = Call(ctx)
    # Without a file every switch has its default.
    defaults = [unset(task, meaning) for task, meaning in tasks_of(all_areas()).items()]
    switches = switches_of(call, call.stores()).all() if call.is_installed() else defaults
    call.answer(switches, lambda: switch_list(switches, call.now()))


@app.command("log")
def log(
    ctx: typer.Context,
    limit: Annotated[int, most_shown("changes", 1_000, is_checked=False)] = 20,
) -> None:
    """Show the changes of switches, newest first.

    Example: afterword switch log --limit 5
    """
    call = Call(ctx)
    changes = switches_of(call, call.stores()).changes(limit) if call.is_installed() else []
    call.answer(changes, lambda: switch_changes(changes, call.now()))


@app.command("set")
def set_mode(
    ctx: typer.Context,
    task: Annotated[str, typer.Argument(metavar="TASK", help="A task of `switch ls`.")],
    mode: Annotated[str, typer.Argument(metavar="MODE", help="on, off or shadow.")],
    note: Note = "",
) -> None:
    """Set how a task runs from now on, in every process.

    Example: afterword switch set judge_facts shadow
    """
    call = Call(ctx)
    check_word(mode, list(Mode), "mode")
    switches_of(call, call.stores(create=True)).set(task, Mode(mode), note)
    call.answer({"task": task, "mode": mode}, lambda: switch_set(task, Mode(mode)))
