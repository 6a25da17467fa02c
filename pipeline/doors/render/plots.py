"""Charts as wide as their page, with letters of one size: places are shares of width and height."""

from collections.abc import Sequence
from decimal import Decimal
from math import floor, log10
from typing import Final, NamedTuple

from afterword.pipeline.doors.render.markup import Html, element

TOP, BOTTOM, BELOW = 10.0, 87.0, 98.0
"""Where the highest and the lowest value of a plot stand, and the words below it; per cent."""

_STEPS: Final = (1, 2, 5, 10)
"""What the numbers of an axis are apart, times a power of ten."""


class Scale(NamedTuple):
    """Where values stand on one side of a plot.

    Args:
        low: value that stands at `begin`, per cent of the side from its left or upper end; `high`
            stands at `end`.
    """

    low: float
    high: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        """Return the place of a value; one beyond the plot stands at its border."""
        share = (value - self.low) / (self.high - self.low)
        return self.begin + min(1.0, max(0.0, share)) * (self.end - self.begin)


def ticks(low: float, high: float, most: int = 5) -> list[Decimal]:
    """Return round numbers at equal distances, from at most `low` to at least `high`.

    Args:
        high: above `low`.
        most: spaces between them; count.
    """
    raw = (high - low) / most
    power = floor(log10(raw))
    step = next(step for step in _STEPS if step * 10.0**power >= raw * (1 - 1e-9))
    size = Decimal(step).scaleb(power).normalize()
    first = floor(low / float(size))
    numbers = [first * size]
    while float(numbers[-1]) < high:
        numbers.append(numbers[-1] + size)
    return numbers


def tick_label(number: Decimal) -> str:
    """Return a number of an axis: `+60,000`, `0`, `−0.002`."""
    if not number:
        return "0"
    sign = "−" if number < 0 else "+"
    return f"{sign}{abs(number):,f}"


def plot(kind: str, words: str, parts: Sequence[Html]) -> Html:
    """Return a plot of a class of the style sheet, which gives its height; words say what it shows.

    It has no size of its own: all places in it are shares.
    """
    return element("svg", element("title", words), *parts, class_=kind, role="img")


def across(y: float, kind: str = "grid") -> Html:
    """Return a line from side to side."""
    return element("line", class_=kind, x1="0", x2="100%", y1=place(y), y2=place(y))


def upright(x: float, top: float, bottom: float, kind: str = "grid") -> Html:
    """Return a line from top to bottom."""
    return element("line", class_=kind, x1=place(x), x2=place(x), y1=place(top), y2=place(bottom))


def mark(x: float, y: float, radius: float, kind: str = "dot") -> Html:
    """Return a dot, or a ring."""
    return element("circle", class_=kind, cx=place(x), cy=place(y), r=f"{radius:g}")


def words_at(
    words: str, x: float, y: float, anchor: str = "start", *, down: int = 0, kind: str | None = None
) -> Html:
    """Return words that begin, end or are centred at a place.

    Args:
        down: how far below it their line is; pixels, negative is above.
    """
    return element(
        *("text", words),
        class_=kind,
        x=place(x),
        y=place(y),
        dy=down or None,
        text_anchor=None if anchor == "start" else anchor,
    )


def curve(points: Sequence[tuple[float, float]], kind: str = "curve") -> Html:
    """Return a line through places, stretched with the plot; its width stays.

    Args:
        kind: of the style sheet.
    """
    path = " ".join(f"{x * 10:.0f},{y * 10:.0f}" for x, y in points)
    return element(
        "svg",
        element("polyline", class_=kind, points=path, vector_effect="non-scaling-stroke"),
        width="100%",
        height="100%",
        viewBox="0 0 1000 1000",
        preserveAspectRatio="none",
    )


def place(share: float) -> str:
    """Return a place in per cent with one digit, the same on every machine."""
    return f"{share:.1f}".removesuffix(".0") + "%"
