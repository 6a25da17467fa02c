"""What starts cost, measured from a shell: the help, a write, an agent, and the MCP door.

A target is processor time, the least of several runs: other programs of a machine change it least.
The floors are what a process pays before any line of ours: Python, and the packages we need.
"""

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.answer import Answer, Target, answers
from benchmarks.timing import Spent, spent

IMPORT = "from afterword import Agent"
AGENT = f"""{IMPORT}
import sys
with Agent.open("main", home=sys.argv[1], autostart=False) as agent:
    agent.memory_store("preference", "Prefers weekly charts")
"""
FLOORS = {
    "python": "pass",
    "sqlalchemy": "import sqlalchemy",
    "typer": "import typer",
    "pydantic": "import pydantic",
    "mcp": "import mcp",
}
# Python's own start and end are in every number. What an installed package has, this checkout may
# not keep: its modules as bytecode.
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def ask(runs: int) -> Answer:
    """Start whole processes, each kind in turn, after one start of each that is not counted."""
    command = str(Path(sys.executable).with_name("afterword"))
    with TemporaryDirectory(prefix="afterword-bench-") as home:
        starts = {
            "help": [command, "--help"],
            "write": [command, "--home", home, "memory", "write", "preference", "Weekly charts"],
            "import": [sys.executable, "-c", IMPORT],
            "agent": [sys.executable, "-c", AGENT, home],
            "mcp": [command, "--home", home, "mcp"],
        }
        lines = starts | {
            f"bare_{name}": [sys.executable, "-c", code] for name, code in FLOORS.items()
        }
        for line in lines.values():
            _run(line)
        times: dict[str, list[Spent]] = {name: [] for name in lines}
        for _ in range(runs):
            for name, line in lines.items():
                times[name].append(_run(line))
    middle = {name: median(run.wall_s for run in ran) for name, ran in times.items()}
    least = {name: min(run.cpu_s for run in ran) for name, ran in times.items()}
    return Answer(
        "help_time",
        {f"{name}_p50_ms": middle[name] * 1000 for name in starts}
        | {f"{name}_cpu_s": least[name] for name in starts},
        targets={
            "help_cpu_s": Target(at_most=0.15),
            "write_cpu_s": Target(at_most=0.4),
            "import_cpu_s": Target(at_most=0.35),
            "mcp_cpu_s": Target(at_most=1),
        },
        floor={f"{name}_cpu_s": least[f"bare_{name}"] for name in FLOORS},
        sizes={"runs": runs},
    )


def _run(line: list[str]) -> Spent:
    quiet = subprocess.DEVNULL
    return spent(lambda: subprocess.run(line, stdin=quiet, stdout=quiet, env=ENV, check=True))


if __name__ == "__main__":
    answers(ask, runs=(int, 10, "starts of each kind"))
