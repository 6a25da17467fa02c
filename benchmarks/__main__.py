"""Run all benchmarks, or those named: `python -m benchmarks [question …]`.

Each is asked in a process of its own, prints its line on stdout, and the table at the end, on
stderr, shows it beside its targets. Numbers with a target are appended to `history.jsonl` as
ratios; `--compare` asks nothing, and names those that became worse.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.answer import leave_on_term, note
from benchmarks.pace import pace_s
from benchmarks.ratios import HISTORY, WORSE, became_worse, keep, kept, run_of

QUESTIONS = (
    *("write", "bulk", "chain", "ledger", "backlog", "urgent", "latency", "help_time", "history"),
    *("imports", "learn", "mirror", "portability"),
    *(
        "search",
        "vectors",
        "prompts",
        "workspace",
        "network",
        "page",
        "session_start",
        "facts",
        "statements",
        "methodology_dedup",
        "learnings",
        "methodologies_store",
        "institution",
        "synthesis",
        "masking",
        "injection",
        "intent",
        "readers",
        "recovery",
        "kills",
        "reflections",
        "outcomes",
        "lessons",
        "ablation",
        "lesson_effect",
        "groups",
        "replay",
        "sweep",
    ),
)
"""All that ask with nothing but this machine; `retrieval` and `against_mem0` are given a file."""

NAMED = ("trades", "trade_names", "served_kills")
"""Those that read the folder of real data, or take long; they are asked only by name."""

CLEAN_UP_S = 30
"""How long an interrupted question may take to end its processes and remove its files."""


def main() -> int:
    """Ask, show, and return how many questions failed or missed a target."""
    leave_on_term()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    known = (*QUESTIONS, *NAMED)
    parser.add_argument(
        "question",
        nargs="*",
        help=f"of {', '.join(known)}; all but {', '.join(NAMED)} if missing",
    )
    parser.add_argument(
        "--compare",
        action="store_true",
        help="ask nothing; name the numbers that were worse by a fifth twice in a row",
    )
    given = parser.parse_args()
    if given.compare:
        return _compare()
    wanted = given.question or QUESTIONS
    for name in wanted:
        if name not in known:
            parser.error(f"no question {name!r}; there are {', '.join(known)}")
    answered = {name: _asked(name) for name in wanted}
    at, commit, pace = datetime.now(UTC).isoformat(timespec="seconds"), _commit(), pace_s()
    note(f"pace of this machine: {pace * 1000:.0f} ms of processor time")
    for answer in filter(None, answered.values()):
        if answer["target"]:
            keep(run_of(answer, at, commit, pace))
    Console(stderr=True, width=100).print(_table([one for one in answered.values() if one]))
    return sum(answer is None or answer["met"] is False for answer in answered.values())


def _compare() -> int:
    """Print the numbers that became worse, and return how many there are."""
    worse = became_worse(kept())
    for number in worse:
        print(f"{number.question} {number.name}: {number.last:.3g}, usual {number.usual:.3g}")
    if not worse:
        note(f"nothing was worse by {WORSE:.0%} twice in a row ({HISTORY.name})")
    return len(worse)


def _commit() -> str:
    """Return the measured commit, `-dirty` behind it where files differ; empty without git."""
    command = ["git", "describe", "--always", "--dirty"]
    root = Path(__file__).parent
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip()


def _asked(name: str) -> dict[str, Any] | None:
    """Return a question's answer, its line printed; None if it failed."""
    note(f"── {name}")
    root = Path(__file__).parent.parent  # this package is not installed
    command = [sys.executable, "-m", f"benchmarks.{name}"]
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)
    try:
        said, _ = process.communicate()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(CLEAN_UP_S)
    if process.returncode:
        note(f"{name} failed")
        return None
    print(said, end="", flush=True)
    answer: dict[str, Any] = json.loads(said)
    return answer


def _table(found: Sequence[dict[str, Any]]) -> Table:
    table = Table("question", "number", "target", "measured", "")
    for one in found:
        numbers = one["target"] or dict.fromkeys(one["measured"], "")
        for name, target in numbers.items():
            verdict = "" if not target else "missed" if name in one["missed"] else "met"
            table.add_row(one["question"], name, target, f"{one['measured'][name]:,g}", verdict)
    return table


if __name__ == "__main__":
    sys.exit(min(main(), 1))
