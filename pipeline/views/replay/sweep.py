"""Many replays of one plan side by side, and what each choice among them came to."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from afterword.pipeline.operations.sweeps.figures import SweepFigures
from afterword.pipeline.operations.sweeps.sweep import SweepLine, SweepReport
from afterword.pipeline.operations.sweeps.walk_forward import (
    FEWEST_STRETCHES,
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
        f"never saw; a part counts what was known by its end, and needs {FEWEST_STRETCHES} "
        "stretches of a cell"
    )
    settings = {line.number: line.settings for line in sweep.cells}
    rows = [_step(one, settings.get(one.taken or 0, {})) for one in forward.steps]
    yield Table(_STEPS, rows, "no cell has a result", spare=("judged at", "by luck"))
    past, unseen = _points(forward.past_edge), _points(forward.next_edge)
    yield Paragraph(
        f"all steps: edge {past} in {forward.past_stretches:,} stretches that the choices were "
        f"made by, {unseen} in {forward.next_stretches:,} that they never saw; "
        f"{count(sweep.tried, 'cell')} were tried"
    )


def _step(one: ForwardStep, settings: Mapping[str, str]) -> Sequence[Cell]:
    step, at, judged_at = str(one.number), moment(one.until), moment(one.to_at)
    if one.taken is None or one.past is None or one.next is None:
        return step, at, _NONE, "too few stretches", "0", *[_NONE] * 5, judged_at
    return (
        step,
        at,
        str(one.taken),
        ", ".join(f"{key}={value}" for key, value in settings.items()) or _NONE,
        str(one.tried),
        _points(one.luck),
        _points(one.past.edge),
        _points(one.next.edge),
        f"{one.next.stretches:,}",
        _result(one.next),
        judged_at,
    )


def _figures(one: SweepFigures) -> tuple[str, ...]:
    return (
        f"{one.decisions:,}",
        f"{one.stretches:,}",
        _share(one.hit_rate),
        _share(one.base_rate),
        _points(one.edge),
        _result(one),
    )


def _result(one: SweepFigures) -> str:
    return _NONE if one.mean_result is None else f"{one.mean_result:+.3f}"


def _share(part: float | None) -> str:
    return _NONE if part is None else f"{part * 100:.1f}"


def _points(part: float | None) -> str:
    return _NONE if part is None else f"{part * 100:+.1f}"
