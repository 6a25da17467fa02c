"""The history of benchmarks names what became worse, on any machine."""

from pathlib import Path

import pytest

from benchmarks.ratios import Run, became_worse, keep, kept, ratio, run_of


def runs(*numbers: float, target: str = "<= 5") -> list[Run]:
    return [Run("2026-01-01", "abc", "write", 0.1, {"p50": target}, {"p50": n}) for n in numbers]


@pytest.mark.parametrize(
    ("numbers", "target", "named"),
    [
        ((1.0, 1.1, 0.9, 1.0, 1.0, 1.3, 1.3), "<= 5", True),
        ((1.0, 1.1, 0.9, 1.0, 1.0, 1.0, 1.3), "<= 5", False),  # once may be noise
        ((1.0, 1.1, 0.9, 1.0, 1.0, 1.15, 1.15), "<= 5", False),  # by less than a fifth
        ((1.0, 1.0, 1.0, 1.0, 1.0, 0.7, 0.7), ">= 5", True),
        ((1.0, 1.0, 1.0, 1.0, 1.0, 1.3, 1.3), ">= 5", False),  # more is better
        ((1.0, 1.3, 1.3), "<= 5", False),  # nothing is usual yet
    ],
)
def test_a_number_is_named_when_it_is_worse_by_a_fifth_twice_in_a_row(
    numbers: tuple[float, ...], target: str, named: bool
):
    worse = became_worse(runs(*numbers, target=target))
    assert [(found.question, found.name, found.last) for found in worse] == (
        [("write", "p50", numbers[-1])] if named else []
    )


def test_a_machine_that_is_twice_as_slow_gives_the_same_ratios():
    fast = {"p50_ratio_full": 2.0, "p99_ms_busy": 20.0, "writes_per_s": 100, "rows_per_cpu_s": 8}
    slow = {"p50_ratio_full": 2.0, "p99_ms_busy": 40.0, "writes_per_s": 50, "rows_per_cpu_s": 4}
    assert [ratio(name, number, 0.1) for name, number in fast.items()] == pytest.approx(
        [ratio(name, number, 0.2) for name, number in slow.items()]
    )


def test_a_run_comes_back_from_the_history_as_it_was_kept(tmp_path: Path):
    answer = {
        "question": "recovery",
        "target": {"killed_max_s": "<= 5"},
        "measured": {"killed_max_s": 3.0, "without_a_target": 1.0},
    }
    run = run_of(answer, "2026-01-01T00:00:00+00:00", "abc", 0.1)
    keep(run, tmp_path / "history.jsonl")

    assert run.ratios == {"killed_max_s": 3.0}  # a timer does not run faster on a fast machine
    assert kept(tmp_path / "history.jsonl") == [run]
    assert kept(tmp_path / "none.jsonl") == []
