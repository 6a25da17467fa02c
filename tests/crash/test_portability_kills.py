"""An export or an import that is killed leaves nothing that looks whole; the next one finishes."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import (
    Store,
    StoreOptions,
    Stores,
    reading,
    run_sql,
    writing,
)
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from afterword.pipeline.operations.portability.export import export_group
from afterword.pipeline.operations.portability.import_folder import ImportPlace, import_folder
from afterword.pipeline.operations.portability.model import ExportRequest, ImportRequest
from afterword.pipeline.operations.portability.tables import ExportTables
from afterword.pipeline.testing.command import Command
from tests.unit.portability.full_rows import fill
from tests.unit.portability.lived import Lived, without

pytestmark = pytest.mark.crash

MEMORIES = 2_500
VICTIM = """
import sys
from pathlib import Path
from afterword.pipeline.testing.crash import die_at
from tests.crash.test_portability_kills import export, take
die_at(sys.argv[4])
{"export": export, "import": take}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
"""
_IMPORTED = (
    "known_at",
    "created_at",
    "updated_at",
    "superseded_at",
    "last_sighted_at",
    "proposed_at",
)
STORED = (
    "SELECT uid, content, origin, superseded_by IS NULL FROM memories ORDER BY uid",
    "SELECT count(*), count(DISTINCT uid) FROM memories",
    "SELECT kind, count(*) FROM jobs GROUP BY 1",
)


def every_row(store: Store) -> dict[str, list[dict[str, Any]]]:
    """Return what the rows of each carried table say, without when this store learned of them."""
    tables = ExportTables(all_areas())
    said = {}
    with reading(store) as conn:
        for name, export in tables.exports.items():
            lines = tables.lines(conn, export, tables.columns(conn, export), "true")
            learned = (*export.learned_at.split(), *_IMPORTED)
            said[name] = without(list(lines), *learned)
    return said


def stores_in(home: Path) -> Stores:
    return Stores(home, StoreOptions(), system_clock, random_uid)


def export(home: Path, target: Path) -> None:
    export_group(
        stores_in(home),
        "main",
        target,
        ExportRequest(is_signed=True),
        all_areas(),
        lambda _store: lambda asset: asset,
        system_clock,
    )


def take(home: Path, folder: Path, group: str = "twin") -> Store:
    stores = stores_in(home)
    place = ImportPlace(stores, group, StoreOptions(), system_clock, random_uid, embeds=False)
    import_folder(place, folder, ImportRequest(), all_areas())
    return stores.group(group)


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """Return a home with a row in each table that is carried."""
    home = tmp_path / "home"
    stores = stores_in(home)
    by = Writer(stores.group("main", create=True), system_clock, random_uid, "owner")
    Lived(Command(home, system_clock, random_uid), stores, by, tmp_path).live()
    with writing(by.store) as conn:
        fill(conn)
    stores.close()
    return home


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """Return a home with some thousand memories."""
    store = stores_in(tmp_path / "home").group("main", create=True)
    by = Writer(store, system_clock, random_uid, "owner")
    write_memories(by, [NewMemory("lesson", f"rule {n}") for n in range(MEMORIES)])
    return tmp_path / "home"


def killed(verb: str, home: Path, folder: Path, point: str) -> None:
    line = [sys.executable, "-c", VICTIM, verb, str(home), str(folder), point]
    top = str(Path(__file__).parents[2])
    done = subprocess.run(line, timeout=120, check=False, cwd=top, env={**os.environ})
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    "point", ["export.file_written:1", "export.file_written:20", "export.written"]
)
def test_a_killed_export_is_no_folder_and_the_next_leaves_no_other(filled: Path, point: str):
    target = filled.parent / "out" / "export"
    killed("export", filled, target, point)
    assert not target.exists()

    export(filled, target)

    assert [path.name for path in target.parent.iterdir()] == ["export"]
    assert (target / "signature.txt").exists()


@pytest.mark.parametrize(
    "point", ["import.rows_written:1", "import.rows_written:2", "import.file_taken:4"]
)
def test_a_killed_import_is_finished_by_the_next(filled: Path, point: str):
    target = filled.parent / "export"
    export(filled, target)
    killed("import", filled, target, point)

    stored = []
    for group in ("twin", "whole"):
        with reading(take(filled, target, group)) as conn:
            stored.append([run_sql(conn, query).fetchall() for query in STORED])

    assert stored[0] == stored[1]
    assert stored[0][1] == [(MEMORIES, MEMORIES)]


@pytest.mark.parametrize("batch", [1, 4, 11, 14, 17, 20, 24, 30, 36])
def test_an_import_of_all_tables_that_is_killed_is_finished_by_the_next(full: Path, batch: int):
    target = full.parent / "export"
    export(full, target)
    killed("import", full, target, f"import.rows_written:{batch}")

    killed_once, whole = (every_row(take(full, target, group)) for group in ("twin", "whole"))

    assert killed_once == whole
    assert whole["decisions"] and whole["financial_profile"] and whole["institution_outputs"]
