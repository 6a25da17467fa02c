"""Start-up times, measured from a shell: the help, a write, and an agent."""

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from afterword.pipeline.doors.agent import Agent
from benchmarks.answer import Answer, Target, answers
from benchmarks.timing import seconds

IMPORT = f"from {Agent.__module__} import Agent"
AGENT = f"""{IMPORT}
import sys
with Agent.open("main", home=sys.argv[1], autostart=False) as agent:
    agent.memory_store("preference", "Prefers weekly charts")
"""
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
            "python": [sys.executable, "-c", "pass"],
        }
        for line in starts.values():
            _run(line)
        times: dict[str, list[float]] = {name: [] for name in starts}
        for _ in range(runs):
            for name, line in starts.items():
                times[name].append(_run(line))
    middle = {name: median(found) * 1000 for name, found in times.items()}
    least = {name: min(found) * 1000 for name, found in times.items()}
    kinds = [name for name in starts if name != "python"]
    return Answer(
        "help_time",
        {f"{name}_p50_ms": middle[name] for name in kinds}
        | {f"{name}_min_ms": least[name] for name in kinds},
        targets={
            "help_p50_ms": Target(at_most=200),
            "write_p50_ms": Target(at_most=500),
            "import_p50_ms": Target(at_most=400),
        },
        floor={"python_p50_ms": middle["python"], "python_min_ms": least["python"]},
        sizes={"runs": runs},
    )


def _run(line: list[str]) -> float:
    return seconds(lambda: subprocess.run(line, stdout=subprocess.DEVNULL, env=ENV, check=True))


if __name__ == "__main__":
    answers(ask, runs=(int, 10, "starts of each kind"))
