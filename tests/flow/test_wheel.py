"""What is built and installed is whole: the demo runs from a wheel in a new environment."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ("afterword/schedules/demo/data/prices.csv", "afterword/schedules/demo/data/NOTICE.md")


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


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as zipped:
        return set(zipped.namelist())


def test_the_wheel_holds_one_package_and_the_prices_of_the_demo(built: Path):
    (wheel,) = built.glob("*.whl")
    names = names_in(wheel)

    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"afterword"}
    assert names.issuperset(DATA)
    assert "afterword/py.typed" in names, "a type checker of its user reads our types"


def test_the_source_archive_builds_the_same_wheel(built: Path, tmp_path: Path):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=source, check=True, capture_output=True)

    (wheel,), (again,) = built.glob("*.whl"), tmp_path.glob("*.whl")
    assert names_in(again) == names_in(wheel)


def test_folders_of_the_user_with_our_folders_names_break_nothing(installed: Path, tmp_path: Path):
    for name in ("pipeline", "workers", "schedules"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"MINE = {name!r}\n")
    script = tmp_path / "agent.py"
    script.write_text(
        "import pipeline, workers, schedules\n"
        "from afterword import Agent\n"
        "with Agent.open('main', home='home') as agent:\n"
        "    agent.memory_store('preference', 'Prefers weekly charts')\n"
        "    print(agent.memory_search('weekly')[0].content)\n"
        "print(pipeline.MINE, workers.MINE, schedules.MINE)\n"
    )

    done = run(installed, str(script), folder=tmp_path, program="python")

    assert done.returncode == 0, done.stderr
    assert done.stdout == "Prefers weekly charts\npipeline workers schedules\n"
    command = run(installed, "--home", "home", "memory", "search", "weekly", folder=tmp_path)
    assert "Prefers weekly charts" in command.stdout


def test_an_installed_wheel_serves_an_mcp_client(installed: Path, tmp_path: Path):
    server = subprocess.Popen(
        [str(installed / "bin" / "afterword"), "mcp", "--home", str(tmp_path / "home")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
    server.stdin.flush()

    assert server.stdout.readline() == '{"jsonrpc":"2.0","id":1,"result":{}}\n'
    assert server.communicate(timeout=60) == ("", None)
    assert server.returncode == 0


def test_the_demo_of_an_installed_wheel_tells_its_whole_story(installed: Path, tmp_path: Path):
    where = run(
        installed,
        "-c",
        "import afterword; print(afterword.__file__)",
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
        "4. One loss proves nothing",
        "5. A method enters prompts",
        "6. The agent's next session",
        "Try next",
    )
    places = [done.stdout.find(part) for part in parts]
    assert -1 not in places and places == sorted(places)


def test_an_installation_without_the_prices_says_so_in_one_line(installed: Path, tmp_path: Path):
    (prices,) = installed.glob("lib/python*/site-packages/afterword/schedules/demo/data/prices.csv")
    away = prices.rename(tmp_path / "prices.csv")
    try:
        done = run(installed, "demo", folder=tmp_path)
    finally:
        away.rename(prices)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"afterword: the demo's prices are missing ({prices}); install Afterword again\n"
    )
