"""Changed groups are found by the stamps of their files, and no commit is missed."""

import os
import shutil
from pathlib import Path

import pytest

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.store import Store, Stores, writing
from afterword.pipeline.core.store.changes import ChangeWatch
from afterword.pipeline.core.store.names import log_path
from afterword.pipeline.testing.wait import wait_until


@pytest.fixture
def watch(stores: Stores, store: Store) -> ChangeWatch:
    """A watch that has seen the group `main` as it is."""
    stores.close()
    watch = ChangeWatch(stores.folder, monotonic)
    assert watch.scan(at_once=True).changed == ["main"]
    return watch


def write(store: Store, number: int) -> None:
    with writing(store) as conn:
        conn.exec_driver_sql("INSERT INTO paused_kinds VALUES (?, 0, '')", (f"kind {number}",))


def changes_seen(watch: ChangeWatch) -> set[str]:
    """Scan as a dispatcher does, in its own time, until something changed."""
    seen: set[str] = set()
    wait_until(lambda: seen.update(watch.scan().changed) or seen)
    return seen


def test_every_commit_is_seen_however_quickly_they_follow(watch: ChangeWatch, stores: Stores):
    store = stores.group("main")
    for number in range(200):
        write(store, number)
        assert watch.scan(at_once=True).changed == ["main"]


def test_a_commit_into_a_log_that_was_still_empty_is_seen(watch: ChangeWatch, stores: Stores):
    store = stores.group("main")
    with writing(store):  # the file is open from here on, its log is there and empty
        pass
    assert watch.scan(at_once=True).changed == []

    write(store, 1)
    assert changes_seen(watch) == {"main"}


def test_a_write_by_a_process_that_opened_and_closed_the_file_is_seen(
    watch: ChangeWatch, stores: Stores
):
    write(stores.group("main"), 1)
    stores.close()
    assert not log_path(stores.folder / "main.sqlite").exists()

    assert changes_seen(watch) == {"main"}


def test_opening_and_reading_a_group_is_no_change(watch: ChangeWatch, stores: Stores):
    with writing(stores.group("main")):
        pass
    assert watch.scan(at_once=True).changed == []
    stores.close()
    assert watch.scan(at_once=True).changed == []


def test_a_file_overwritten_in_place_is_seen_though_its_folder_is_as_it_was(
    watch: ChangeWatch, stores: Stores, tmp_path: Path
):
    path = stores.folder / "main.sqlite"
    copy = shutil.copyfile(path, tmp_path / "copy")
    wait_until(lambda: not watch.scan().changed)
    path.write_bytes(copy.read_bytes())

    assert changes_seen(watch) == {"main"}


def test_files_that_come_go_and_are_replaced_are_told_apart(
    watch: ChangeWatch, stores: Stores, tmp_path: Path
):
    stores.group("other", create=True)
    stores.close()
    assert watch.scan(at_once=True).changed == ["other"]

    copy = shutil.copyfile(stores.folder / "main.sqlite", tmp_path / "copy")
    copy.rename(stores.folder / "main.sqlite")
    (stores.folder / "other.sqlite").unlink()
    changes = watch.scan(at_once=True)
    assert (changes.changed, changes.replaced, changes.gone) == (["main"], ["main"], ["other"])


def test_a_copy_that_keeps_size_and_time_of_the_old_file_is_another_file(
    watch: ChangeWatch, stores: Stores, tmp_path: Path
):
    path = stores.folder / "main.sqlite"
    copy = Path(shutil.copy2(path, tmp_path / "copy"))
    assert os.stat(copy).st_mtime_ns == path.stat().st_mtime_ns  # noqa: PTH116  both as they are
    copy.rename(path)

    assert watch.scan(at_once=True).replaced == ["main"]


def test_what_is_not_named_like_a_group_is_none(watch: ChangeWatch, stores: Stores):
    for name in ("my backup.sqlite", ".hidden.sqlite", "notes.txt", f"{'x' * 65}.sqlite"):
        (stores.folder / name).write_text("not ours")

    assert watch.scan(at_once=True).changed == []
    assert stores.groups() == ["main"]
