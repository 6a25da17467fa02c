"""What each platform installs, and one clear line where Afterword cannot run."""

import os
import re
import sqlite3
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.markers import Marker

from afterword.pipeline.core.store import driver
from afterword.pipeline.core.store.driver import WHEELS, check_driver, is_safe
from afterword.pipeline.errors import UnavailableError

ROOT = Path(__file__).parents[3]
PLATFORMS = {
    "Linux x86-64": ("linux", "x86_64"),
    "Linux aarch64": ("linux", "aarch64"),
    "Linux with musl, x86-64": ("linux", "x86_64"),
    "macOS arm64": ("darwin", "arm64"),
    "macOS x86-64": ("darwin", "x86_64"),
    "Windows x86-64": ("win32", "AMD64"),
}
"""As `sys.platform` and `platform.machine()` name them; musl has no name of its own."""


def marker_of(name: str) -> Marker | None:
    """Return the condition under which a dependency is installed; None if it always is."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (line,) = [one for one in project["dependencies"] if re.match(rf"{name}\b(?!-)", one)]
    _, _, condition = line.partition(";")
    return Marker(condition) if condition else None


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_driver_is_installed_where_it_has_a_wheel_and_nowhere_from_its_source(platform: str):
    system, machine = PLATFORMS[platform]
    marker = marker_of("pysqlite3")
    assert marker is not None

    installed = marker.evaluate({"sys_platform": system, "platform_machine": machine})

    assert installed == ((system, machine) in WHEELS)
    assert installed == (platform in {"Linux x86-64", "Linux with musl, x86-64", "macOS arm64"})


def test_the_page_has_a_line_for_each_platform_and_says_which_one_was_run():
    page = (ROOT / "docs" / "platforms.md").read_text()
    rows = [line.strip("|").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    named = {row[0].strip(): row[-1].strip(" |") for row in rows[1:]}

    assert set(PLATFORMS) <= set(named)
    assert {one for one in PLATFORMS if named[one].startswith("run")} == {"Linux x86-64"}


@pytest.mark.parametrize(
    ("version", "safe"),
    [((3, 40, 1), False), ((3, 46, 1), False), ((3, 50, 4), False), ((3, 53, 0), True)],
)
def test_a_system_without_a_wheel_is_told_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], safe: bool
):
    monkeypatch.setattr(driver, "sys", SimpleNamespace(platform="linux"))
    monkeypatch.setattr(driver, "platform", SimpleNamespace(machine=lambda: "aarch64"))
    found = SimpleNamespace(
        sqlite_version=".".join(map(str, version)), connect=driver.dbapi.connect
    )
    if safe:
        assert check_driver(found) == found.sqlite_version  # type: ignore[arg-type]
        return
    with pytest.raises(UnavailableError) as refused:
        check_driver(found)  # type: ignore[arg-type]

    assert "no wheel of pysqlite3 for linux aarch64" in str(refused.value)
    assert "pip install" not in str(refused.value)


def start(
    tmp_path: Path, hidden: dict[str, str], *line: str, code: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command, or code, with some modules replaced by others."""
    folder = tmp_path / "replaced"
    for name, source in hidden.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    program = ["-c", code] if code else ["-m", "afterword", "--home", str(tmp_path / "h"), *line]
    return subprocess.run(
        [sys.executable, *program],
        env=os.environ | {"PYTHONPATH": str(folder)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )


NO_DRIVER = {"pysqlite3/__init__.py": "raise ImportError('no wheel here')\n"}
OLD_DRIVER = {
    "pysqlite3/__init__.py": "",
    "pysqlite3/dbapi2.py": "from sqlite3.dbapi2 import *\nsqlite_version = '3.46.1'\n",
}
NO_LOCKS = {"fcntl.py": "raise ModuleNotFoundError('No module named fcntl', name='fcntl')\n"}


def test_without_the_driver_the_standard_library_serves_if_it_is_safe(tmp_path: Path):
    done = start(tmp_path, NO_DRIVER, "memory", "write", "x")

    own = tuple(map(int, sqlite3.sqlite_version.split(".")))
    if is_safe(own) and hasattr(sqlite3.Connection, "enable_load_extension"):
        assert (done.returncode, done.stderr) == (0, "")
        return
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("afterword: ") and done.stderr.count("\n") == 1
    assert "SQLite" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "h" / "groups").exists()


def test_an_unsafe_sqlite_is_refused_in_one_line_before_a_file_is_made(tmp_path: Path):
    done = start(tmp_path, OLD_DRIVER, "memory", "write", "x")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("afterword: SQLite 3.46.1 has the WAL-reset race")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "h" / "instance.sqlite").exists()


@pytest.mark.parametrize("line", [("--help",), ("memory", "write", "x"), ("doctor",), ("up",)])
def test_a_system_without_file_locks_is_told_so_in_one_line(tmp_path: Path, line: tuple[str, ...]):
    done = start(tmp_path, NO_LOCKS, *line)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "afterword: this system cannot run Afterword: its Python has no fcntl, which Linux and "
        "macOS have (on Windows, use WSL 2); docs/platforms.md says what is supported\n"
    )


def test_a_program_on_such_a_system_gets_an_error_that_says_it(tmp_path: Path):
    code = (
        "from afterword import UnavailableError\n"
        "try:\n    from afterword import Agent\n"
        "except UnavailableError as error:\n    print(error)\n"
    )
    done = start(tmp_path, NO_LOCKS, code=code)

    assert done.stdout.startswith("this system cannot run Afterword: its Python has no fcntl"), (
        done.stderr
    )
