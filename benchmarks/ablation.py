"""Whether the ablation is fooled by a gate that knows nothing, and how soon it sees one that does.

Methods without skill on made prices: five correlated assets, regimes of drift and of volatility,
one to a dozen decisions a bar, a gate that switches on late. The verdicts are those of the shipped
rules.
"""

from collections.abc import Iterator, Sequence
from statistics import fmean, median
from typing import Final

from afterword.pipeline.rules.evidence.bets import Wager
from afterword.pipeline.rules.evidence.gated import PRIMARY_GATE, gated_pairs
from afterword.pipeline.rules.evidence.paired import TOLD_AT, PairedStretch, paired_verdict
from benchmarks.ablation_worlds import DRIFT, SHAMS, Sham, decisions, gate, world
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.evidence_worlds import SEED, chance_of

FALSE: Final = 0.05
"""Share of sham runs that may ever help."""

STRETCHES: Final = 150
"""Stretches of a sham run, about."""

SIZES: Final = (50, 100, 200, 400)
"""Stretches at which a planted gate is looked for."""

EDGE: Final = 0.3
"""Share of the misses of a planted gate that are turned into hits."""

BARS_PER_PAIR: Final = 7
"""Bars that give a stretch with both arms, about: some wait for a bar on which both decide."""

DRIFTS: Final = {"regimes": DRIFT, "twin": DRIFT, "trends": 3 * DRIFT}
"""Drift of the worlds. Trends are a stress: half a deviation each bar for three months."""

NOTHING_KNOWN: Final = (
    *("regimes_drawn", "regimes_methods", "trends_drawn"),
    *("twin_drawn", "twin_methods", "twin_luck"),
)
"""Worlds and gates without information. A gate that follows lucky methods while a regime lasts has
some: in `regimes` and `trends` it knows the direction of the drift."""


def is_ever_told(found: Sequence[PairedStretch]) -> bool:
    """Say whether `helps` was the verdict at any look, one after each stretch."""
    wager = Wager()
    for one in found:
        wager.add((one.a - one.b) / one.bound)
        if wager.value >= TOLD_AT:
            return True
    return False


def shams(runs: int) -> dict[str, float]:
    """Count the runs in which a gate without an edge helps: at any look, and at the end."""
    measured: dict[str, float] = {}
    for name, drift in DRIFTS.items():
        found = [(sham, pairs) for run in range(runs) for sham, pairs in _sham(name, drift, run)]
        for sham in SHAMS:
            mine = [pairs for one, pairs in found if one == sham]
            ever = sum(map(is_ever_told, mine))
            last = sum(paired_verdict(pairs).verdict == "helps" for pairs in mine)
            measured[f"{name}_{sham}_ever"] = ever / runs
            measured[f"{name}_{sham}_end"] = last / runs
            length = sum(map(len, mine)) / runs
            note(f"{name}, {sham}: {ever} ever, {last} last, of {runs} ({length:.0f} pairs)")
    return measured


def planted(runs: int) -> dict[str, float]:
    """Count the runs in which a gate with an edge is found, by the number of stretches."""
    measured: dict[str, float] = {}
    for sham in ("drawn", "methods"):
        found = [_planted(sham, run) for run in range(runs)]
        for size in SIZES:
            verdicts = [paired_verdict(pairs[:size]) for pairs in found]
            told = sum(one.verdict == "helps" for one in verdicts)
            measured[f"planted_{sham}_{size}"] = told / runs
            mean = fmean(one.mean for one in verdicts)
            needed = [one.needed for one in verdicts if one.needed]
            note(
                f"planted, {sham}, {size}: {told} of {runs}, mean difference {mean:.3f}, "
                f"needed {median(needed) if needed else 0:.0f} more"
            )
    return measured


def ask(runs: int) -> Answer:
    """Measure both, and hold them to the promises."""
    measured = shams(runs)
    measured |= planted(max(20, runs // 2))
    targets = {f"{name}_ever": Target(at_most=FALSE) for name in NOTHING_KNOWN}
    targets |= {"planted_drawn_400": Target(at_least=0.8)}
    return Answer("ablation", measured, targets, sizes={"runs": runs, "seed": SEED})


def _sham(name: str, drift: float, run: int) -> Iterator[tuple[Sham, Sequence[PairedStretch]]]:
    chance = chance_of("ablation", name, str(run))
    made = world(STRETCHES * BARS_PER_PAIR, chance, is_twin=name == "twin", drift=drift)
    for sham in SHAMS:
        known = decisions(made, gate(made, sham, chance), 0.0, chance)
        yield sham, gated_pairs(known, PRIMARY_GATE, run)


def _planted(sham: Sham, run: int) -> Sequence[PairedStretch]:
    chance = chance_of("planted", sham, str(run))
    # A third more, because the gate switches on late.
    made = world(max(SIZES) * BARS_PER_PAIR * 4 // 3, chance, is_twin=True)
    known = decisions(made, gate(made, sham, chance), EDGE, chance)
    return gated_pairs(known, PRIMARY_GATE, run)


if __name__ == "__main__":
    answers(ask, runs=(int, 100, "sham runs of each world; half as many with a planted gate"))
