"""Many replays of one plan side by side, and what each choice among them came to."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from afterword.pipeline.operations.sweeps.figures import SweepFigures
from afterword.pipeline.operations.sweeps.sweep import SweepLine, SweepReport
from afterword.pipeline.operations.sweeps.walk_forward import (
    FEWEST_PART_STRETCHES,
    ForwardStep,
    WalkForward,
)
from afterword.pipeline.views.blocks import Block, Paragraph, Table, View, paragraphs
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.words import duration, moment

_SHOWN: Final = 12
"""Digits of a state that are shown; --json has all."""

_NONE: Final = "-"
_FIGURES: Final = ("decisions", "stretches", "right", "base", "edge", "result")
_STEPS: Final = (
    *("step", "chosen at", "cell", "settings", "best of", "by luck", "edge seen"),
    *("edge unseen", "stretches", "result unseen", "judged at"),
)
_HOW_TO_READ: Final = (
    "right, base, edge: stretches that were right, the share without skill, the difference, in %; "
    "result: mean of a decision after costs, in deviations of such moves; by luck: of the "
    "graduated, at most"
)


def replay_sweep(sweep: SweepReport, engine: str, seconds: float) -> View:
    """Return the figures of all cells, and how much the best of them owes to luck.

    Args:
        engine: where the cells ran.
        seconds: that it took.
    """
    tried = count(sweep.tried, "cell")
    varying = list(sweep.cells[0].settings)
    names = ("cell", *varying, *_FIGURES, "graduated", "by luck", "state")
    failures = (
        f"cell {line.number} failed: {line.failure}"
        for line in sweep.cells
        if line.failure is not None
    )
    blocks = [
        Paragraph(f"sweep {sweep.name}: {tried} on {engine} in {duration(seconds)}"),
        Table(names, list(map(_row, sweep.cells)), spare=("base", "decisions", "by luck")),
        *paragraphs([*failures, _HOW_TO_READ, _luck_words(sweep)]),
    ]
    if sweep.forward is not None:
        blocks += _forward(sweep, sweep.forward)
    return View(blocks)


def _row(line: SweepLine) -> Sequence[Cell]:
    return str(line.number), *line.settings.values(), *_results(line)


def _results(line: SweepLine) -> Sequence[Cell]:
    if line.result is None:
        return *[_NONE] * (len(_FIGURES) + 2), "failed"
    return (
        *_figures(line.result.whole),
        f"{line.result.graduated:,}",
        f"{line.result.expected_false:.1f}",
        line.result.state_hash[:_SHOWN],
    )


def _luck_words(sweep: SweepReport) -> str:
    if sweep.tried == 1:
        return "1 cell was tried, so nothing was chosen"
    by_luck = "" if sweep.luck is None else f" of up to {sweep.luck * 100:.1f} points"
    words = (
        f"{count(sweep.tried, 'cell')} were tried: the best of as many without skill has an "
        f"edge{by_luck} by luck alone"
    )
    if sweep.forward is None:
        words += "; --walk-forward N judges each choice by what it never saw"
    return words


def _forward(sweep: SweepReport, forward: WalkForward) -> Iterator[Block]:
    yield Paragraph(
        f"walk-forward: the span is cut into {len(forward.steps) + 1} equal parts; after each the "
        "cell with the greatest edge in that part is taken, and judged by the next part, which it "
        f"never saw; a part counts what was known by its end, and needs {FEWEST_PART_STRETCHES} "
        "stretches of a cell"
    )
    settings = {line.number: line.settings for line in sweep.cells}
    rows = [_step(step, settings.get(step.taken or 0, {})) for step in forward.steps]
    yield Table(_STEPS, rows, "no cell has a result", spare=("judged at", "by luck"))
    past, unseen = _points(forward.past_edge), _points(forward.next_edge)
    yield Paragraph(
        f"all steps: edge {past} in {forward.past_stretches:,} stretches that the choices were "
        f"made by, {unseen} in {forward.next_stretches:,} that they never saw; "
        f"{count(sweep.tried, 'cell')} were tried"
    )


def _step(choice: ForwardStep, settings: Mapping[str, str]) -> Sequence[Cell]:
    step, at, judged_at = str(choice.number), moment(choice.until), moment(choice.to_at)
    if choice.taken is None or choice.past is None or choice.next is None:
        return step, at, _NONE, "too few stretches", "0", *[_NONE] * 5, judged_at
    return (
        step,
        at,
        str(choice.taken),
        ", ".join(f"{key}={value}" for key, value in settings.items()) or _NONE,
        str(choice.tried),
        _points(choice.luck),
        _points(choice.past.edge),
        _points(choice.next.edge),
        f"{choice.next.stretches:,}",
        _result(choice.next),
        judged_at,
    )


def _figures(figures: SweepFigures) -> tuple[str, ...]:
    return (
        f"{figures.decisions:,}",
        f"{figures.stretches:,}",
        _share(figures.hit_rate),
        _share(figures.base_rate),
        _points(figures.edge),
        _result(figures),
    )


def _result(figures: SweepFigures) -> str:
    return _NONE if figures.mean_result is None else f"{figures.mean_result:+.3f}"


def _share(part: float | None) -> str:
    return _NONE if part is None else f"{part * 100:.1f}"


def _points(part: float | None) -> str:
    return _NONE if part is None else f"{part * 100:+.1f}"
