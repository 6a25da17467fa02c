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
from afterword.pipeline.core.store.key import secret_key
from afterword.pipeline.core.store.names import group_path
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.operations.bundles.model import BundleReader
from afterword.pipeline.operations.bundles.readers import reader_of
from afterword.pipeline.operations.bundles.take_foreign import take_foreign
from afterword.pipeline.operations.portability.audit import audit_file
from afterword.pipeline.operations.portability.bundle import Bundle
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
    if _is_export(tree, request):
        bundle = _bundle(place, tree, request)
        return take_in(_writer(place), bundle, request, areas)
    if request.key is not None:
        raise InvalidInputError("key", "proves nothing of another program's folder", "no key")
    reader = reader_of(tree, request.program)
    return _foreign(_writer(place), tree, reader)


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


def _bundle(place: ImportPlace, tree: PlainTree, request: ImportRequest) -> Bundle:
    key = secret_key(place.stores.home)
    return Bundle(tree, key, place.group, is_vouched=request.is_vouched, given=request.key)


def _writer(place: ImportPlace) -> Writer:
    """Return the owner as a writer; a group that does not exist is made now, and no earlier."""
    store = place.stores.group(place.group, create=True)
    return Writer(store, place.clock, place.ids, "owner", embeds=place.embeds)


def _foreign(by: Writer, tree: PlainTree, reader: BundleReader) -> ImportReport:
    """Import what another program remembered; each file has its line in the audit log."""
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
