"""Is graduation worth following: decisions under four gates, paired with those left out.

Both sides of a pair are decided on one bar, before any of their outcomes is known. So whatever
happens to all decisions of that bar cancels, and if graduation carries no information, if the
decisions on a bar are equally good whether let through or not, the difference has a mean of 0,
given all that was known. Three rules keep that exact (decision record 0035 tells what went wrong
without them):

- *A stretch opens on the first bar, after the last stretch ended, on which both sides decide.*
  Whether one opens is known on the bar; a later decision never joins, since who joins depends on
  the prices in between. Bars of one side alone take no time away from the others.
- *Every decision has the same weight, and one inside the noise band counts 0.* Dividing by those
  beyond the band would weigh falls and rises differently: in a fall more assets leave the band.
- *How large the difference can be is computed from the base rates*, which are known at the entry.

The other side is the decisions that a gate leaves out, not all. Those let through are a part of
all, so the difference to all is that to the rest, times the share of the rest: of the same sign in
every stretch, with the same e-value, but smaller the more a gate lets through. The difference to
all is told beside it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from math import fsum
from operator import itemgetter
from typing import Final, Literal, NamedTuple, get_args

from afterword.pipeline.rules.evidence.joining import stretches_of
from afterword.pipeline.rules.evidence.paired import (
    PairedStretch,
    PairedVerdict,
    paired_verdict,
)
from afterword.pipeline.rules.evidence.stretches import NEVER_US

DecisionGate = Literal["all", "graduated", "random", "flipped"]

GATES: Final[tuple[DecisionGate, ...]] = get_args(DecisionGate)

PRIMARY_GATE: Final[DecisionGate] = "graduated"
PRIMARY_GATE_FIGURE: Final = (
    "Hits above the base rate a decision (one inside the noise band counts 0): decisions that cite "
    "a method graduated by then, minus the other decisions on the same bar; one difference for "
    "each stretch, and stretches do not overlap."
)
"""The figure of the verdict on graduation, fixed before a replay begins."""

_DRAWS: Final = 1 << 64


class GatedDecision(NamedTuple):
    """A decision that cites a method, with its outcome.

    Args:
        key: its name; unique.
        entry_at: close of the entry bar; microseconds UTC.
        exit_at: close of the exit bar; microseconds UTC, after `entry_at`.
        asset: key of its market.
        is_hit: whether it was right; None inside the noise band.
        base: chance of a right call of this direction without skill, as known at the entry.
        is_graduated: whether a method that it cites was graduated when it was made.
    """

    key: str
    entry_at: int
    exit_at: int
    asset: str
    is_hit: bool | None
    base: float
    is_graduated: bool


class ArmDecision(NamedTuple):
    """What one arm with a model decided when it was asked.

    Args:
        key: name of the question; both arms are asked the same ones.
        sample: number of the answer, where one is asked several times.
        entry_at: see `GatedDecision`, also of the others.
    """

    key: str
    sample: int
    entry_at: int
    exit_at: int
    asset: str
    is_hit: bool | None
    base: float


class GateRecord(NamedTuple):
    """What a gate let through, and whether it was better than what it left out.

    Args:
        kept: decisions let through; count.
        voted: of these, beyond the noise band; count. Many share prices, so they have no interval.
        hits: of these, right; count.
        expected: hits without skill: the sum of the base rates of those that voted.
        against_rest: the verdict; None of `all`, which leaves nothing out.
        above_all: mean difference to all decisions over the same stretches; None of `all`, and
            without a stretch.
    """

    kept: int
    voted: int
    hits: int
    expected: float
    against_rest: PairedVerdict | None
    above_all: float | None


def gate_records(
    decisions: Iterable[GatedDecision], seed: int, until: int = NEVER_US
) -> Mapping[DecisionGate, GateRecord]:
    """Weigh the same decisions under each gate.

    Args:
        decisions: all that cite a method, in any order; a repeated one counts once.
        seed: of the random gate.
        until: only stretches that have ended by then count, because a later one still waits for
            outcomes; microseconds.

    Raises:
        ValueError: one key has two decisions, an exit is not after its entry, or a base rate lies
            outside [0, 1].
    """
    checked = _checked(decisions)
    return {gate: _record(checked, gate, seed, until) for gate in GATES}


def let_through(
    decisions: Iterable[GatedDecision], gate: DecisionGate, seed: int
) -> frozenset[str]:
    """Return the keys of the decisions that a gate lets through; see `gate_records`."""
    return _kept(_checked(decisions), gate, seed)


def gated_pairs(
    decisions: Iterable[GatedDecision],
    gate: DecisionGate,
    seed: int,
    until: int = NEVER_US,
    against: Literal["rest", "all"] = "rest",
) -> tuple[PairedStretch, ...]:
    """Pair what a gate lets through with what it leaves out, or with all; see `gate_records`."""
    checked = _checked(decisions)
    return _pairs(checked, _kept(checked, gate, seed), until, is_to_all=against == "all")


def keyed_pairs(
    first: Iterable[ArmDecision], second: Iterable[ArmDecision], until: int = NEVER_US
) -> tuple[PairedStretch, ...]:
    """Pair the decisions of two arms that were asked the same questions.

    Only questions that both arms decided count. The answers to one question are averaged, then the
    questions of one bar.

    Args:
        first: decisions of the arm `a`, such as the one with memory; in any order.
        second: those of `b`.
        until: see `gate_records`.

    Raises:
        ValueError: as of `gate_records`, or the answers to one question enter at different moments.
    """
    own, other = _by_key(first), _by_key(second)
    bars: defaultdict[int, _Bar] = defaultdict(_Bar)
    for key in sorted(own.keys() & other.keys()):
        both = [*own[key], *other[key]]
        if len({one.entry_at for one in both}) > 1:
            raise ValueError(f"all answers to {key} must enter at one moment")
        bar = bars[both[0].entry_at]
        bar.ends = max(bar.ends, *(one.exit_at for one in both))
        bar.a.append(_averaged(own[key]))
        bar.b.append(_averaged(other[key]))
    return _stretches(bars, until)


class _Score(NamedTuple):
    """What a decision was worth, hit - base, and its base rate."""

    worth: float
    base: float


class _Bar:
    """What two arms decided on one bar.

    Attributes:
        ends: last exit of any of them; microseconds.
    """

    __slots__ = ("a", "b", "ends")

    def __init__(self) -> None:
        self.ends = 0
        self.a: list[_Score] = []
        self.b: list[_Score] = []


def _record(
    decisions: Sequence[GatedDecision], gate: DecisionGate, seed: int, until: int
) -> GateRecord:
    keys = _kept(decisions, gate, seed)
    through = [one for one in decisions if one.key in keys]
    voted = [one for one in through if one.is_hit is not None]
    against_rest = above_all = None
    if gate != "all":
        against_rest = paired_verdict(_pairs(decisions, keys, until))
        to_all = [one.a - one.b for one in _pairs(decisions, keys, until, is_to_all=True)]
        above_all = fsum(to_all) / len(to_all) if to_all else None
    return GateRecord(
        kept=len(through),
        voted=len(voted),
        hits=sum(bool(one.is_hit) for one in voted),
        expected=fsum(one.base for one in voted),
        against_rest=against_rest,
        above_all=above_all,
    )


def _pairs(
    decisions: Sequence[GatedDecision], keys: frozenset[str], until: int, *, is_to_all: bool = False
) -> tuple[PairedStretch, ...]:
    bars: defaultdict[int, _Bar] = defaultdict(_Bar)
    for decision in decisions:
        bar = bars[decision.entry_at]
        bar.ends = max(bar.ends, decision.exit_at)
        (bar.a if decision.key in keys else bar.b).append(_score(decision))
    return _stretches(bars, until, is_to_all=is_to_all)


def _kept(decisions: Sequence[GatedDecision], gate: DecisionGate, seed: int) -> frozenset[str]:
    """Return the keys of the decisions that a gate lets through."""
    if gate == "all":
        return frozenset(one.key for one in decisions)
    graduated = frozenset(one.key for one in decisions if one.is_graduated)
    if gate == "graduated":
        return graduated
    if gate == "flipped":
        return frozenset(one.key for one in decisions) - graduated
    # Drawn for each key by itself, so that neither order nor other decisions matter.
    limit = len(graduated) * _DRAWS
    return frozenset(one.key for one in decisions if _draw(seed, one.key) * len(decisions) < limit)


def _draw(seed: int, key: str) -> int:
    """Return a whole number below 2^64, the same one for a key in each run."""
    return int.from_bytes(blake2b(f"{seed}:{key}".encode(), digest_size=8).digest())


def _stretches(
    bars: Mapping[int, _Bar], until: int, *, is_to_all: bool = False
) -> tuple[PairedStretch, ...]:
    """Return the stretches that open on bars where both arms decide."""
    stretches: list[PairedStretch] = []
    of_both = [
        (entry_at, bar.ends, bar) for entry_at, bar in sorted(bars.items()) if bar.a and bar.b
    ]
    for stretch in stretches_of(of_both, itemgetter(0, 1)):
        ((entry_at, ends, bar),) = stretch.first
        if ends <= until:
            a, b = _averages(bar.a), _averages(bar.b)
            # The most that one arm can gain and the other lose, in either direction.
            bound = max(1 - a.base + b.base, 1 - b.base + a.base)
            worth = b.worth
            if is_to_all:
                rest = len(bar.b) / (len(bar.a) + len(bar.b))
                worth, bound = a.worth - rest * (a.worth - b.worth), rest * bound
            stretches.append(PairedStretch(entry_at, ends, a.worth, worth, bound))
    return tuple(stretches)


def _score(decision: GatedDecision | ArmDecision) -> _Score:
    return _Score(
        0.0 if decision.is_hit is None else decision.is_hit - decision.base, decision.base
    )


def _averages(scores: Sequence[_Score]) -> _Score:
    n = len(scores)
    return _Score(fsum(one.worth for one in scores) / n, fsum(one.base for one in scores) / n)


def _averaged(answers: Sequence[ArmDecision]) -> _Score:
    return _averages([_score(one) for one in answers])


def _checked(decisions: Iterable[GatedDecision]) -> list[GatedDecision]:
    by_key: dict[str, GatedDecision] = {}
    for decision in decisions:
        if by_key.setdefault(decision.key, decision) != decision:
            raise ValueError(f"two decisions have the key {decision.key}")
        _check(decision)
    return [by_key[key] for key in sorted(by_key)]


def _by_key(decisions: Iterable[ArmDecision]) -> dict[str, list[ArmDecision]]:
    answers: dict[tuple[str, int], ArmDecision] = {}
    for answer in decisions:
        if answers.setdefault((answer.key, answer.sample), answer) != answer:
            raise ValueError(f"sample {answer.sample} of {answer.key} has two decisions")
        _check(answer)
    by_key: defaultdict[str, list[ArmDecision]] = defaultdict(list)
    for name in sorted(answers):
        by_key[name[0]].append(answers[name])
    return by_key


def _check(decision: GatedDecision | ArmDecision) -> None:
    if decision.exit_at <= decision.entry_at:
        raise ValueError(f"the exit of {decision.key} on {decision.asset} must be after its entry")
    if not 0 <= decision.base <= 1:
        raise ValueError(f"the base rate of {decision.key} must lie in 0..1, got {decision.base}")
