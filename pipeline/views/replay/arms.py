"""Whether memory helps a model: what it answered without memory, with it, and with a sham."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.gateway.budget.amounts import usd
from afterword.pipeline.operations.experiments.arm_results import ArmTotals
from afterword.pipeline.operations.experiments.arms import ArmsReport
from afterword.pipeline.rules.evidence.paired import PairedVerdict
from afterword.pipeline.views.blocks import Block, Paragraph, Table, paragraphs
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.words import moment

NO_NUMBER: Final = "-"

_COLUMNS: Final = (
    *("arm", "answers", "voted", "right", "by base", "result", "changed", "tokens", "USD"),
)


def arms_blocks(report: ArmsReport) -> list[Block]:
    """Return what the arms answered, what is not counted, and what it cost."""
    every = (*report.arms, *report.apart)
    failed = sum(arm.failed for arm in every)
    blocks: list[Block] = [
        Paragraph(f"{report.model} was asked. The figure, fixed before: {report.primary}"),
        _table(report.arms),
        *paragraphs(
            f"beside it, and no verdict: {name} {_difference(verdict)}"
            for name, verdict in report.beside.items()
        ),
    ]
    if any(arm.answers for arm in report.apart):
        words = "not counted, since the model may know how it ended:"
        blocks += [Paragraph(words), _table(report.apart)]
    blocks += paragraphs(
        f"{number:,} decisions were not asked: {reason}"
        for reason, number in report.left_out.items()
    )
    blocks.append(Paragraph(f"cost: {usd(sum(arm.cost_micro_usd for arm in every))} USD"))
    if failed:
        blocks.append(Paragraph(f"{failed:,} questions got no usable answer"))
    if report.left:
        when = "" if report.reopens_at is None else f"; open again at {moment(report.reopens_at)}"
        blocks.append(Paragraph(f"{report.left:,} questions were not answered{when}"))
    return blocks


def memory_words(report: ArmsReport) -> str:
    """Return the verdict on memory in a sentence."""
    if report.settings.known_until is None:
        return "Cannot tell: it is not known until when the model knows the world."
    verdict = report.verdict
    seen = f"{verdict.n:,} stretches, mean difference {verdict.mean:+.3f}"
    if verdict.verdict != "cannot tell yet":
        return f"Memory {verdict.verdict}: {seen}."
    if verdict.needed is None:
        return f"Cannot tell yet: {seen}; no verdict is in sight."
    return f"Cannot tell yet: {seen}; about {verdict.needed:,} more stretches are needed."


def share(value: float | None) -> str:
    """Return a share in per cent: `51.2 %`."""
    return NO_NUMBER if value is None else f"{100 * value:.1f} %"


def result(mean: float | None, error: float | None) -> str:
    """Return a mean with its standard error: `+0.021 ± 0.010`."""
    if mean is None:
        return NO_NUMBER
    return f"{mean:+.3f}" if error is None else f"{mean:+.3f} ± {error:.3f}"


def _table(arms: Sequence[ArmTotals]) -> Table:
    return Table(_COLUMNS, list(map(_row, arms)), spare=("tokens",))


def _row(arm: ArmTotals) -> tuple[Cell, ...]:
    return (
        arm.arm,
        arm.answers,
        arm.voted,
        share(arm.hits / arm.voted if arm.voted else None),
        share(arm.expected / arm.voted if arm.voted else None),
        result(arm.earned, None),
        share(arm.changed),
        arm.input_tokens + arm.output_tokens,
        usd(arm.cost_micro_usd),
    )


def _difference(verdict: PairedVerdict) -> str:
    low, high = verdict.interval
    return f"{verdict.mean:+.3f} in {verdict.n:,} stretches, between {low:+.3f} and {high:+.3f}"
