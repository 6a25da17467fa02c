"""The files of an installation: copied, restored, checked and moved."""

from collections.abc import Sequence

from afterword.pipeline.core.store.check import FileCheck
from afterword.pipeline.core.store.manifest import Manifest
from afterword.pipeline.core.store.move import MovedGroup
from afterword.pipeline.core.store.restore import RestoredFile
from afterword.pipeline.views.blocks import Table, View
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.words import size


def backup_made(made: Manifest) -> View:
    """Return the files of a backup."""
    rows: list[list[Cell]] = [
        [_file(file.kind, file.name), size(file.size), sum(file.rows.values()), str(file.schema)]
        for file in made.files
    ]
    return View([Table(("file", "size", "rows", "schema"), rows)])


def files_restored(files: Sequence[RestoredFile]) -> View:
    """Return where each file of a backup is now, and what it took the place of."""
    rows = [[_file(file.kind, file.name), str(file.path), str(file.kept or "-")] for file in files]
    return View([Table(("restored", "to", "old file kept as"), rows)])


def group_moved(moved: MovedGroup) -> View:
    """Return where a group is now, and what is left of it here."""
    rows = [[f"group {moved.group}", str(moved.path), str(moved.kept or "-")]]
    return View([Table(("moved", "to", "old file kept as"), rows)])


def files_checked(files: Sequence[FileCheck]) -> View:
    """Return what is wrong with each file."""
    rows = [
        [
            *(_file(file.kind, file.name), size(file.size), size(file.wal_bytes)),
            "?" if file.schema is None else str(file.schema),
            "; ".join(file.problems) or "sound",
        ]
        for file in files
    ]
    return View([Table(("file", "size", "log", "schema", "found"), rows)])


def _file(kind: str, name: str) -> str:
    return name if kind == "instance" else f"{kind} {name}"
