"""`afterword store`: back up, restore, check and move the files."""

from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import Connection

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.jobs.invariants import violations
from afterword.pipeline.core.jobs.operate import free_restored
from afterword.pipeline.core.jobs.registrations import living
from afterword.pipeline.core.store import Stores, options_of
from afterword.pipeline.core.store.backup import backup
from afterword.pipeline.core.store.chain.verify import accept_rows, check_chain
from afterword.pipeline.core.store.check import check
from afterword.pipeline.core.store.manifest import read_manifest
from afterword.pipeline.core.store.move import move_group
from afterword.pipeline.core.store.restore import RestoredFile, restore_all, restore_group
from afterword.pipeline.domain.clients.end import end_clients
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.views.operator.store import (
    backup_made,
    files_checked,
    files_restored,
    group_moved,
)
from afterword.pipeline.views.operator.tamper import chains_checked

app = section("Back up, restore, check and move the files.")


@app.command("backup")
def make(
    ctx: typer.Context,
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="A new folder.")],
) -> None:
    """Copy all files while everything runs; with --group, only that group and the instance.

    Example: afterword store backup backups/monday
    """
    call = Call(ctx)
    target, groups = target.absolute(), [call.named_group] if call.named_group else None
    with progress() as report:
        made = backup(call.stores(), target, call.now(), groups=groups, progress=report)
    call.answer({"target": target, "manifest": made}, lambda: backup_made(made))


@app.command()
def restore(
    ctx: typer.Context,
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A folder made by `backup`.")],
    named: Annotated[
        str | None, typer.Option("--from", help="Name of the group in the backup, if it differs.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Rename existing files with a date, and replace them.")
    ] = False,
) -> None:
    """Restore everything, or with --group one group.

    Example: afterword store restore backups/monday
    """
    call = Call(ctx)
    if named and not call.named_group:
        raise InvalidInputError("from", "needs --group", "--group NAME --from OLD")
    done = _restore(call, source.absolute(), named, replace)
    call.answer(done, lambda: files_restored(done))


@app.command("check")
def check_(
    ctx: typer.Context,
    tamper: Annotated[
        bool, typer.Option("--tamper", help="Name the rows that another program wrote.")
    ] = False,
    accept: Annotated[
        bool, typer.Option("--accept", help="Take what --tamper names as right from now on.")
    ] = False,
) -> None:
    """Check every file; a damaged file is reported and not changed.

    With --tamper, look for rows that another program than Afterword wrote, in every group or in
    the one of --group.

    Example: afterword store check --tamper
    """
    call = Call(ctx)
    call.check_installed()
    if accept and not (tamper and call.named_group):
        raise InvalidInputError("accept", "needs --tamper and --group", "--group NAME --tamper")
    if tamper:
        check_group = accept_rows if accept else check_chain
        stores = call.stores()
        groups = [call.named_group] if call.named_group else stores.groups()
        chains = [check_group(stores.instance, stores.group(name), call.now()) for name in groups]
        call.answer(chains, lambda: chains_checked(chains, accepted=accept))
        if not accept and any(chain.edits for chain in chains):
            raise typer.Exit(1)
        return
    files = list(check(call.settings.home, options_of(call.settings), violations))
    call.answer(files, lambda: files_checked(files))
    if any(file.problems for file in files):
        raise typer.Exit(1)


@app.command()
def move(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="GROUP", help="The group to move.")],
    to: Annotated[Path, typer.Option("--to", metavar="HOME", help="Its new home.")],
) -> None:
    """Move a group with its jobs, sessions and snapshots to another home, and leave a tombstone.

    Stop what uses either home first. After a kill, the same command again ends the move.

    Example: afterword store move main --to /srv/afterword
    """
    call = Call(ctx)
    here, settings, to = call.stores(), call.settings, to.absolute()
    options, roots = options_of(settings), call.roots
    homes = (settings.home, to)
    running = [owner.pid for home in homes for owner in living(home, monotonic)]
    there = call.closing(Stores(to, options, roots.clock, roots.ids))
    moved = move_group(here, there, name, options, call.now(), _settle_in, running=running)
    call.answer(moved, lambda: group_moved(moved))


def _settle_in(conn: Connection) -> None:
    """Adapt a group of another home: its jobs are free, and its clients have other tokens here."""
    free_restored(conn)
    end_clients(conn)


def _restore(call: Call, source: Path, named: str | None, replace: bool) -> list[RestoredFile]:
    settings, now = call.settings, call.now()
    running = [owner.pid for owner in living(settings.home, monotonic)]
    if call.named_group is None:
        return restore_all(
            source,
            settings.home,
            options_of(settings),
            now,
            free_restored,
            replace=replace,
            running=running,
        )
    here = call.stores(create=True)
    is_own = read_manifest(source).instance_id == here.instance_id
    restored = restore_group(
        source,
        here,
        call.named_group,
        options_of(settings),
        now,
        free_restored if is_own else _settle_in,
        named=named,
        replace=replace,
        running=running,
    )
    return [restored]
