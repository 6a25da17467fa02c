"""Import a folder of Afterword or of another program: a dry run is the import into a copy."""

import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.area import Area
from afterword.pipeline.core.files.plain_tree import PlainTree
from afterword.pipeline.core.files.temporary import lend_folder
from afterword.pipeline.core.store import StoreOptions, Stores
from afterword.pipeline.core.store.backup import backup
from afterword.pipeline.core.store.names import group_path
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import IdSource
from afterword.pipeline.operations.bundles.readers import reader_of
from afterword.pipeline.operations.bundles.take_foreign import take_foreign
from afterword.pipeline.operations.portability.audit import audit_file
from afterword.pipeline.operations.portability.model import (
    INDEX,
    ImportedFile,
    ImportOutcome,
    ImportReport,
    ImportRequest,
)
from afterword.pipeline.operations.portability.take_in import take_in


@dataclass(frozen=True, slots=True)
class ImportPlace:
    """Where an import goes, and with what.

    Args:
        group: it is made if it does not exist, by an import that is applied.
    """

    stores: Stores
    group: str
    options: StoreOptions
    clock: Clock
    ids: IdSource
    embeds: bool


def import_folder(
    place: ImportPlace, folder: Path, request: ImportRequest, areas: Sequence[Area]
) -> ImportReport:
    """Import a folder.

    Raises:
        InvalidInputError: the folder is none that can be read; nothing was written.
        UnavailableError: the store cannot be written now.
    """
    tree = PlainTree(folder)
    store = place.stores.group(place.group, create=True)
    by = Writer(store, place.clock, place.ids, "owner", embeds=place.embeds)
    if _is_export(tree, request):
        return take_in(by, place.stores, tree, request, areas)
    return _foreign(by, tree, request)


def try_import(
    place: ImportPlace, folder: Path, request: ImportRequest, areas: Sequence[Area]
) -> ImportReport:
    """Return what an import would do: it is done in a copy of the group, which is thrown away.

    Raises:
        InvalidInputError: the folder is none that can be read.
        UnavailableError: there is no space for the copy.
    """
    exists = group_path(place.stores.home, place.group).exists()
    with lend_folder("import") as lent:
        home = lent / "home"
        backup(place.stores, home, place.clock(), groups=[place.group] if exists else [])
        with closing(Stores(home, place.options, place.clock, place.ids)) as stores:
            tried = import_folder(replace(place, stores=stores), folder, request, areas)
        shutil.rmtree(home, ignore_errors=True)
    return replace(tried, is_applied=False)


def _is_export(tree: PlainTree, request: ImportRequest) -> bool:
    return request.program is None and {INDEX, "data/memories.jsonl"} & set(tree.files) != set()


def _foreign(by: Writer, tree: PlainTree, request: ImportRequest) -> ImportReport:
    """Import what another program remembered; each file has its line in the audit log."""
    reader = reader_of(tree, request.program)
    done = []
    for number, (path, file) in enumerate(sorted(take_foreign(by, tree, reader).items()), 1):
        outcome: ImportOutcome = "applied"
        if not file.new:
            outcome = "unchanged" if file.known else "not_carried"
        taken = ImportedFile(
            path,
            "B",
            outcome,
            file.new,
            file.known,
            file.not_carried,
            tuple(file.problems),
            file.notes,
        )
        audit_file(by, number, taken, is_signed=False)
        done.append(taken)
    return ImportReport(reader.name, True, None, done)
