"""Lines of `replay ablate --model`: what three arms answered, and whether memory helps."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from afterword.pipeline.doors.cli.output import Cell, print_line, print_table
from afterword.pipeline.doors.cli.sentences import print_sentences
from afterword.pipeline.gateway.budget.amounts import usd
from afterword.pipeline.operations.replay.arms import ArmsReport, ArmTotals
from afterword.pipeline.rules.evidence.paired import PairedVerdict
from afterword.pipeline.views.words import moment

_COLUMNS = ("arm", "answers", "voted", "right", "by base", "result", "changed", "tokens", "USD")
_NONE = "-"


def memory_answer(report: ArmsReport) -> dict[str, Any]:
    """Return a report for `--json`, the numbers of each verdict by name."""
    whole = {one.name: getattr(report, one.name) for one in fields(report)}
    beside = {name: one._asdict() for name, one in report.beside.items()}
    return whole | {
        "words": report.words,
        "verdict": report.verdict._asdict(),
        "beside": beside,
    }


def print_arms(report: ArmsReport) -> None:
    """Print what the arms answered, what is not counted, and what it cost."""
    print_sentences([f"{report.model} was asked. The figure, fixed before: {report.primary}"], "")
    print_table(_COLUMNS, list(_rows(report.arms)), empty="", spare=("tokens",))
    for name, found in report.beside.items():
        print_line(f"beside it, and no verdict: {name} {_difference(found)}")
    if any(one.answers for one in report.apart):
        print_line("not counted, since the model may know how it ended:")
        print_table(_COLUMNS, list(_rows(report.apart)), empty="", spare=("tokens",))
    for reason, number in report.left_out.items():
        print_line(f"{number:,} decisions were not asked: {reason}")
    every = (*report.arms, *report.apart)
    cost = sum(one.cost_micro_usd for one in every)
    print_line(f"cost: {usd(cost)} USD")
    failed = sum(one.failed for one in every)
    if failed:
        print_line(f"{failed:,} questions got no usable answer")
    if report.left:
        when = "" if report.reopens_at is None else f"; open again at {moment(report.reopens_at)}"
        print_line(f"{report.left:,} questions were not answered{when}")


def share(value: float | None) -> str:
    """Return a share in per cent: `51.2 %`."""
    return _NONE if value is None else f"{100 * value:.1f} %"


def result(mean: float | None, error: float | None) -> str:
    """Return a mean with its standard error: `+0.021 ± 0.010`."""
    if mean is None:
        return _NONE
    return f"{mean:+.3f}" if error is None else f"{mean:+.3f} ± {error:.3f}"


def _rows(arms: Sequence[ArmTotals]) -> Iterator[tuple[Cell, ...]]:
    for one in arms:
        yield (
            one.arm,
            one.answers,
            one.voted,
            share(one.hits / one.voted if one.voted else None),
            share(one.expected / one.voted if one.voted else None),
            result(one.earned, None),
            share(one.changed),
            one.input_tokens + one.output_tokens,
            usd(one.cost_micro_usd),
        )


def _difference(found: PairedVerdict) -> str:
    low, high = found.interval
    return f"{found.mean:+.3f} in {found.n:,} stretches, between {low:+.3f} and {high:+.3f}"
