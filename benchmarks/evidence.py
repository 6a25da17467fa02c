"""Whether patterns of decisions are told by evidence only: false ones, planted ones, lost ones.

Decisions without skill on real prices and on their block-shuffled twins; planted flaws; effects
that are lost; neutral calls; and books of trades with planted habits. Everything is read from the
shipped rules, and what is shown of decisions without skill also from the default prompt.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from afterword.pipeline.rules.evidence.family import FamilyRecord
from afterword.pipeline.rules.evidence.model import SETUPS, Vote
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.evidence_backdated import backdated
from benchmarks.evidence_calm import calm_methods
from benchmarks.evidence_correlated import correlated
from benchmarks.evidence_gaps import gaps
from benchmarks.evidence_made import STYLES
from benchmarks.evidence_minutes import WORLDS, minutes
from benchmarks.evidence_neutral import neutral_cells
from benchmarks.evidence_planted import lost, planted
from benchmarks.evidence_random import crowded_roles, family_roles, prompts, single_roles
from benchmarks.evidence_regimes import regimes
from benchmarks.evidence_replaced import replaced
from benchmarks.evidence_reverting import reverting
from benchmarks.evidence_splits import splits
from benchmarks.evidence_trades import report_numbers
from benchmarks.evidence_worlds import COINS, DAILY, HOURLY, SEED, market, series
from benchmarks.timing import seconds

MIN_WINDOWS: Final = 200
"""Independent windows from which a share of neutral calls is held to 45-55 %, and a cell of the
week to two standard errors."""

MANY_WINDOWS: Final = 1_000
"""Those from which a cell of the week is held to 45-55 %."""


def ask(path: Path, runs: int, only: str) -> Answer:
    """Measure every figure, or those of one part."""
    folder = path / "ohlcv"
    wanted = only.split(",") if only else list(_PARTS)
    measured: dict[str, float] = {}
    for part in wanted:
        took = seconds(lambda part=part: measured.update(_PARTS[part](folder, runs)))  # type: ignore[misc]
        note(f"{part}: {took:.0f} s")
    targets = {name: target for name, target in TARGETS.items() if name in measured}
    return Answer("evidence", measured, targets, sizes={"runs": runs, "seed": SEED})


def neutral(folder: Path, runs: int) -> dict[str, float]:
    """Count neutral calls at every hour that are right: by series, window and time of the week."""
    del runs  # every hour of every series is one call
    cells = [one for name in (*DAILY, *HOURLY) for one in neutral_cells(folder, name)]
    series_cells = [one for one in cells if one.when == "all"]
    long = [one for one in series_cells if one.windows >= MIN_WINDOWS]
    short = [one for one in series_cells if one.windows < MIN_WINDOWS]
    parts = [one for one in cells if one.when != "all" and one.windows >= MIN_WINDOWS]
    many = [one for one in parts if one.windows >= MANY_WINDOWS]
    for one in sorted(parts, key=lambda one: -one.errors)[:10]:
        note(
            f"neutral {one.name}, {one.hours} h, {one.when}: {one.right:.1%} of {one.windows}"
            f" windows, {one.errors:.1f} standard errors"
        )
    return {
        "neutral_least_right": min(one.right for one in long),
        "neutral_most_right": max(one.right for one in long),
        "neutral_tables": len(series_cells),
        "neutral_long_tables": len(long),
        "neutral_long_outside": sum(not one.is_half for one in long),
        "neutral_short_outside_2_se": sum(not one.is_half and one.errors > 2 for one in short),
        "neutral_noise": float(np.mean([one.noise for one in series_cells])),
        "calendar_cells": len(parts),
        "calendar_beyond_2_se": float(np.mean([one.errors > 2 for one in parts])),
        "calendar_beyond_4_se": sum(one.errors > 4 for one in parts),
        "calendar_many_cells": len(many),
        "calendar_many_outside": sum(not one.is_half for one in many),
    }


def calm(folder: Path, runs: int) -> dict[str, float]:
    """Count neutral methods without skill that graduate."""
    del runs  # there are 500
    methods = calm_methods(
        folder, ("EURUSD_2017_2021_1h", "BTCUSDT_2023_1h", "SPY_raw_2010_2021_1d")
    )
    return {"calm_promising": methods.promising, "calm_graduates": methods.graduates}


def report(folder: Path, runs: int) -> dict[str, float]:
    """Count what the report names in books of trades, with and without a habit."""
    hourly = [series(folder, name, per_day=24) for name in COINS]
    markets = [market(one, hours) for one in hourly for hours in range(1, 7)]
    return report_numbers(markets, runs, SEED)


def speed(folder: Path, runs: int) -> dict[str, float]:
    """Measure how many votes a second a family takes in, every stretch closed and judged."""
    del folder, runs
    measured = {}
    for assets in (1, 10):
        chance = np.random.default_rng(SEED)
        votes = [
            Vote(
                number,
                f"asset {number % assets}",
                SETUPS[int(chance.integers(6))],
                number // assets,
                number // assets + 1,
                float(chance.normal(0, 0.05)),
                0.0125,
                0.5,
            )
            for number in range(100_000)
        ]
        record = FamilyRecord()
        took = min(seconds(partial(_feed, FamilyRecord(), votes)) for _ in range(3))
        _feed(record, votes)
        measured[f"votes_per_s_{assets}_assets"] = len(votes) / took
        measured[f"patterns_ms_{assets}_assets"] = seconds(record.patterns) * 1000
    return measured


def _feed(record: FamilyRecord, votes: Sequence[Vote]) -> None:
    for vote in votes:
        record.add(vote)
    record.close(votes[-1].exit_at)


_PARTS: Final[dict[str, Callable[[Path, int], dict[str, float]]]] = {
    "single": single_roles,
    "family": family_roles,
    "crowded": crowded_roles,
    "replaced": replaced,
    "reverting": reverting,
    "prompts": prompts,
    "minutes": minutes,
    "backdated": backdated,
    "correlated": correlated,
    "regimes": regimes,
    "gaps": gaps,
    "splits": splits,
    "planted": planted,
    "lost": lost,
    "neutral": neutral,
    "calm": calm,
    "report": report,
    "speed": speed,
}

TARGETS: Final = {
    "single_real_confirmed": Target(at_most=0.05),
    "single_twin_confirmed": Target(at_most=0.05),
    "family_real_confirmed": Target(at_most=0.05),
    "family_twin_confirmed": Target(at_most=0.05),
    "single_real_emerging": Target(at_most=0.20),
    "single_twin_emerging": Target(at_most=0.20),
    "crowded_real_confirmed": Target(at_most=0.05),
    "crowded_twin_confirmed": Target(at_most=0.05),
    "replaced_confirmed": Target(at_most=0.05),
    "reverting_real_told_now": Target(at_most=0.05),
    "prompt_real_told": Target(at_most=0.05),
    "prompt_twin_told": Target(at_most=0.05),
    "prompt_looks_unlike_rules": Target(at_most=0),
    **{
        f"minutes_{world.name}_{style}_told": Target(at_most=0.05)
        for world in WORLDS
        for style in ("follow", "fade")
    },
    **{
        f"{world}_{style}_told": Target(at_most=0.08)
        for world in ("correlated", "regimes", "gaps", "splits")
        for style in STYLES
    },
    "backdated_late_told": Target(at_most=0.05),
    "family_real_emerging": Target(at_most=0.20),
    "family_twin_emerging": Target(at_most=0.20),
    "setup_50_at_60": Target(at_least=0.60),
    "setup_30_at_190": Target(at_least=0.70),
    "setup_30_at_125": Target(at_least=0.45),
    "setup_100_at_20": Target(at_least=1.0),
    "asset_50_at_115": Target(at_least=0.80),
    "told_of_another_50_at_115": Target(at_most=0.05),
    "told_of_another_50_at_57": Target(at_most=0.05),
    "told_of_another_30_at_116": Target(at_most=0.05),
    "lost_retired_in_60": Target(at_least=0.50),
    "lost_retired_in_100": Target(at_least=0.75),
    "true_retired_in_120": Target(at_most=0.10),
    "neutral_long_outside": Target(at_most=0),
    "neutral_short_outside_2_se": Target(at_most=0),
    "calm_graduates": Target(at_most=1),
    "calendar_beyond_2_se": Target(at_most=0.07),
    "calendar_beyond_4_se": Target(at_most=0),
    "calendar_many_outside": Target(at_most=0),
    "shuffled_named_200": Target(at_most=0.05),
    "shuffled_named_1000": Target(at_most=0.05),
    "weekly_named": Target(at_most=0.05),
    "cut_fills_differ": Target(at_most=0),
    "quick_2_percent_200": Target(at_least=0.70),
    "quick_2_percent_1000": Target(at_least=0.95),
    "quick_1_percent_1000": Target(at_least=0.85),
    "setup_half_sigma_1000": Target(at_least=0.90),
    "setup_quarter_sigma_5000": Target(at_least=0.90),
    "names_per_planted": Target(at_most=1.1),
}


if __name__ == "__main__":
    answers(
        ask,
        path=(Path, Path("data"), "folder of real data with `ohlcv/`"),
        runs=(int, 60, "runs of each world; planted effects take three times as many"),
        only=(str, "", "parts to measure, with commas between; all if empty"),
    )
