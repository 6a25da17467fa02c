"""A chart of values side by side in groups."""

from afterword.pipeline.doors.render.markup import Html
from afterword.pipeline.doors.render.plots import (
    BELOW,
    BOTTOM,
    TOP,
    Scale,
    across,
    mark,
    plot,
    tick_label,
    ticks,
    upright,
    words_at,
)
from afterword.pipeline.views.pictures import Marks


def marks_chart(block: Marks) -> Html:
    """Return the groups from left to right; nothing without a value."""
    known = [value for _, values in block.groups for value in values if value is not None]
    if not known:
        return Html("")
    steps = ticks(min(-block.least, *known), max(block.least, *known), 4)
    y = Scale(float(steps[0]), float(steps[-1]), BOTTOM, TOP)
    x = Scale(0, len(block.groups), 8, 100)
    parts = [across(y.at(float(step)), "grid" if step else "zero") for step in steps]
    for place, (name, values) in enumerate(block.groups):
        parts.append(upright(x.at(place), TOP, BOTTOM))
        parts += [
            _mark(number, x.at(place + 0.3 + 0.2 * number), y.at(value))
            for number, value in enumerate(values)
            if value is not None
        ]
        parts.append(words_at(name, x.at(place + 0.5), BELOW, "middle"))
    for step in steps:
        unit = f" {block.unit}" if step == steps[-1] else ""
        parts.append(words_at(tick_label(step) + unit, 0, y.at(float(step)), down=-4))
    return plot("plot low", block.words, parts)


def _mark(number: int, x: float, y: float) -> Html:
    if number == 2:
        return words_at("×", x, y, "middle", down=4)
    return mark(x, y, 5, "ring" if number else "dot")
