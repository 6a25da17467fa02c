"""A view as markdown, for a model, a note or an export."""

from collections.abc import Iterator, Sequence

from afterword.pipeline.doors.render.columns import cell_text
from afterword.pipeline.views.blocks import (
    Block,
    Detail,
    Fields,
    Groups,
    Items,
    Paragraph,
    Section,
    Table,
    Verbatim,
    View,
)
from afterword.pipeline.views.cells import Cell, Interval, Links
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.pictures import ExcursionChart, Picture, SumCurve
from afterword.pipeline.views.words import one_line


def markdown(view: View) -> str:
    """Return a view as CommonMark with tables; one line for each paragraph."""
    head = [f"# {one_line(view.title)}"] if view.title else []
    head += [one_line(view.note)] if view.note else []
    return "\n\n".join([*head, *_blocks(view.blocks, 2)]) + "\n"


def _blocks(blocks: Sequence[Block], level: int) -> Iterator[str]:
    for block in blocks:
        match block:
            case Paragraph():
                front = f"**{block.badge}** " if block.badge else ""
                yield front + one_line(block.text)
            case Fields(values):
                yield "\n".join(f"- **{name}**: {cell_text(said)}" for name, said in values.items())
            case Items(texts):
                yield "\n".join(f"- {one_line(item)}" for item in texts)
            case Verbatim(text):
                yield f"```text\n{text}\n```"
            case Table():
                yield _table(block.columns, block.rows) if block.rows else block.empty
            case Groups(_, columns, groups):
                for heading, rows in groups.items():
                    if heading:
                        yield f"**{one_line(heading)}**"
                    yield _table(columns, rows)
            case Links(number, noun, _, command):
                yield f"{count(number, noun)}: `{one_line(command)}`"
            case Picture(Interval() as share, caption):
                yield f"{cell_text(share)}: {one_line(caption)}"
            case Picture(SumCurve() | ExcursionChart(), caption):
                yield one_line(caption)
            case Section():
                if block.heading:
                    yield f"{'#' * level} {one_line(block.heading)}"
                if block.note:
                    yield one_line(block.note)
                yield from _blocks(block.blocks, level + bool(block.heading))
            case Detail():
                yield from _blocks(block.blocks, level)
            case _:  # a picture, or what a detail says
                pass


def _table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    return "\n".join([_row(columns), "|---" * len(columns) + "|", *map(_row, rows)])


def _row(cells: Sequence[Cell]) -> str:
    texts = (cell_text(cell).replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(texts)} |"
