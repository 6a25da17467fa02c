"""What a replay shows part by part: how decisions did that cite what was graduated by then."""

from typing import Final

from afterword.pipeline.operations.replay_report.model import FoldCount, FoldLine, ReplayReport
from afterword.pipeline.views.blocks import Block, Detail, Fields, Paragraph, Section, Table
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.numbers import count, percent
from afterword.pipeline.views.pictures import Marks, Picture

_COLUMNS: Final = ("from", "graduated then", "right, citing these", "of all", "of placebos")
_CAPTION: Final = (
    "Share that was right, in points above its base. Dot: decisions that cite a method graduated "
    "at the start of the part; ring: all; ×: placebos."
)
_LEAST_POINTS: Final = 5.0


def folds_section(report: ReplayReport) -> list[Block]:
    """Return the section; nothing where no decision has an outcome."""
    folds = report.folds
    if not any(fold.every.decisions for fold in folds):
        return []
    table = Table(_COLUMNS, [_row(fold) for fold in folds], spare=("of placebos",))
    names = {_day(fold): ", ".join(fold.graduated) for fold in folds if fold.graduated}
    blocks = [
        Paragraph(folds_words(report)),
        _picture(folds),
        *([table, Detail("", [Fields(names)])] if names else [Detail("", [table])]),
    ]
    return [Section("Part by part", blocks, place="parts")]


def folds_words(report: ReplayReport) -> str:
    """Return what the folds show."""
    if not any(fold.graduated for fold in report.folds):
        return (
            f"In none of {count(len(report.folds), 'equal part')} of the span was a method "
            "graduated when the part began: there was nothing to follow."
        )
    return (
        f"The span in {count(len(report.folds), 'equal part')}. The methods of a row are those "
        "that were graduated when the part began, and its numbers how many decisions were right in "
        "it: none of them was known then. Decisions share prices, so no interval is told."
    )


def fold_words(counts: FoldCount) -> str:
    """Return the decisions of a fold: `31 of 52, 60 % (base 48 %)`."""
    if counts.rate is None:
        return "none" if not counts.decisions else f"{counts.decisions:,} inside the noise band"
    base = "" if counts.base is None else f" (base {percent(counts.base)})"
    return f"{counts.hits:,} of {counts.voted:,}, {percent(counts.rate)}{base}"


def _row(fold: FoldLine) -> list[Cell]:
    return [_day(fold), len(fold.graduated), *map(fold_words, _counts(fold))]


def _picture(folds: tuple[FoldLine, ...]) -> Picture:
    words = "; ".join(
        f"part {fold.number}: citing graduates {fold_words(fold.cited)}; all "
        f"{fold_words(fold.every)}; placebos {fold_words(fold.placebo)}"
        for fold in folds
    )
    groups = [(f"{fold.from_at:%Y-%m}", list(map(_points, _counts(fold)))) for fold in folds]
    return Picture(Marks(groups, "points", _LEAST_POINTS, words), _CAPTION)


def _counts(fold: FoldLine) -> tuple[FoldCount, FoldCount, FoldCount]:
    return fold.cited, fold.every, fold.placebo


def _points(counts: FoldCount) -> float | None:
    """Return how far a share lies above its base; points."""
    return None if counts.rate is None or counts.base is None else 100 * (counts.rate - counts.base)


def _day(fold: FoldLine) -> str:
    return f"{fold.from_at:%Y-%m-%d}"
