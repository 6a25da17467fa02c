"""Whether following graduated methods was worth it in a replay: the verdict, and its limits."""

from collections.abc import Iterator
from typing import Final

from afterword.pipeline.operations.experiments.ablate import Ablation, GateLine
from afterword.pipeline.operations.experiments.arms import ArmsReport
from afterword.pipeline.operations.replay.model import ReplaySettings
from afterword.pipeline.views.blocks import Block, Paragraph, Table, View, paragraphs
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.replay.arms import NO_NUMBER, arms_blocks, memory_words, result, share
from afterword.pipeline.views.words import moment

_COLUMNS: Final = (
    *("gate", "decisions", "voted", "right", "by base", "result", "stretches"),
    *("difference", "verdict", "needed"),
)
_HOW_TO_READ: Final = (
    "right and by base: shares of the voted, those beyond the noise band. result: mean after costs "
    "in σ, each decision at equal risk, ± its standard error. difference: hits above base a "
    "decision, beside those that the gate leaves out."
)


def replay_ablation(
    ablation: Ablation, settings: ReplaySettings, report: ArmsReport | None = None
) -> View:
    """Return what an ablation found.

    Args:
        settings: of the replay.
        report: what a model answered with memory and without it; None if none was asked.
    """
    figure = f"The figure, fixed before any replay: {ablation.primary_figure}"
    verdicts = [graduation_verdict(ablation), "" if report is None else memory_words(report)]
    blocks: list[Block] = [
        *paragraphs([*verdicts, _read(ablation), figure]),
        Table(_COLUMNS, [_row(line) for line in ablation.gates], spare=("voted", "needed")),
        Paragraph(_HOW_TO_READ),
        *([] if report is None else arms_blocks(report)),
        Paragraph("What this cannot tell:"),
        *paragraphs((f"- {limit}" for limit in graduation_limits(ablation, settings)), "quiet"),
    ]
    return View(blocks, is_prose=True)


def graduation_verdict(ablation: Ablation) -> str:
    """Return the verdict on graduation in a sentence."""
    line = ablation.line(ablation.primary_gate)
    pairs = line.pairs
    if not ablation.methods:
        return "Cannot tell yet: no method has graduated, so there is nothing to follow."
    if not line.decisions:
        return "Cannot tell yet: no decision with an outcome cites a method graduated by then."
    if pairs is None or not pairs.n:
        return (
            "Cannot tell yet: on no bar did a decision cite a graduated method while another one "
            "did not, so there is nothing to compare with."
        )
    seen = (
        f"{pairs.mean:+.3f} hits above base a decision, beside the others on the same bars, "
        f"in {count(pairs.n, 'stretch', 'stretches')}"
    )
    low, high = pairs.interval
    if pairs.verdict == "helps":
        return f"Following graduated methods helps: {seen} (at least {low:+.3f})."
    if pairs.verdict == "hurts":
        return f"Following graduated methods hurts: {seen} (at most {high:+.3f})."
    if pairs.needed is None:
        return f"Cannot tell yet: {seen}; at this rate no verdict is in sight."
    return f"Cannot tell yet: {seen}; about {pairs.needed:,} more like these would tell."


def graduation_limits(ablation: Ablation, settings: ReplaySettings) -> Iterator[str]:
    """Yield what an ablation cannot tell, a sentence each.

    Args:
        settings: of the replay.
    """
    yield (
        "Whether an agent that is shown these methods decides better: the decisions are the same "
        "under every gate. --model asks one."
    )
    yield (
        "Skill from a trend that lasts: a gate that lets through what was right of late knows "
        "which way prices drift, and that counts."
    )
    yield "Whether it holds in other markets or at other times than those of this replay."
    yield (
        "Anything about bars on which one side alone decides: they are in the counts and the "
        "results, not in the verdict."
    )
    if any(source.kind in ("decisions", "group") for source in settings.inputs):
        yield (
            "Whether the maker of the recorded decisions knew what came later, as a model may "
            "that was trained since."
        )
    drawn = ablation.line("random").pairs
    if drawn is not None and drawn.verdict != "cannot tell yet":
        yield (
            f"Whether this is luck: the random gate {drawn.verdict} too, as it does in up to 1 of "
            "20 runs for each of the two verdicts. Try another --seed."
        )


def _read(ablation: Ablation) -> str:
    """Return what was read: how far the replay is, what graduated, what has no outcome."""
    first = ablation.first_graduated_at
    since = "" if first is None else f", the first on {moment(first)}"
    return (
        f"replay {ablation.replay}, {ablation.state}, until {moment(ablation.until)}: "
        f"{ablation.methods:,} graduated by the gate {ablation.gate}{since}; "
        f"{ablation.decisions:,} decisions with an outcome, {ablation.waiting:,} without one yet, "
        f"{ablation.unmeasured:,} without a price."
    )


def _row(line: GateLine) -> tuple[Cell, ...]:
    pairs = line.pairs
    return (
        line.gate,
        line.decisions,
        line.voted,
        share(line.hit_rate),
        share(line.base_rate),
        result(line.result, line.result_error),
        NO_NUMBER if pairs is None else f"{pairs.n:,}",
        NO_NUMBER if pairs is None or not pairs.n else f"{pairs.mean:+.3f}",
        NO_NUMBER if pairs is None else pairs.verdict,
        NO_NUMBER if pairs is None or pairs.needed is None else f"{pairs.needed:,}",
    )
