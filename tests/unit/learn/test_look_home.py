"""The folder of one look: private, gone afterwards, the same one after a kill."""

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.learn.look_home import PREFIX, look_home

NOW = datetime.now(UTC)


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = tmp_path / "my.csv"
    path.write_text("time,symbol\n")
    return path


def killed(export: Path, *options: str) -> Path:
    """Return the folder that a look leaves when it is interrupted."""
    with pytest.raises(KeyboardInterrupt), look_home([export], options, NOW) as folder:
        (folder / "half").touch()
        raise KeyboardInterrupt
    return folder


def test_the_folder_is_private_and_gone_afterwards(export: Path):
    with look_home([export], [], NOW) as folder:
        assert folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()


def test_an_error_leaves_nothing(export: Path, temporary: Path):
    with pytest.raises(ValueError), look_home([export], [], NOW):
        raise ValueError
    assert list(temporary.iterdir()) == []


def test_a_look_that_was_interrupted_goes_on_where_it_was(export: Path):
    left = killed(export)

    with look_home([export], [], NOW) as folder:
        assert folder == left and (folder / "half").exists()


def test_other_bytes_or_options_begin_anew(export: Path):
    left = killed(export, "UTC")
    with look_home([export], ["UTC+8"], NOW) as folder:
        assert folder != left
    export.write_text("time,symbol,side\n")
    with look_home([export], ["UTC"], NOW) as folder:
        assert folder != left


def test_two_looks_at_once_do_not_share_a_folder(export: Path):
    with look_home([export], [], NOW) as first, look_home([export], [], NOW) as second:
        assert first != second


def test_a_folder_that_somebody_else_could_have_filled_is_not_used(export: Path):
    left = killed(export)
    left.chmod(0o777)

    with look_home([export], [], NOW) as folder:
        assert folder != left


def test_what_a_kill_left_is_deleted_after_a_day(export: Path, temporary: Path, tmp_path: Path):
    left = killed(export)
    other = tmp_path / "other.csv"
    other.write_text("x")
    with look_home([other], [], NOW):
        assert left.exists()
    old = time.time() - timedelta(days=2).total_seconds()
    os.utime(left, (old, old))
    with look_home([other], [], NOW):
        assert not left.exists()
    assert [one for one in temporary.iterdir() if one.name.startswith(PREFIX)] == []


def test_a_file_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(InvalidInputError, match="cannot be read"):
        with look_home([tmp_path / "none.csv"], [], NOW):
            pass


def test_a_pipe_is_refused(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InvalidInputError, match="not a regular file"):
        with look_home([pipe], [], NOW):
            pass
