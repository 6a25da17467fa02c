"""What a program may import is `afterword`, and nothing of ours goes by another name."""

import ast
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import afterword
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.errors import InvalidInputError

OLD = {"pipeline", "workers", "schedules"}
LOADED = "import json, sys; print(json.dumps(sorted(sys.modules)), flush=True)"


def loaded_after(code: str) -> set[str]:
    """Return the names of the modules that a process has after running some code."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{LOADED}"], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def run(home: Path, *line: str) -> str:
    """Return code that runs one line of the command in the process that runs it."""
    return (
        "import sys\nfrom afterword.pipeline.doors.cli import main\n"
        f"sys.argv[1:] = {['--home', str(home), *line]!r}\n"
        "try: main()\nexcept SystemExit: pass"
    )


def test_what_a_type_checker_sees_is_what_can_be_imported():
    tree = ast.parse(Path(afterword.__file__).read_text())
    (checking,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        alias.name: node.module
        for node in checking.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    assert sorted(seen) == sorted(afterword.__all__)
    for name, module in seen.items():
        assert getattr(afterword, name) is getattr(sys.modules[str(module)], name)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Agnet'"):
        _ = afterword.Agnet


def test_importing_the_package_loads_no_room():
    ours = {name for name in loaded_after("import afterword") if name.startswith("afterword")}
    rooms = {name.removeprefix("afterword.pipeline.") for name in ours}
    assert rooms == {"afterword", "afterword.pipeline", "exports", "garbage"}


def test_an_agent_and_a_command_load_no_module_by_an_old_name(tmp_path: Path):
    agent = f"from afterword import Agent; Agent.open('main', home={str(tmp_path)!r}).close()"
    for code in (agent, run(tmp_path, "doctor")):
        loaded = loaded_after(code)
        assert "afterword.pipeline.core.store" in loaded
        assert not loaded & OLD


def test_a_running_process_loads_no_module_by_an_old_name(tmp_path: Path):
    """`afterword up` has every part of the program in it: relay, worker, schedule, metrics."""
    at_exit = (
        f"import os; leave = os._exit\ndef show(code):\n {LOADED}\n leave(code)\nos._exit = show"
    )
    up = subprocess.Popen(
        [sys.executable, "-c", f"{at_exit}\n{run(tmp_path, 'up')}"],
        env=os.environ | {"AFTERWORD_METRICS_PORT": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert up.stderr is not None
    lines = iter(up.stderr.readline, "")
    assert any("worker.started" in line for line in lines)
    up.send_signal(signal.SIGTERM)
    loaded = set(json.loads(up.communicate(timeout=60)[0].splitlines()[-1]))

    assert "afterword.workers.broker.broker" in loaded
    assert not loaded & OLD


def test_a_skill_file_with_the_old_import_is_told_the_new_one(tmp_path: Path):
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "mine.py").write_text("from pipeline.skills import Role, Skill\n")

    with pytest.raises(InvalidInputError) as refused:
        load_roles(tmp_path)

    assert str(refused.value).count("\n") == 0
    assert "skills/mine.py: cannot be loaded" in str(refused.value)
    assert "from afterword import Skill, Role" in str(refused.value)
