"""The folder of one look: private, gone afterwards, the same one after a kill."""

import os
from pathlib import Path

import pytest

from afterword.pipeline.core.files.temporary import TEMPORARY_PREFIX
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.learn.look_home import look_home


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
    with pytest.raises(KeyboardInterrupt), look_home([export], options) as folder:
        (folder / "half").touch()
        raise KeyboardInterrupt
    return folder


def test_the_folder_is_private_and_gone_afterwards(export: Path):
    with look_home([export], []) as folder:
        assert folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()


def test_an_error_leaves_nothing(export: Path, temporary: Path):
    with pytest.raises(ValueError), look_home([export], []):
        raise ValueError
    assert list(temporary.iterdir()) == []


def test_a_look_that_was_interrupted_goes_on_where_it_was(export: Path):
    left = killed(export)

    with look_home([export], []) as folder:
        assert folder == left and (folder / "half").exists()


def test_other_bytes_or_options_begin_anew(export: Path):
    left = killed(export, "UTC")
    with look_home([export], ["UTC+8"]) as folder:
        assert folder != left
    export.write_text("time,symbol,side\n")
    with look_home([export], ["UTC"]) as folder:
        assert folder != left


def test_two_looks_at_once_do_not_share_a_folder(export: Path):
    with look_home([export], []) as first, look_home([export], []) as second:
        assert first != second


def test_a_folder_that_somebody_else_could_have_filled_is_not_used(export: Path):
    left = killed(export)
    left.chmod(0o777)

    with look_home([export], []) as folder:
        assert folder != left


def test_another_look_deletes_what_a_kill_left_and_not_what_is_in_use(
    export: Path, temporary: Path, tmp_path: Path
):
    left = killed(export)
    other = tmp_path / "other.csv"
    other.write_text("x")
    with look_home([export], ["UTC"]) as used, look_home([other], []) as folder:
        assert set(temporary.iterdir()) == {used, folder}
    assert not left.exists()


def test_a_folder_of_others_and_a_link_are_left_alone(export: Path, temporary: Path):
    for mode, name in ((0o755, "open"), (0o700, "theirs")):
        (temporary / f"{TEMPORARY_PREFIX}{name}").mkdir(mode=mode)
    if os.geteuid() == 0:
        os.chown(temporary / f"{TEMPORARY_PREFIX}theirs", 65534, -1)
    else:
        (temporary / f"{TEMPORARY_PREFIX}theirs").chmod(0o750)
    target = temporary.parent / "mine"
    target.mkdir(mode=0o700)
    (temporary / f"{TEMPORARY_PREFIX}link").symlink_to(target)
    before = set(temporary.iterdir())
    with look_home([export], []):
        pass

    assert set(temporary.iterdir()) == before
    assert target.exists()


def test_a_file_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(InvalidInputError, match="cannot be read"):
        with look_home([tmp_path / "none.csv"], []):
            pass


def test_a_pipe_is_refused(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InvalidInputError, match="not a regular file"):
        with look_home([pipe], []):
            pass
