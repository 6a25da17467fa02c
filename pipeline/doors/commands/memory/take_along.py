"""`afterword memory export` and `import`: leave with everything, and come back with it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from afterword.pipeline.areas import AREAS, all_areas
from afterword.pipeline.core.store import Store, options_of
from afterword.pipeline.core.store.key import carried_key
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.owner import ask_owner
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.portability.model import ExportRequest, ImportRequest
from afterword.pipeline.views.memory.portability import export_made, folder_imported

if TYPE_CHECKING:
    from afterword.pipeline.operations.portability.pages import AssetText

_CONSTRAINTS = "constraints"


def export(
    ctx: typer.Context,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A new folder; default: in `exports`.")
    ] = None,
    sign: Annotated[
        bool, typer.Option("--sign", help="Sign it: only then this group takes all of it back.")
    ] = False,
    include_constraints: Annotated[
        bool, typer.Option("--include-constraints", help="Take hard constraints along.")
    ] = False,
    prices: Annotated[bool, typer.Option("--prices", help="Take prices along.")] = False,
) -> None:
    """Write everything the group learned, remembered and traded into a folder of plain files.

    Example: afterword memory export --sign
    """
    # Imported here: it loads all that travels, for which no other command of memories waits.
    from afterword.pipeline.operations.portability.export import export_group

    call = Call(ctx)
    stores, group, now = call.stores(), call.settings.group, call.now()
    target = out or call.settings.home / "exports" / now.strftime("%Y-%m-%dT%H-%M-%S.%fZ")
    request = ExportRequest(sign, include_constraints, prices)
    text = _asset_text(call, include_constraints)
    made = export_group(
        stores, group, target.absolute(), request, all_areas(), text, call.roots.clock
    )
    call.answer(made, lambda: export_made(made))


def import_(
    ctx: typer.Context,
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="An export, or what another program remembered."),
    ],
    apply: Annotated[
        bool, typer.Option("--apply", help="Write it; without, nothing is written.")
    ] = False,
    approve_hard_constraints: Annotated[
        bool,
        typer.Option("--approve-hard-constraints", help="Propose them; needs you at a terminal."),
    ] = False,
    keep_provenance: Annotated[
        bool,
        typer.Option(
            "--keep-provenance", help="It is your own, of another home: keep who said what."
        ),
    ] = False,
    key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Key of the home that signed it, or that home."),
    ] = None,
    program: Annotated[
        str | None, typer.Option("--from", metavar="PROGRAM", help="Which program wrote it.")
    ] = None,
) -> None:
    """Show what an import of a folder would do; with --apply, do it.

    Example: afterword memory import exports/monday --apply
    """
    # Imported here: see `export`.
    from afterword.pipeline.operations.portability.import_folder import (
        ImportPlace,
        import_folder,
        try_import,
    )

    call = Call(ctx)
    if approve_hard_constraints and apply:
        question = "Hard constraints of this folder will wait for your approval. Take them?"
        ask_owner(call, question, _CONSTRAINTS)
    request = ImportRequest(
        approve_hard_constraints,
        keep_provenance,
        program,
        None if key is None else _key_outside(key, folder),
    )
    place = ImportPlace(
        call.stores(create=True),
        call.settings.group,
        options_of(call.settings),
        call.roots.clock,
        call.roots.ids,
        call.embeds,
    )
    take = import_folder if apply else try_import
    report = take(place, folder.absolute(), request, all_areas())
    call.answer(report, lambda: folder_imported(report))


def _key_outside(path: Path, folder: Path) -> bytes:
    """Return the key of another home.

    Raises:
        InvalidInputError: it is no key, or lies in the folder that it is to prove.
    """
    if path.resolve().is_relative_to(folder.resolve()):
        raise InvalidInputError("key", "lies in the folder: it proves nothing", "your own copy")
    return carried_key(path.absolute())


def _asset_text(call: Call, with_constraints: bool) -> "Callable[[Store], AssetText]":
    # Imported here: see `export`.
    from afterword.pipeline.recall.page.compile import Pages
    from afterword.pipeline.recall.page.sections import sections_of
    from afterword.pipeline.recall.prompts.prompt_lessons import choice_at_start

    settings = call.settings
    choice = choice_at_start(settings.role_lessons, settings.lesson_holdout)

    def of(store: Store) -> "AssetText":
        pages = Pages(store, call.roots.clock, sections_of(AREAS, choice))
        return lambda asset: pages.page(asset, include_hard_constraints=with_constraints)

    return of
