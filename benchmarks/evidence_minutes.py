"""Decisions that follow, or fade, what the market did since the last price: none of them has skill.

Fair random walks of minutes, decided on at random minutes; the program knows bars of hours or of
days. Stocks open each day where the news of the night put them, which the decision knew.
"""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Final, Literal, NamedTuple

import numpy as np

from afterword.pipeline.domain.outcomes.measure import OutcomeMeasurer
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.rules.market.bars import Bar
from benchmarks.answer import note
from benchmarks.evidence_made import BEGIN, DAY, HOUR, is_told, outcome_row
from benchmarks.evidence_worlds import Chance, Floats, chance_of

Style = Literal["follow", "fade"]

MINUTE_SIGMA: Final = 0.0006
NIGHT_SIGMA: Final = 0.01
"""Deviation of what the news of a night move a stock; half as much as its day does."""


class MinuteWorld(NamedTuple):
    """Assets whose bars are longer than what their decisions know.

    Args:
        window: of a decision; hours.
        days: of a run.
        apart: most minutes between two decisions about an asset.
    """

    name: str
    assets: tuple[str, ...]
    interval: timedelta
    window: int
    days: int
    apart: int

    @property
    def closes(self) -> bool:
        """Whether its markets close: for the night, whose news they open with, and on weekends."""
        return self.assets[0] == "AAPL"


WORLDS: Final = (
    MinuteWorld("hours", ("SOL", "LINK", "DOGE"), HOUR, 4, 60, 300),
    MinuteWorld("days", ("SOL", "LINK", "DOGE"), DAY, 24, 300, 2_880),
    MinuteWorld("nights", ("AAPL", "IBM", "KO"), DAY, 24, 420, 2_880),
)


def minutes(folder: Path, runs: int) -> dict[str, float]:
    """Count the roles without skill that are told of a pattern, by world and style."""
    del folder  # every price is made
    measured = {}
    for world in WORLDS:
        for style in ("follow", "fade"):
            rows = [list(_run(world, style, run)) for run in range(runs)]
            said = [row.window_verdict for of_run in rows for row in of_run]
            right = said.count("right") / max(1, said.count("right") + said.count("wrong"))
            told = sum(map(is_told, rows)) / runs
            note(f"{world.name} {style}: {right:.1%} right, told {told:.1%} of {runs} roles")
            measured[f"minutes_{world.name}_{style}_right"] = right
            measured[f"minutes_{world.name}_{style}_told"] = told
    return measured


def _run(world: MinuteWorld, style: Style, run: int) -> Iterator[OutcomeRow]:
    """Yield what became of the decisions of one role."""
    chance = chance_of("minutes", world.name, style, str(run))
    paths = {asset: _path(world, chance) for asset in world.assets}
    book = PriceBook({_series(world, one): _bars(world, paths[one]) for one in world.assets})
    measurer = OutcomeMeasurer(book, BEGIN + 2 * world.days * DAY)
    number = 0
    for asset, path in paths.items():
        last = len(path) - world.window * 60 - 2 * world.interval // timedelta(minutes=1)
        minute = 35 * 1440 if world.interval == DAY else 8 * 1440
        while (minute := minute + int(chance.integers(60, world.apart))) < last:
            before = _price_before(world, path, minute)
            stance = "long" if (path[minute] > before) == (style == "follow") else "short"
            at, number = BEGIN + minute * timedelta(minutes=1), number + 1
            (found,) = measurer.over(
                Subject("decision", number, asset, stance, at),  # type: ignore[arg-type]
                (world.window,),
            )
            if isinstance(found, MeasuredOutcome):
                yield outcome_row(found)


def _path(world: MinuteWorld, chance: Chance) -> Floats:
    """Return the price at each minute; that of a stock outside its hours is where it will open."""
    moves = chance.normal(0, MINUTE_SIGMA, world.days * 1440)
    if world.closes:
        day, minute = np.divmod(np.arange(len(moves)), 1440)
        is_open = (minute >= 14 * 60) & (minute < 21 * 60) & (day % 7 < 5)
        moves[~is_open] = 0
        evenings = (minute == 22 * 60) & (day % 7 < 5)
        moves[evenings] = chance.normal(0, NIGHT_SIGMA, int(evenings.sum()))
    return np.asarray(100 * np.exp(np.cumsum(moves)), dtype=np.float64)


def _price_before(world: MinuteWorld, path: Floats, minute: int) -> float:
    """Return the price that the program has from before a decision."""
    if not world.closes:
        length = int(world.interval / timedelta(minutes=1))
        return float(path[minute // length * length - 1])
    return (
        float(path[minute // 1440 * 1440 + 21 * 60 - 1])
        if minute % 1440 >= 22 * 60
        else float(path[max(0, minute - 60)])
    )


def _bars(world: MinuteWorld, path: Floats) -> list[Bar]:
    length = int(world.interval / timedelta(minutes=1))
    bars = []
    for start in range(0, len(path) - length + 1, length):
        if world.closes and start // 1440 % 7 >= 5:
            continue
        part = (
            path[start + 14 * 60 : start + 21 * 60]
            if world.closes
            else path[start : start + length]
        )
        before = part[0] if world.closes or not start else path[start - 1]
        numbers = (before, max(before, part.max()), min(before, part.min()), part[-1])
        first, high, low, close = (Decimal(f"{price:.5f}") for price in numbers)
        at = BEGIN + start * timedelta(minutes=1)
        bars.append(Bar(at, world.interval, first, high, low, close, Decimal(0)))
    return bars


def _series(world: MinuteWorld, asset: str) -> Series:
    return Series("bench", asset if world.closes else f"{asset}USDT", world.interval)
