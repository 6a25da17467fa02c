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
    asked_again = [decision for decision in report.decisions if not decision.skipped]
    empty = "no decision was asked again"
    table = Table(_COLUMNS, [_row(decision) for decision in asked_again], empty, spare=("decided",))
    sentences = [
        f"decision {decision.id} was not asked: {decision.skipped}"
        for decision in report.decisions
        if decision.skipped
    ]
    if is_strict and any(decision.skipped == NOTHING_TOLD for decision in report.decisions):
        sentences.append("with AFTERWORD_ROLE_LESSONS=all, memory tells hints and single cases too")
    sentences += [reason for decision in asked_again for reason in _reasons(decision)]
    return View([table, *paragraphs([*sentences, *_totals(report)])])


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


def _row(decision: ProbedDecision) -> tuple[str, ...]:
    cost = sum(answer.cost_micro_usd for answer in (*decision.without, *decision.with_memory))
    return (
        str(decision.id),
        moment(decision.decided_at) + (" (may be known)" if decision.may_be_known else ""),
        decision.asset or "-",
        f"{decision.direction}, {decision.outcome or 'open'}",
        _directions(decision.without),
        _directions(decision.with_memory),
        _CHANGES[decision.is_changed] if decision.with_memory else "not asked",
        usd(cost),
    )


def _directions(answers: tuple[ArmAnswer, ...]) -> str:
    """Return answers in their order: `long 0.60, short 0.55`."""
    told = (
        "no answer" if answer.direction is None else f"{answer.direction} {answer.confidence:.2f}"
        for answer in answers
    )
    return ", ".join(told) or "-"


def _reasons(decision: ProbedDecision) -> Iterator[str]:
    """Yield the first reason of each side."""
    for side, answers in (("without", decision.without), ("with memory", decision.with_memory)):
        for answer in answers[:1]:
            yield f"{decision.id} {side}: {answer.reason or answer.problem}"
