"""`afterword workspace` and `setup`: the files that every prompt begins with."""

from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

import typer

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.workspace.create import create_workspace
from afterword.pipeline.domain.workspace.layouts import files_of, layout_of
from afterword.pipeline.domain.workspace.model import WorkspaceFile
from afterword.pipeline.domain.workspace.read import read_file, read_workspace, unread_files
from afterword.pipeline.domain.workspace.source import WorkspaceSource, source_of
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.recall.workspace.missing import missing_memories
from afterword.pipeline.recall.workspace.preview import (
    kept_files,
    kept_workspace,
    preview_workspace,
)
from afterword.pipeline.views.memory.workspace import (
    check_values,
    missing_list,
    prompt_part,
    prompt_parts,
    workspace_made,
    workspace_report,
)

app = section("See what prompts have of the files of the workspace.")

_Folder = Annotated[
    str | None,
    typer.Option("--workspace", metavar="FOLDER", help="This folder, which is only read."),
]


@app.command()
def init(ctx: typer.Context) -> None:
    """Make the workspace in the home, with files to fill in; what is there stays as it is.

    Example: afterword workspace init
    """
    call = Call(ctx)
    created = create_workspace(source_of(call.settings))
    call.answer(created, lambda: workspace_made(created))


def setup(ctx: typer.Context) -> None:
    """Make the workspace in the home, with files to fill in; what is there stays as it is.

    Example: afterword setup
    """
    init(ctx)


@app.command()
def show(
    ctx: typer.Context,
    what: Annotated[
        str, typer.Argument(metavar="[prefix|memory|FILE]", help="A part of it; both if missing.")
    ] = "",
    workspace: _Folder = None,
    session: Annotated[
        str | None, typer.Option(help="Instead: what this session, by handle or uid, began with.")
    ] = None,
    as_of: AsOf = None,
) -> None:
    """Print what a session would begin with now, or what one began with.

    Example: afterword workspace show

    Example: afterword workspace show soul
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    if sum(given is not None for given in (workspace, session, as_of)) > 1:
        raise InvalidInputError("workspace", "is one of three options given", "one of them")
    if session is not None or at is not None:
        if what in ("", "prefix", "memory"):
            kept = kept_workspace(call.store(), session, at)
            _answer_parts(call, what, *(("", "") if kept is None else (kept.prefix, kept.block)))
        else:
            files = kept_files(call.store(), session, at)
            name = _named(what, files)
            _answer_file(call, name, files.get(name))
        return
    source = _source(call, workspace)
    if what in ("", "prefix", "memory"):
        blocks = preview_workspace(source, call.now(), _store(call)).blocks
        prefix = "\n\n".join(part for part in (blocks.prefix, blocks.bootstrap) if part)
        _answer_parts(call, what, prefix, blocks.block)
        return
    source.check()
    name = _named(what, (file.name for file in files_of(source, layout_of(source))))
    text = read_file(source, WorkspaceFile(name, "display", "owner"))
    _answer_file(call, name, None if text is None else text.text)


@app.command()
def check(ctx: typer.Context, workspace: _Folder = None) -> None:
    """Say of each file where it goes and what prompts lack of it; exit 1 if one is not read.

    Example: afterword workspace check
    """
    call = Call(ctx)
    source = _source(call, workspace)
    preview = preview_workspace(source, call.now(), _store(call))
    unread = unread_files(source, preview.read)
    values = check_values(source, preview, unread)
    call.answer(values, lambda: workspace_report(source, preview, unread))
    if preview.read.faults:
        raise typer.Exit(1)


@app.command()
def diff(ctx: typer.Context, workspace: _Folder = None, as_of: AsOf = None) -> None:
    """List what the store keeps for good and USER.md and MEMORY.md do not say; nothing is written.

    Example: afterword workspace diff
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    if workspace is not None and at is not None:
        raise InvalidInputError("workspace", "is given beside a moment", "one of the two")
    store = call.store()
    if at is None:
        read = read_workspace(_source(call, workspace), call.now())
        files = {text.file.name: text.text for text in read.texts}
    else:
        files = kept_files(store, as_of=at)
    missing = missing_memories(store, files, at)
    call.answer([memory._asdict() for memory in missing], lambda: missing_list(missing))


def _source(call: Call, folder: str | None) -> WorkspaceSource:
    settings = call.settings
    if folder is not None:
        if not folder.strip():  # a path of no words is the folder that the process is in
            raise InvalidInputError("workspace", "is empty", "the folder of a workspace")
        settings = settings.model_copy(update={"workspace": Path(folder).expanduser().absolute()})
    return source_of(settings)


def _store(call: Call) -> Store | None:
    return call.store() if call.has_group() else None


def _named(what: str, names: Iterable[str]) -> str:
    """Return the path of a file: `soul` is SOUL.md (R3), and `user` that of the group's user."""
    if PurePosixPath(what).suffix:
        return what
    wanted = f"{what.upper()}.md"
    return next((name for name in names if PurePosixPath(name).name == wanted), wanted)


def _answer_parts(call: Call, what: str, prefix: str, block: str) -> None:
    parts: dict[str, Any] = {"prefix": prefix, "memory": block}
    if what:
        text = parts[what]
        call.answer({what: text}, lambda: prompt_part(text, f"the {what} part is empty"))
    else:
        call.answer(parts, lambda: prompt_parts(prefix, block))


def _answer_file(call: Call, name: str, text: str | None) -> None:
    if text is None:
        raise NotFoundError(f"the workspace has no file {name!a}; see `afterword workspace check`")
    call.answer({"file": name, "text": text}, lambda: prompt_part(text, f"{name} says nothing"))
