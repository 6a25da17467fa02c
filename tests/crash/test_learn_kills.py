"""What a killed `learn` or sweep leaves of private trades is deleted by the next command."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from afterword.pipeline.core.files.temporary import TEMPORARY_PREFIX, lend_folder
from afterword.pipeline.testing.process import command_of, environment_of
from afterword.pipeline.testing.trade_files import write_trade_files

pytestmark = pytest.mark.crash

RUN = """
import sys
from afterword.pipeline.testing.crash import die_at
die_at(sys.argv.pop(1))
from afterword.pipeline.doors.cli import main
main()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files of this test, also of the processes that it starts."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    return folder


@pytest.fixture
def export(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    return write_trade_files(folder, 20).trades


def run(*line: str, home: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command_of(*line, home=home),
        env=environment_of(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def killed_learn(home: Path, export: Path, point: str) -> None:
    line = [sys.executable, "-c", RUN, point, "--home", str(home), "learn", str(export)]
    done = subprocess.run(
        [*line, "--zone", "UTC"], env=environment_of(), capture_output=True, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


def left_in(temporary: Path) -> list[str]:
    return sorted(path.name for path in temporary.iterdir())


def bytes_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("point", ["history.stored", "history.imported"])
def test_the_next_command_deletes_what_a_killed_look_left(
    home: Path, export: Path, temporary: Path, point: str
):
    assert run("memory", "write", "preference", "Likes tea", home=home).returncode == 0
    killed_learn(home, export, point)
    (left,) = left_in(temporary)
    assert left.startswith(f"{TEMPORARY_PREFIX}look-")
    assert b"LINKUSDT" in bytes_in(temporary)

    assert run("memory", "read", home=home).returncode == 0
    assert left_in(temporary) == []


def test_the_same_look_goes_on_and_leaves_nothing(home: Path, export: Path, temporary: Path):
    killed_learn(home, export, "history.stored")
    again = run("learn", str(export), "--zone", "UTC", home=home)

    assert again.returncode == 0, again.stderr
    assert left_in(temporary) == []


def test_forget_finds_nothing_left_and_names_what_a_running_command_holds(
    home: Path, export: Path, temporary: Path
):
    run("memory", "write", "preference", "The quibbleworth account pays the rent", home=home)
    killed_learn(home, export, "history.stored")
    (dead,) = temporary.iterdir()
    (dead / "copy").write_text("quibbleworth")
    with lend_folder("look") as held:
        (held / "copy").write_text("quibbleworth")
        forgotten = run("forget", "--subject", "quibbleworth", "--apply", "--yes", home=home)

        assert forgotten.returncode == 0, forgotten.stderr
        assert left_in(temporary) == [held.name]
        (line,) = [line for line in forgotten.stdout.splitlines() if str(temporary) in line]
        assert line.startswith(f"not changed: {held / 'copy'} contains 1 of them")
    assert left_in(temporary) == []


def test_a_killed_process_frees_its_folder_and_a_stopped_one_keeps_it(home: Path, temporary: Path):
    run("memory", "write", "preference", "Likes tea", home=home)
    code = (
        "import time\nfrom afterword.pipeline.core.files.temporary import lend_folder\n"
        "with lend_folder('sweep') as folder:\n"
        "    print(folder, flush=True)\n    time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as holder:
        try:
            assert holder.stdout is not None
            folder = Path(holder.stdout.readline().strip())
            os.kill(holder.pid, signal.SIGSTOP)
            run("memory", "read", home=home)
            assert folder.is_dir()
        finally:
            holder.kill()
    run("memory", "read", home=home)
    assert left_in(temporary) == []
