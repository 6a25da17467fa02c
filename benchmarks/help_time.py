"""How long `afterword --help` takes, from the shell's view."""

import subprocess
import sys
from pathlib import Path
from statistics import median

from benchmarks.answer import Answer, Target, answers
from benchmarks.timing import seconds


def ask(runs: int) -> Answer:
    """Run the installed command again and again."""
    command = [str(Path(sys.executable).with_name("afterword")), "--help"]
    floor = [sys.executable, "-c", "pass"]
    times, bare = [], []
    for _ in range(runs):
        times.append(_run(command))
        bare.append(_run(floor))
    return Answer(
        "help_time",
        {"p50_ms": median(times) * 1000, "max_ms": max(times) * 1000},
        targets={"p50_ms": Target(at_most=300)},
        floor={"python_p50_ms": median(bare) * 1000},
        sizes={"runs": runs},
    )


def _run(command: list[str]) -> float:
    return seconds(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))


if __name__ == "__main__":
    answers(ask, runs=(int, 10, "whole processes started"))
