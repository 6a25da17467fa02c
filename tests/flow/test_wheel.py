"""What is built and installed is whole: the demo runs from a wheel in a new environment."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = ("schedules/demo/data/prices.csv", "schedules/demo/data/NOTICE.md")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel and the source archive."""
    folder = tmp_path_factory.mktemp("built")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel"]
    subprocess.run([*build, "-d", str(folder)], cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new environment with the wheel; it finds the dependencies where this one has them.

    So nothing is downloaded. A `.pth` file adds a folder to the path without reading the `.pth`
    files in it: our own sources, installed here in editable form, stay out.
    """
    folder = tmp_path_factory.mktemp("env")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    offline = ["--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check"]
    subprocess.run([*install, *offline, str(wheel)], check=True, capture_output=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    theirs = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "dependencies.pth").write_text("\n".join(sorted(theirs)))
    return folder


def run(
    installed: Path, *line: str, folder: Path, program: str = "afterword"
) -> subprocess.CompletedProcess[str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AFTERWORD_", "PYTHON"))
    }
    return subprocess.run(
        [str(installed / "bin" / program), *line],
        cwd=folder,
        env=kept | {"TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_wheel_and_the_source_archive_hold_the_prices_and_their_notice(built: Path):
    (wheel,) = built.glob("*.whl")
    (archive,) = built.glob("*.tar.gz")

    with zipfile.ZipFile(wheel) as zipped:
        in_wheel = set(zipped.namelist())
    with tarfile.open(archive) as tar:
        in_archive = {name.partition("/")[2] for name in tar.getnames()}

    assert in_wheel.issuperset(DATA)
    assert in_archive.issuperset(DATA)


def test_the_demo_of_an_installed_wheel_tells_its_whole_story(installed: Path, tmp_path: Path):
    where = run(
        installed,
        "-c",
        "import schedules; print(schedules.__file__)",
        folder=tmp_path,
        program="python",
    )
    assert where.stdout.startswith(str(installed)), "the wheel should be tested, not our sources"

    done = run(installed, "demo", folder=tmp_path)

    assert done.returncode == 0, done.stderr
    parts = (
        "Afterword demo:",
        "1. Trades become memories",
        "2. Memories answer questions",
        "3. A decision is judged",
        "4. The agent's next session",
        "Try next:",
    )
    places = [done.stdout.find(part) for part in parts]
    assert -1 not in places and places == sorted(places)


def test_an_installation_without_the_prices_says_so_in_one_line(installed: Path, tmp_path: Path):
    (prices,) = installed.glob("lib/python*/site-packages/schedules/demo/data/prices.csv")
    away = prices.rename(tmp_path / "prices.csv")
    try:
        done = run(installed, "demo", folder=tmp_path)
    finally:
        away.rename(prices)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"afterword: the demo's prices are missing ({prices}); install Afterword again\n"
    )
