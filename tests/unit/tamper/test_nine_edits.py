"""The nine edits at rest that the suite agent-memory-integrity names, T1 to T9, are each found.

Each is made by a bare connection to the files, as another program makes it.
"""

import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.core.store.chain.anchors import anchor
from afterword.pipeline.core.store.chain.verify import check_chain
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer

ROWS = 6

REPLAY = "UPDATE memories SET content = (SELECT content FROM {} WHERE id = {}) WHERE id = {}"
"""Put the content of a row in the place of another one's, which keeps its identity."""

EDITS = {
    "T1 content tamper": (
        ["UPDATE memories SET content = 'buy more' WHERE id = 2"],
        {(2, "changed")},
    ),
    "T2 tail truncation": (
        ["DELETE FROM memories WHERE id > 4"],
        {(5, "removed"), (6, "removed")},
    ),
    "T3 middle deletion": (["DELETE FROM memories WHERE id = 3"], {(3, "removed")}),
    "T4 reordering": (
        [
            "UPDATE memories SET id = -1 WHERE id = 2",
            "UPDATE memories SET id = 2 WHERE id = 3",
            "UPDATE memories SET id = 3 WHERE id = -1",
        ],
        {(2, "reordered"), (3, "reordered")},
    ),
    "T5 forged insertion": (
        [
            "CREATE TEMP TABLE forged AS SELECT * FROM memories WHERE id = 2",
            "UPDATE forged SET id = 99, uid = 'forged', content = 'buy more'",
            "INSERT INTO memories SELECT * FROM forged",
        ],
        {(99, "added")},
    ),
    "T6 cross-context replay": ([REPLAY.format("other.memories", 6, 6)], {(6, "changed")}),
    "T6 cross-context replay of a whole row": (
        [
            "DELETE FROM memories WHERE id = 6",
            "INSERT INTO memories SELECT * FROM other.memories WHERE id = 6",
        ],
        {(6, "changed")},
    ),
    "T6 cross-context replay of the row and the chain": (
        [
            "DELETE FROM memories WHERE id = 6",
            "INSERT INTO memories SELECT * FROM other.memories WHERE id = 6",
            "DELETE FROM chain_blocks",
            "INSERT INTO chain_blocks SELECT * FROM other.chain_blocks",
        ],
        {(None, "key")},
    ),
    "T7 rollback replay": ([REPLAY.format("memories", 1, 6)], {(6, "changed")}),
    "T7 rollback replay of an older state of the row": (
        ["UPDATE memories SET deleted_at = NULL, updated_at = created_at WHERE id = 1"],
        {(1, "replayed")},
    ),
    "T8 metadata tamper": (
        ["UPDATE memories SET origin = 'owner', occurred_at = 5 WHERE id = 3"],
        {(3, "changed")},
    ),
}

Found = Callable[[], set[tuple[int | None, str]]]


@pytest.fixture
def found(stores: Stores, clock) -> Found:
    """Return the rows of `main` that a check names, each with what was done."""

    def check() -> set[tuple[int | None, str]]:
        checked = check_chain(stores.instance, stores.group("main"), clock())
        return {(edit.row, edit.what) for edit in checked.edits}

    return check


@pytest.fixture
def lived(store: Store, stores: Stores, clock, owner: Writer) -> Store:
    """A group with preferences, one of them deleted, beside another group like it."""
    for by in (owner, replace(owner, store=stores.group("other", create=True))):
        for place in range(1, ROWS + 1):
            write_memory(by, _typed(f"{by.store.name} {place}: weekly charts"))
            clock.advance(minutes=1)
    delete_memory(owner, 1)
    return store


def _typed(text: str) -> NewMemory:
    return NewMemory("preference", text, type="preference")


def _edit(stores: Stores, path: Path, statements: list[str]) -> None:
    stores.close()
    with closing(dbapi.connect(str(path))) as conn:
        conn.execute("ATTACH ? AS other", (str(path.with_name("other.sqlite")),))
        with conn:
            changed = sum(max(conn.execute(statement).rowcount, 0) for statement in statements)
    assert changed


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_of_rows_is_named(lived, stores, found: Found, name):
    statements, named = EDITS[name]
    assert found() == set()
    _edit(stores, lived.path, statements)

    assert found() == named


def test_t9_snapshot_rollback_is_named(lived, stores, owner, clock, found: Found, tmp_path):
    lived.close()
    older = tmp_path / "older"
    shutil.copyfile(lived.path, older)
    write_memory(owner, _typed("the newest one"))
    anchor(stores.instance, stores.group("main"), "scheduled", clock())
    lived.close()
    shutil.copyfile(older, lived.path)

    assert found() == {(None, "older copy")}
    for place in range(5):  # the copy is written on, longer than it was
        write_memory(owner, _typed(f"written on {place}"))
    assert found() == {(None, "older copy")}


def test_the_group_that_a_row_came_from_is_not_blamed(lived, stores, clock):
    _edit(stores, lived.path, EDITS["T6 cross-context replay of a whole row"][0])
    other = check_chain(stores.instance, stores.group("other"), clock())

    assert (other.edits, other.rows > ROWS) == ((), True)
