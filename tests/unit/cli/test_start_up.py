"""What a start loads and opens: counted, so that no noise of a machine can hide what was added."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.cli import main

AGENT = f"import {Agent.__module__}"
STORE = """
import sys
from afterword import Agent
with Agent.open("desk", home=sys.argv[1], autostart=False) as agent:
    agent.memory_store("preference", "Prefers daily charts")
"""
AFTERWORD = f"""
import sys
from {main.__module__} import main
sys.argv[0] = "afterword"
try:
    main()
except SystemExit as done:
    assert not done.code, done.code
"""
RULES = """
import importlib, pkgutil, re, sys
from afterword.pipeline import rules
compiled, compile_now = [], re.compile
def told(*given, **named):
    place = sys._getframe(1).f_globals["__name__"]
    if place.startswith(rules.__name__):
        compiled.append(place)
    return compile_now(*given, **named)
re.compile = told
for module in pkgutil.walk_packages(rules.__path__, rules.__name__ + "."):
    importlib.import_module(module.name)
print(*compiled, sep="\\n")
"""
NETWORK = {"anthropic", "anyio", "h11", "httpcore2", "httpx2"}
SOME_CALLS_ONLY = NETWORK | {"croniter", "cryptography", "mnemonic", "numpy", "rich", "sqlite_vec"}
WORKERS = {"dramatiq", "fakeredis", "prometheus_client", "redis"}
"""Packages that only some calls, or only workers, need: 20 to 500 ms each."""


OF_SOME_TOOLS = {
    "domain.decisions.model",
    "domain.edges.extraction",
    "domain.facts.model",
    "domain.trips.model",
    "domain.methodologies.model",
    "domain.patterns.model",
    "domain.trades.model",
    "doors.agent.remember",
    "recall.page.compile",
    "recall.prompts.prompt_lessons",
    "recall.search.search",
    "rules.entities.entities",
    "rules.injection.scan",
    "settings",
}
"""Modules of ours with tables or many classes, which an agent needs when it does something."""

OF_OTHER_TOOLS = {
    "domain.decisions.model",
    "domain.trips.model",
    "domain.methodologies.model",
    "domain.patterns.model",
    "domain.trades.model",
    "recall.page.compile",
    "recall.prompts.prompt_lessons",
    "recall.search.search",
    "rules.entities.entities",
}
"""Those that remembering something does not need."""


def loaded(code: str, *line: str) -> set[str]:
    """Return the top-level modules that a process has loaded after it ran some code."""
    return {name.partition(".")[0] for name in loaded_modules(code, *line)}


def loaded_modules(code: str, *line: str) -> set[str]:
    """Return the modules that a process has loaded after it ran some code."""
    said = f"{code}\nimport sys\nprint(*sys.modules, file=sys.stderr)"
    command: Sequence[str] = (sys.executable, "-c", said, *line)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_the_help_loads_neither_the_store_nor_any_command():
    found = loaded(AFTERWORD, "--help")

    heavy = SOME_CALLS_ONLY | WORKERS | {"pydantic", "pysqlite3", "sqlalchemy"}
    assert found & heavy == set()
    assert "typer" in found


def test_importing_the_agent_loads_no_package_that_only_some_tools_use():
    found = loaded(AGENT)

    assert found & (SOME_CALLS_ONLY | WORKERS | {"pydantic", "typer"}) == set()
    assert "sqlalchemy" in found


def test_importing_the_agent_loads_no_room_that_only_some_tools_use():
    prefix = "afterword.pipeline."
    found = {name.removeprefix(prefix) for name in loaded_modules(AGENT)}

    assert found & OF_SOME_TOOLS == set()
    assert "doors.agent.door" in found


def test_the_first_memory_of_an_agent_loads_no_room_of_other_tools(home: Path):
    prefix = "afterword.pipeline."
    found = {name.removeprefix(prefix) for name in loaded_modules(STORE, str(home))}

    assert found & OF_OTHER_TOOLS == set()
    assert "doors.agent.write" in found


def test_no_rule_compiles_an_expression_while_it_is_loaded():
    done = subprocess.run((sys.executable, "-c", RULES), capture_output=True, text=True, check=True)

    assert done.stdout.split() == []


@pytest.mark.parametrize("is_on", [True, False])
def test_importing_the_agent_leaves_the_search_for_garbage_as_it_was(is_on: bool):
    code = f"import gc; gc.{'enable' if is_on else 'disable'}(); from afterword import Agent"
    line = (sys.executable, "-c", f"{code}; print(gc.isenabled())")
    done = subprocess.run(line, capture_output=True, text=True, check=True)

    assert done.stdout.split() == [str(is_on)]


def test_a_command_looks_for_garbage_but_not_in_what_its_start_has_loaded(home: Path, command):
    command("memory", "write", "preference", "Prefers daily charts")
    code = f"{AFTERWORD}\nimport gc\nprint(gc.isenabled(), gc.get_freeze_count() > 10_000)"
    line = (sys.executable, "-c", code, "--home", str(home), "memory", "read")
    done = subprocess.run(line, capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "True True"


@pytest.mark.parametrize(
    "line",
    [
        ("memory", "write", "preference", "Prefers weekly charts"),
        ("memory", "read"),
        ("session", "begin"),
    ],
    ids=" ".join,
)
def test_a_command_loads_no_package_of_other_commands(home: Path, command, line: tuple[str, ...]):
    command("memory", "write", "preference", "Prefers daily charts")

    found = loaded(AFTERWORD, "--home", str(home), *line)

    assert found & (SOME_CALLS_ONLY | WORKERS) == set()
    assert "sqlalchemy" in found


def test_a_write_looks_at_each_file_once_and_opens_its_group_once(
    command, monkeypatch: pytest.MonkeyPatch
):
    command("memory", "write", "preference", "Prefers weekly charts")
    opened: list[str] = []
    connect = dbapi.connect

    def counted(target: str, *args: Any, **how: Any) -> Any:
        opened.append(target)
        return connect(target, *args, **how)

    monkeypatch.setattr(dbapi, "connect", counted)
    assert command("memory", "write", "preference", "Prefers daily charts").code == 0

    files = [urlsplit(target) for target in opened if target != ":memory:"]
    assert [(Path(file.path).name, parse_qs(file.query)) for file in files] == [
        ("instance.sqlite", {"mode": ["ro"], "immutable": ["1"]}),
        ("main.sqlite", {"mode": ["ro"], "immutable": ["1"]}),
        ("main.sqlite", {"mode": ["rw"]}),
    ]
