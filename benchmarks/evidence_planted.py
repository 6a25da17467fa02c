"""Planted effects: how many are found, and how many lost ones are retired."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple, get_args

import numpy as np

from afterword.pipeline.rules.evidence.family import FamilyRecord
from afterword.pipeline.rules.evidence.model import HYPOTHESES, SETUPS, Hypothesis, Side
from benchmarks.answer import note
from benchmarks.evidence_worlds import (
    FIRST,
    US,
    Flaw,
    Market,
    aligned,
    chance_of,
    decide,
    market,
    series,
)

SIDES: Final[tuple[Side, ...]] = get_args(Side)


class Found(NamedTuple):
    """What became of a planted effect.

    Args:
        is_found: whether its hypothesis was confirmed and told of an asset that has it.
        is_told_of_another: whether it was told of an asset that does not have it.
    """

    is_found: bool
    is_told_of_another: bool


def planted(folder: Path, runs: int) -> dict[str, float]:
    """Count planted effects that are found, of a setup and of one asset of five."""
    together = aligned([series(folder, name) for name in US])
    real = [market(one) for one in together]
    measured = {}
    count = max(10, 3 * runs)
    for share, n in ((0.5, 60), (0.3, 125), (0.3, 190), (0.5, 20), (0.3, 60)):
        found = [_planted_run(real, share, n, None, seed) for seed in range(count)]
        measured[f"setup_{share:.0%}_at_{n}".replace("%", "")] = _share(found)
        note(f"setup-wide, {share:.0%}, {n} stretches: {_share(found):.1%} of {count}")
    for share, n in ((0.5, 115), (0.5, 57), (0.3, 116)):
        found = [_planted_run(real, share, n, US[seed % 5], seed) for seed in range(count)]
        measured[f"asset_{share:.0%}_at_{n}".replace("%", "")] = _share(found)
        others = float(np.mean([one.is_told_of_another for one in found]))
        measured[f"told_of_another_{share:.0%}_at_{n}".replace("%", "")] = others
        note(f"one asset, {share:.0%}, {n}: {_share(found):.1%}, told of another {others:.1%}")
    certain = [_planted_run(real, 1.0, 20, None, seed) for seed in range(max(10, runs // 2))]
    measured["setup_100_at_20"] = _share(certain)
    return measured


def _share(found: Sequence[Found]) -> float:
    return float(np.mean([one.is_found for one in found]))


def _planted_run(
    markets: Sequence[Market], share: float, n: int, asset: str | None, seed: int
) -> Found:
    """Let a flaw run until its setup, or the asset in it, has so many votes."""
    chance = chance_of("planted", str(share), str(n), str(asset), str(seed))
    hypothesis = Hypothesis(SETUPS[int(chance.integers(6))], SIDES[int(chance.integers(2))])
    bars = len(markets[0].moves) - 1
    # As many bars as the rarest setup may need, from any start that leaves them.
    start = FIRST + int(chance.integers(0, max(1, bars - FIRST - 25 * n)))
    record = FamilyRecord()
    is_found = is_other = False
    flaw = Flaw(hypothesis, share, asset)
    for place, votes in enumerate(
        decide(markets, np.arange(start, bars), "random", chance, [flaw])
    ):
        for vote in votes:
            record.add(vote)
        if place % 5 == 0:
            record.close(start + place)
            found = record.pattern(hypothesis)
            if found.state == "confirmed":
                others = [one.name for one in markets if one.name != asset]
                is_other = is_other or any(found.is_in_scope(one) for one in others)
                is_found = is_found or (
                    found.is_in_scope(asset) if asset else bool(found.scope.assets) or is_other
                )
            own = found.asset_evidence.get(asset or "")
            if (own.n_eff if own else 0 if asset else found.n_eff) >= n:
                break
    return Found(is_found, is_other and asset is not None)


# -- effects that are lost


class Ending(NamedTuple):
    """How a confirmed effect ended.

    Args:
        is_retired_true: whether it was retired while it held.
        after: stretches from its loss until it was retired; None if it never was.
    """

    is_retired_true: bool
    after: int | None


def lost(folder: Path, runs: int) -> dict[str, float]:
    """Count lost effects that are retired within some stretches, and true ones that are."""
    together = aligned([series(folder, name) for name in US])
    real = [market(one) for one in together]
    count = max(10, 3 * runs)
    true = [one for seed in range(count) if (one := _held_run(real, 0.3, 120, 0, seed))]
    ends = [one for seed in range(count) if (one := _held_run(real, 0.3, 60, 150, seed))]
    watched = [one.after for one in ends if not one.is_retired_true]
    measured = {"true_retired_in_120": float(np.mean([one.is_retired_true for one in true]))}
    for within in (30, 60, 100, 150):
        found = [after is not None and after <= within for after in watched]
        measured[f"lost_retired_in_{within}"] = float(np.mean(found))
    note(f"{len(true)} effects held, {len(watched)} lost: {measured}")
    return measured


def _held_run(
    markets: Sequence[Market], share: float, hold: int, lose: int, seed: int
) -> Ending | None:
    """Hold an effect for some stretches after it was confirmed, then lose it for some.

    Returns:
        None if it was never confirmed, or the prices ended before.
    """
    chance = chance_of("lost", str(share), str(hold), str(seed))
    setup = SETUPS[int(chance.integers(6))]
    hypothesis = Hypothesis(setup, SIDES[int(chance.integers(2))])
    number = HYPOTHESES.index(hypothesis)
    bars = len(markets[0].moves) - 1
    at = np.arange(FIRST + int(chance.integers(0, 300)), bars)
    state = chance.bit_generator.state
    with_flaw = decide(markets, at, "random", chance, [Flaw(hypothesis, share)])
    again = np.random.default_rng()
    again.bit_generator.state = state
    without = decide(markets, at, "random", again, [Flaw(hypothesis, 0.0)])
    record = FamilyRecord()
    confirmed_at = lost_at = -1
    for bar, turned, plain in zip(at.tolist(), with_flaw, without, strict=True):
        for vote in plain if lost_at >= 0 else turned:
            record.add(vote)
        record.close(bar)
        is_retired = record.states()[number] != "confirmed"
        n_eff = record.record(setup).n_eff
        if confirmed_at < 0:
            confirmed_at = -1 if is_retired else n_eff
        elif lost_at < 0:
            if is_retired:
                return Ending(True, None)
            if n_eff >= confirmed_at + hold:
                if not lose:
                    return Ending(False, None)
                lost_at = n_eff
        elif is_retired:
            return Ending(False, n_eff - lost_at)
        elif n_eff >= lost_at + lose:
            return Ending(False, None)
    return None
