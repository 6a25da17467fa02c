"""The output of a benchmark: one line of JSON with its numbers, sizes, machine and targets."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from benchmarks.machine import machine


@dataclass(frozen=True, slots=True)
class Target:
    """A promise about one measured number; exactly one bound is set.

    Args:
        at_most: largest value that keeps it.
        at_least: smallest value that keeps it.
    """

    at_most: float | None = None
    at_least: float | None = None

    def __str__(self) -> str:
        return f"<= {self.at_most:g}" if self.at_least is None else f">= {self.at_least:g}"

    def is_met(self, found: float) -> bool:
        """Say whether a number keeps the promise."""
        if self.at_least is None:
            return self.at_most is not None and found <= self.at_most
        return found >= self.at_least


@dataclass(frozen=True, slots=True)
class Answer:
    """What one question found.

    Args:
        measured: numbers by name, the unit in the name.
        targets: promises by the name of the number they are about.
        floor: what the numbers are compared with, measured in the same run.
        sizes: how much was measured.
    """

    question: str
    measured: Mapping[str, float]
    targets: Mapping[str, Target]
    floor: Mapping[str, float] = field(default_factory=dict)
    sizes: Mapping[str, Any] = field(default_factory=dict)

    def line(self) -> str:
        """Return the answer as one line of JSON."""
        missed = [name for name, to in self.targets.items() if not to.is_met(self.measured[name])]
        return json.dumps(
            {
                "question": self.question,
                "target": {name: str(target) for name, target in self.targets.items()},
                "measured": _rounded(self.measured),
                "floor": _rounded(self.floor),
                "sizes": dict(self.sizes),
                "machine": machine(),
                "met": not missed if self.targets else None,
                "missed": missed,
            }
        )


def note(line: str) -> None:
    """Show progress; stdout belongs to the answers."""
    print(line, file=sys.stderr, flush=True)


def answers(ask: Callable[..., Answer], **sizes: tuple[Callable[[str], Any], Any, str]) -> None:
    """Be the program of one question: read its sizes, ask it, print its line.

    Args:
        sizes: by argument of `ask`: how to read it, its default, and what it is.
    """
    leave_on_term()
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    for name, (read, default, meaning) in sizes.items():
        parser.add_argument(f"--{name}", type=read, default=default, help=f"{meaning} ({default})")
    print(ask(**vars(parser.parse_args())).line(), flush=True)


def leave_on_term() -> None:
    """Let TERM run every `finally`, so that no process and no folder stays behind."""
    signal.signal(signal.SIGTERM, _leave)


def _leave(_number: int, _frame: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not cut the clean-up short
    raise SystemExit(143)


def _rounded(numbers: Mapping[str, float]) -> dict[str, float]:
    return {name: float(f"{number:.4g}") for name, number in numbers.items()}
