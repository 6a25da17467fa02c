"""Past decisions that were asked again, without memory and with today's."""

from collections.abc import Iterator
from typing import Final

from afterword.pipeline.gateway.budget.amounts import usd
from afterword.pipeline.operations.experiments.decide import ArmAnswer
from afterword.pipeline.operations.experiments.probe import (
    NOTHING_TOLD,
    ProbedDecision,
    ProbeReport,
)
from afterword.pipeline.views.blocks import Table, View, paragraphs
from afterword.pipeline.views.words import moment

_COLUMNS: Final = (
    *("decision", "decided", "asset", "then", "without", "with memory", "answer", "USD"),
)
_CHANGES: Final = {True: "changed", False: "unchanged", None: "undecided"}


def replay_probe(report: ProbeReport, *, is_strict: bool) -> View:
    """Return what was asked again, and what it cost.

    Args:
        is_strict: whether memory tells confirmed lessons alone.
    """
    asked = [one for one in report.decisions if not one.skipped]
    empty = "no decision was asked again"
    table = Table(_COLUMNS, [_row(one) for one in asked], empty, spare=("decided",))
    said = [
        f"decision {one.id} was not asked: {one.skipped}" for one in report.decisions if one.skipped
    ]
    if is_strict and any(one.skipped == NOTHING_TOLD for one in report.decisions):
        said.append("with AFTERWORD_ROLE_LESSONS=all, memory tells hints and single cases too")
    said += [reason for one in asked for reason in _reasons(one)]
    return View([table, *paragraphs([*said, *_totals(report)])])


def _totals(report: ProbeReport) -> Iterator[str]:
    undecided = report.asked - report.changed - report.unchanged
    if report.asked:
        yield (
            f"{report.asked:,} asked again by {report.model}: {report.changed:,} changed, "
            f"{report.unchanged:,} unchanged" + (f", {undecided:,} undecided" if undecided else "")
        )
        tokens = f"{report.input_tokens:,} tokens read, {report.output_tokens:,} written"
        recorded = f"; {report.recorded:,} answers were recorded before" if report.recorded else ""
        yield f"cost: {usd(report.cost_micro_usd)} USD, {tokens}{recorded}"
    if report.failed:
        yield f"{report.failed:,} questions got no usable answer"
    yield from report.says
    if report.left:
        when = "" if report.reopens_at is None else f"; open again at {moment(report.reopens_at)}"
        yield f"{report.left:,} questions were not answered{when}"


def _row(one: ProbedDecision) -> tuple[str, ...]:
    cost = sum(each.cost_micro_usd for each in (*one.without, *one.with_memory))
    return (
        str(one.id),
        moment(one.decided_at) + (" (may be known)" if one.may_be_known else ""),
        one.asset or "-",
        f"{one.direction}, {one.outcome or 'open'}",
        _directions(one.without),
        _directions(one.with_memory),
        _CHANGES[one.is_changed] if one.with_memory else "not asked",
        usd(cost),
    )


def _directions(answers: tuple[ArmAnswer, ...]) -> str:
    """Return answers in their order: `long 0.60, short 0.55`."""
    told = (
        "no answer" if one.direction is None else f"{one.direction} {one.confidence:.2f}"
        for one in answers
    )
    return ", ".join(told) or "-"


def _reasons(one: ProbedDecision) -> Iterator[str]:
    """Yield the first reason of each side."""
    for side, answers in (("without", one.without), ("with memory", one.with_memory)):
        for each in answers[:1]:
            yield f"{one.id} {side}: {each.reason or each.problem}"
