"""A group moves with what it holds, refuses what would split it, and can come back."""

import pytest

from afterword.pipeline.core.store import StoreOptions, Stores, writing
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory


@pytest.fixture
def filled(owner, store):
    write_memory(owner, NewMemory("lesson", "cut losers early"))
    store.close()


@pytest.fixture
def there(tmp_path):
    return tmp_path / "there"


def test_every_later_command_says_where_the_group_is(filled, command, there):
    assert command("store", "move", "main", "--to", str(there)).code == 0
    for line in (
        ("memory", "search", "losers"),
        ("memory", "write", "lesson", "again"),
        ("--group", "main", "jobs", "ls"),
        ("store", "move", "main", "--to", str(there)),
    ):
        done = command(*line)
        assert (done.code, done.err.count("\n")) == (1, 1), done
        assert f"moved to {there}" in done.err


def test_a_move_back_brings_the_group_home_without_an_alarm(filled, command, there, home):
    command("store", "move", "main", "--to", str(there))
    away = type(command)(there, command.clock, command.ids)
    assert away("store", "move", "main", "--to", str(home)).code == 0

    assert "cut losers early" in command("memory", "search", "losers").out
    assert command("store", "check", "--tamper").code == 0
    assert away("memory", "search", "losers").code == 1


def test_a_move_is_refused_before_anything_is_changed(filled, command, there, store, clock, ids):
    other = Stores(there, StoreOptions(), clock, ids)
    other.group("main", create=True)
    other.close()
    assert command("store", "move", "main", "--to", str(there)).code == 2
    assert command("store", "move", "main", "--to", str(command.home)).code == 2
    assert command("store", "move", "none", "--to", str(there)).code == 1
    with writing(store):  # open in another process, as far as the files tell
        pass
    done = command("store", "move", "main", "--to", str(there / "new"))
    assert (done.code, "stop it" in done.err) == (1, True)
    store.close()
    assert command("memory", "search", "losers").code == 0


def test_a_backup_of_a_moved_group_comes_back_only_where_it_is_asked_to(
    filled, command, there, tmp_path
):
    command("store", "backup", str(tmp_path / "backup"))
    command("store", "move", "main", "--to", str(there))
    restore = ("--group", "main", "store", "restore", str(tmp_path / "backup"))

    assert "moved to" in command(*restore).err
    assert command(*restore, "--replace").code == 0
    assert command("memory", "search", "losers").code == 0
