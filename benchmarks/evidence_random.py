"""Roles without skill: how many are ever shown a pattern, at a look every week.

The rules are asked for the large tables; the default prompt of real stores for a part of them, and
run by run both must say the same.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import numpy as np

from afterword.pipeline.rules.evidence.family import FamilyRecord
from afterword.pipeline.rules.evidence.rates import wilson_interval
from benchmarks.answer import note
from benchmarks.evidence_prompt import PromptLooks, from_prompt
from benchmarks.evidence_worlds import (
    COINS,
    DAILY,
    FIRST,
    HOURLY,
    US,
    Closes,
    Run,
    Style,
    aligned,
    chance_of,
    decide,
    market,
    series,
    shuffled,
    twin,
)

T = TypeVar("T")

KINDS: Final = ("real", "twin")
STYLES: Final[tuple[Style, ...]] = ("random", "fixed", "momentum")
FAMILY_STYLES: Final[tuple[Style, ...]] = (*STYLES, "reversal", "long")


class Shown(NamedTuple):
    """What was ever shown of a role at its weekly looks.

    Args:
        is_confirmed: whether any pattern was confirmed.
        is_emerging: whether any was emerging or confirmed.
    """

    is_confirmed: bool
    is_emerging: bool


class World(NamedTuple):
    """Roles of one style on the same prices.

    Args:
        series: the name of the prices.
        kind: `real`, or `twin` for block-shuffled ones.
        window: bars of a decision.
        share: chance that an asset is decided on at a bar.
    """

    series: str
    kind: str
    style: Style
    together: Sequence[Closes]
    window: int = 1
    share: float = 0.8

    @property
    def name(self) -> str:
        """Its name in the notes."""
        return f"{self.series} {self.kind} {self.style}"


def from_rules(run: Run) -> Shown:
    """Read the states of the rules every week."""
    record = FamilyRecord()
    is_confirmed = is_emerging = False
    for bar, votes in enumerate(run.votes, start=run.start):
        for vote in votes:
            record.add(vote)
        if bar % run.week == 0:
            record.close(bar)
            states = record.states()
            is_confirmed = is_confirmed or "confirmed" in states
            is_emerging = is_emerging or "emerging" in states
    return Shown(is_confirmed, is_emerging or is_confirmed)


def single_roles(folder: Path, runs: int) -> dict[str, float]:
    """Count roles of one asset without skill that are shown a pattern."""
    return _rates("single", _singles(folder), lambda _: runs)


def family_roles(folder: Path, runs: int) -> dict[str, float]:
    """Count roles of several assets without skill that are shown a pattern."""
    # Five US series have eleven years to start in, ten coins eight months.
    return _rates(
        "family", _families(folder), lambda one: 2 * runs if one.series == "us5" else runs
    )


def crowded_roles(folder: Path, runs: int) -> dict[str, float]:
    """Count roles that decide several times within a window: five or six times on each asset."""
    return _rates("crowded", _crowds(folder), lambda one: 2 * runs if one.series == "us5" else runs)


def prompts(folder: Path, runs: int) -> dict[str, float]:
    """Count default prompts of real stores that show a pattern of a role without skill."""
    worlds = [*_singles(folder), *_families(folder)]
    each = max(1, runs // 60)
    found = [(one, *both) for one in worlds for both in _runs(one, each, _prompt_and_rules)]
    measured: dict[str, float] = {}
    for kind in KINDS:
        looked = [looks for world, looks, _ in found if world.kind == kind]
        told = sum(one.is_told for one in looked)
        low, high = wilson_interval(told, len(looked))
        measured[f"prompt_{kind}_told"] = told / len(looked)
        measured[f"prompt_{kind}_hinted"] = sum(one.is_hinted for one in looked) / len(looked)
        measured[f"prompt_{kind}_runs"] = len(looked)
        note(
            f"{kind}: {told} of {len(looked)} prompts ever told a pattern ({low:.1%} to {high:.1%})"
        )
    for world, looks, shown in found:
        if looks.is_told or shown.is_confirmed:
            note(f"{world.name}: prompt {looks.is_told}, rules {shown.is_confirmed}")
    return measured | {
        "prompt_looks": sum(looks.looks for _, looks, _ in found),
        "prompt_looks_unlike_rules": sum(looks.differing for _, looks, _ in found),
        "prompt_runs_unlike_rules": sum(
            looks.is_told != shown.is_confirmed for _, looks, shown in found
        ),
    }


def _singles(folder: Path) -> Iterator[World]:
    for name in (*DAILY, *HOURLY):
        closes = series(folder, name)
        yield from (World(name, kind, style, [closes]) for kind in KINDS for style in STYLES)


def _families(folder: Path) -> Iterator[World]:
    for label, names in (("us5", US), ("coins10", COINS)):
        together = aligned([series(folder, name) for name in names])
        for kind in KINDS:
            for style in FAMILY_STYLES:
                yield World(label, kind, style, together)


def _crowds(folder: Path) -> Iterator[World]:
    """Yield US roles that decide each day for a week, coin roles each few hours for a day."""
    stocks = aligned([series(folder, name) for name in US])
    coins = aligned([series(folder, name, per_day=24) for name in COINS])
    for kind in KINDS:
        for style in STYLES:
            yield World("us5", kind, style, stocks, window=5)
            yield World("coins10", kind, style, coins, window=24, share=0.25)


def _rates(name: str, worlds: Iterator[World], runs: Callable[[World], int]) -> dict[str, float]:
    """Measure shares of runs: the mean over the worlds of a kind, and the worst series."""
    by_kind: dict[str, list[tuple[float, float]]] = defaultdict(list)
    by_series: dict[str, list[float]] = defaultdict(list)
    by_world: dict[str, float] = {}
    for one in worlds:
        shown = _runs(one, max(10, runs(one)), from_rules)
        confirmed = float(np.mean([run.is_confirmed for run in shown]))
        emerging = float(np.mean([run.is_emerging for run in shown]))
        by_kind[one.kind].append((confirmed, emerging))
        by_series[f"{one.series} {one.kind}"].append(confirmed)
        by_world[one.name] = confirmed
        note(f"{name}, {one.name}: {confirmed:.1%}, emerging {emerging:.1%}, {len(shown)} runs")
    measured = {}
    for kind, shares in by_kind.items():
        confirmed, emerging = np.mean(shares, axis=0).tolist()
        measured[f"{name}_{kind}_confirmed"] = confirmed
        measured[f"{name}_{kind}_emerging"] = emerging
    means = {which: float(np.mean(shares)) for which, shares in by_series.items()}
    worst = max(means, key=lambda which: means[which])
    entry = max(by_world, key=lambda which: by_world[which])
    note(f"{name}: worst series {worst} {means[worst]:.1%}; world {entry} {by_world[entry]:.1%}")
    measured[f"{name}_worst_series"] = means[worst]
    measured[f"{name}_worst_world"] = by_world[entry]
    return measured


def _runs(world: World, runs: int, reader: Callable[[Run], T]) -> list[T]:
    """Read so many runs of a world: other starts, other directions, and other twins."""
    together, window = world.together, world.window
    words = (together[0].name, world.kind, world.style, str(len(together)), str(window))
    chance = chance_of(*words)
    bars = len(together[0].at)
    span = min(together[0].span, bars - FIRST - window)
    markets = [market(one, window) for one in together]
    read = []
    for _ in range(runs):
        made = together
        if world.kind == "twin":
            order = shuffled(bars, chance)
            made = [twin(one, order) for one in together]
            markets = [market(one, window) for one in made]
        start = FIRST + int(chance.integers(0, bars - window - FIRST - span + 1))
        decided = np.arange(start, start + span)
        votes = list(decide(markets, decided, world.style, chance, share=world.share))
        read.append(reader(Run(made, start, window, votes)))
    return read


def _prompt_and_rules(run: Run) -> tuple[PromptLooks, Shown]:
    return from_prompt(run), from_rules(run)
