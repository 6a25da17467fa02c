"""Keep the numbers of each run as ratios, and name those that became worse.

A time is kept as a multiple of the pace of the machine in the same run, and a rate as what it does
in that time, so that runs on several machines can be compared. Numbers without a unit are ratios
already.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

HISTORY: Final = Path(__file__).parent / "history.jsonl"
"""One line for each question that was asked."""

LAST: Final = 5
"""Runs before one whose median it is compared with; count."""

WORSE: Final = 0.2
"""Share by which a number is worse than that median before it is named."""

TIMERS: Final = frozenset({"recovery"})
"""Questions whose times are those of timers, whatever the machine; they are kept as they are."""

_UNITS: Final = {"s", "ms", "us"}


@dataclass(frozen=True, slots=True)
class Run:
    """What one question found in one run.

    Args:
        at: when, ISO 8601 in UTC.
        commit: the program that was measured.
        pace_s: of the machine in this run; seconds of processor time.
        targets: by number, such as `<= 5`.
        ratios: by number.
    """

    at: str
    commit: str
    question: str
    pace_s: float
    targets: Mapping[str, str]
    ratios: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Worse:
    """A number that was worse in its last two runs than in those before.

    Args:
        usual: the median of the runs before the last one.
        last: its ratio in the last run.
    """

    question: str
    name: str
    usual: float
    last: float


def run_of(answer: Mapping[str, Any], at: str, commit: str, pace_s: float) -> Run:
    """Return the numbers of an answer that have a target, as ratios.

    Args:
        answer: the line of a question, read.
    """
    question, targets = answer["question"], answer["target"]
    pace = 1.0 if question in TIMERS else pace_s
    ratios = {name: ratio(name, answer["measured"][name], pace) for name in targets}
    return Run(at, commit, question, pace_s, targets, ratios)


def ratio(name: str, number: float, pace_s: float) -> float:
    """Return a number as a ratio; its name has its unit, such as `p99_ms` or `writes_per_s`."""
    parts = name.split("_")
    place = next((place for place, part in enumerate(parts) if part in _UNITS), None)
    if place is None:
        return number
    is_rate = "per" in parts[max(0, place - 2) : place]
    return number * pace_s if is_rate else number / pace_s


def keep(run: Run, history: Path = HISTORY) -> None:
    """Append a run to the history."""
    with history.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(run)) + "\n")


def kept(history: Path = HISTORY) -> list[Run]:
    """Return the runs of the history, oldest first; none if there is no file."""
    if not history.exists():
        return []
    return [Run(**json.loads(line)) for line in history.read_text(encoding="utf-8").splitlines()]


def became_worse(runs: Iterable[Run]) -> list[Worse]:
    """Return the numbers that are worse than usual by a fifth, twice in a row.

    Each of the last two is compared with the median of the five before it. A number with fewer
    than two runs before both is left out.
    """
    series: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    targets: dict[tuple[str, str], str] = {}
    for run in runs:
        for name, number in run.ratios.items():
            series[run.question, name].append(number)
            targets[run.question, name] = run.targets[name]
    named = []
    for (question, name), numbers in sorted(series.items()):
        less_is_better = targets[question, name].startswith("<=")
        ends = range(len(numbers) - 2, len(numbers))
        if len(numbers) >= 4 and all(_is_worse(numbers, end, less_is_better) for end in ends):
            named.append(Worse(question, name, _usual(numbers, len(numbers) - 1), numbers[-1]))
    return named


def _usual(numbers: list[float], end: int) -> float:
    return median(numbers[max(0, end - LAST) : end])


def _is_worse(numbers: list[float], end: int, less_is_better: bool) -> bool:
    usual, now = _usual(numbers, end), numbers[end]
    return now > usual * (1 + WORSE) if less_is_better else now < usual * (1 - WORSE)
