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
    if not any(one.every.decisions for one in folds):
        return []
    table = Table(_COLUMNS, [_row(one) for one in folds], spare=("of placebos",))
    names = {_day(one): ", ".join(one.graduated) for one in folds if one.graduated}
    blocks = [
        Paragraph(folds_words(report)),
        _picture(folds),
        *([table, Detail("", [Fields(names)])] if names else [Detail("", [table])]),
    ]
    return [Section("Part by part", blocks, place="parts")]


def folds_words(report: ReplayReport) -> str:
    """Return what the folds show."""
    if not any(one.graduated for one in report.folds):
        return (
            f"In none of {count(len(report.folds), 'equal part')} of the span was a method "
            "graduated when the part began: there was nothing to follow."
        )
    return (
        f"The span in {count(len(report.folds), 'equal part')}. The methods of a row are those "
        "that were graduated when the part began, and its numbers how many decisions were right in "
        "it: none of them was known then. Decisions share prices, so no interval is told."
    )


def fold_words(one: FoldCount) -> str:
    """Return the decisions of a fold: `31 of 52, 60 % (base 48 %)`."""
    if one.rate is None:
        return "none" if not one.decisions else f"{one.decisions:,} inside the noise band"
    base = "" if one.base is None else f" (base {percent(one.base)})"
    return f"{one.hits:,} of {one.voted:,}, {percent(one.rate)}{base}"


def _row(one: FoldLine) -> list[Cell]:
    return [_day(one), len(one.graduated), *map(fold_words, _counts(one))]


def _picture(folds: tuple[FoldLine, ...]) -> Picture:
    words = "; ".join(
        f"part {one.number}: citing graduates {fold_words(one.cited)}; all "
        f"{fold_words(one.every)}; placebos {fold_words(one.placebo)}"
        for one in folds
    )
    groups = [(f"{one.from_at:%Y-%m}", list(map(_points, _counts(one)))) for one in folds]
    return Picture(Marks(groups, "points", _LEAST_POINTS, words), _CAPTION)


def _counts(one: FoldLine) -> tuple[FoldCount, FoldCount, FoldCount]:
    return one.cited, one.every, one.placebo


def _points(one: FoldCount) -> float | None:
    """Return how far a share lies above its base; points."""
    return None if one.rate is None or one.base is None else 100 * (one.rate - one.base)


def _day(one: FoldLine) -> str:
    return f"{one.from_at:%Y-%m-%d}"
