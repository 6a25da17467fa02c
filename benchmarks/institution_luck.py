"""Whether luck gets a methodology into prompts where runs of desks cite it beside others.

Desks on real prices run once a week for two years. A run decides by a coin, and its roles cite the
methodologies of their desk that point its way, each most of the time. So methodologies share their
outcomes, which chance in the other worlds of `methodologies` does not let them. A vote, a stretch,
and what promises or graduates are those of the shipped rules; half of what a run cites is cited by
a decision of a role on the same stretch too, which must change nothing.
"""

from pathlib import Path
from typing import Final

import numpy as np

from afterword.pipeline.rules.evidence.graduation import FDR
from afterword.pipeline.rules.evidence.method_record import MethodStretch
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.evidence_worlds import SEED, chance_of
from benchmarks.methodologies import EDGE, WEEK, Panel, panel_of
from benchmarks.methodology_worlds import Windows, spans, stretches, worlds

METHODS: Final = 200
"""Methodologies that are tried together."""

SKILLED: Final = 10
"""Of these, those with an edge, in the panels that ask what share of the graduates is false."""

OF_A_DESK: Final = 10
"""Methodologies of one desk: its five roles cite two each."""

CITED: Final = 0.8
"""How often a role cites a methodology that points the way of the run."""

AGAIN: Final = 0.5
"""How often a decision of a role on the same stretch cites it too."""

YEARS_RUN: Final = 2


def ask(path: Path, runs: int) -> Answer:
    """Run panels of methodologies without skill, and panels of which some have an edge."""
    fitting = [one for one in worlds(path / "ohlcv", WEEK, False) if spans(one, YEARS_RUN)]
    calm = [desk_panel(fitting, 0, number) for number in range(runs)]
    mixed = [desk_panel(fitting, SKILLED, number) for number in range(runs, 2 * runs)]
    promising = [panel.alone / METHODS for panel in calm]
    shares = [panel.false / max(1, panel.false + panel.true) for panel in mixed]
    power = sum(panel.true for panel in mixed) / sum(panel.skilled for panel in mixed)
    alone = [panel.alone / max(1, panel.alone + panel.alone_true) for panel in mixed]
    note(
        f"promising without skill {np.mean(promising):.2%} (worst panel {max(promising):.1%}),"
        f" graduated without skill {np.mean([one.false / METHODS for one in calm]):.3%}"
    )
    note(
        f"false among graduates {np.mean(shares):.1%} ± {np.std(shares) / runs**0.5:.1%}, among"
        f" promising {np.mean(alone):.1%}; graduates found {power:.1%}, {runs} panels each"
    )
    measured = {
        "promising_without_skill": float(np.mean(promising)),
        "graduated_without_skill": float(np.mean([one.false / METHODS for one in calm])),
        "false_among_graduates": float(np.mean(shares)),
        "found": float(power),
    }
    targets = {
        "promising_without_skill": Target(at_most=0.05),
        "false_among_graduates": Target(at_most=0.25),
    }
    return Answer(
        "institution_luck",
        measured,
        targets,
        sizes={"runs": runs, "methods": METHODS, "seed": SEED},
    )


def desk_panel(fitting: list[Windows], skilled: int, number: int) -> Panel:
    """Run the desks of one panel for two years."""
    chance = chance_of("institution", str(skilled), str(number))
    weeks: list[dict[int, MethodStretch]] = []
    # Spread over the desks: else the methodologies with an edge would all share their runs.
    has_edge = chance.permutation(np.arange(METHODS) < skilled)
    for desk in range(METHODS // OF_A_DESK):
        one = fitting[int(chance.integers(len(fitting)))]
        every = spans(one, YEARS_RUN)
        span = every[int(chance.integers(len(every)))]
        at = np.arange(span.start + int(chance.integers(WEEK)), span.stop, WEEK)
        way = chance.choice([-1, 1], len(at))
        for place in range(OF_A_DESK):
            method = desk * OF_A_DESK + place
            side = 1 if place % 2 else -1
            cites = (way == side) & (chance.random(len(at)) < CITED)
            again = cites & (chance.random(len(at)) < AGAIN)
            closes = np.sort(np.concatenate([at[cites], at[again]]))
            made = np.stack([closes, np.full(len(closes), side)]).astype(np.float64)
            edge = EDGE if has_edge[method] else 0.0
            weeks.append(
                {
                    (found.exit_at - span.start) // WEEK: found
                    for found in stretches(one, made, edge, chance)
                }
            )
    order = np.argsort(~has_edge, kind="stable")
    return panel_of([weeks[int(method)] for method in order], skilled, YEARS_RUN, FDR)


if __name__ == "__main__":
    answers(
        ask,
        path=(Path, Path("data"), "folder of real data with `ohlcv/`"),
        runs=(int, 40, "panels of each kind"),
    )
