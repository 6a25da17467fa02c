"""The page about the model: its lines run, and its tables say what the program offers."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from afterword.pipeline.doors.agent import TOOLS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "model.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def blocks(language: str) -> list[str]:
    return [body for written_in, body in BLOCKS if written_in == language]


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the table under a heading, without its head."""
    _, _, after = PAGE.partition(f"\n## {heading}\n")
    lines = [line for line in after.partition("\n## ")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in lines[2:]]


@pytest.fixture
def environment(tmp_path: Path, installed: Path) -> dict[str, str]:
    return {
        "HOME": str(tmp_path),
        "PATH": f"{installed / 'bin'}{os.pathsep}{os.environ['PATH']}",
    }


def run(environment: dict[str, str], *line: str) -> str:
    done = subprocess.run(
        line, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, ""), line
    return done.stdout


def test_the_lines_of_the_page_work_one_after_the_other(environment: dict[str, str]):
    loop, awaited, prompt = blocks("python")
    refused = run(environment, "python", "-c", loop)
    assert run(environment, "python", "-c", awaited) == ""
    said = run(environment, "python", "-c", prompt)
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    ours = [line.partition("  #")[0] for line in lines if line.startswith("afterword ")]

    assert refused.startswith("type: 'wish' is unknown; accepted: preference, fact, ")
    assert said.count("[preference] Wants weekly charts") == 3
    assert len(ours) == len(lines) - 1 == 5, "one line installs"
    for line in ours:
        assert run(environment, "sh", "-c", line), line


def test_the_file_on_the_page_is_the_example():
    (shown,) = blocks("json")

    assert json.loads(shown) == json.loads((ROOT / "examples/mcp/claude_code.json").read_text())


def test_the_table_of_writes_names_every_tool_that_writes_and_commands_that_exist(
    environment: dict[str, str],
):
    table = rows("Which write to take")
    tools = set(re.findall(r"`(\w+_\w+)`", " ".join(row[1] for row in table)))
    commands = re.findall(
        r"`afterword ([a-z ]+[a-z])(?: --[a-z]+)?`", " ".join(row[2] for row in table)
    )

    writing = {name for name, tool in TOOLS.items() if tool.effect.writes}
    assert tools == {*writing, "profile_read"} - {"memory_delete"}
    assert len(commands) == 15
    for command in commands:
        assert run(environment, "afterword", *command.removesuffix(" fact").split(), "--help")
