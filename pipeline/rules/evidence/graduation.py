"""When a methodology may enter prompts, and when it must leave them: both gates.

The strict gate has two levels. *Promising* is the verdict on one methodology by itself. *Graduated*
is a promising one that e-BH selects among all that were ever tried: of 200 without skill, a gate
for each by itself lets some 5 through, as many as there are true ones (measured: 40-45 % of those
it lets through are luck).

The literal gate is the rule of the requirements (R5, R1): every window is a use, chance is one
half. On real prices it lets 39-62 % of methodologies without skill through.
"""

from collections.abc import Collection, Mapping
from math import ceil
from typing import Final, NamedTuple

from afterword.pipeline.rules.evidence.bets import e_bh_bar
from afterword.pipeline.rules.evidence.method_record import SIDE, MethodRecord
from afterword.pipeline.rules.evidence.needed import FEWEST_CONFIRMED, stretches_needed
from afterword.pipeline.rules.evidence.rates import shrunk_rate, wilson_interval

PROMISING_AT: Final = 20.0
"""The e-value of a promising methodology: without skill it is ever reached with a chance of at most
1 in 20, however often one looks."""

MARGIN: Final = 0.05
"""How far the lower bound of a promising methodology lies above its base rate."""

FDR: Final = 0.2
"""Default share of the graduated that may be luck, on average."""

LOST_AT: Final = 20.0
"""The reverse bet that demotes a graduated methodology."""

DEMOTED_BELOW: Final = 0.40
DEMOTED_USES: Final = 20
"""R1's rule: a lower bound below 0.40 after 20 uses demotes, in both gates."""

INJECTION_THRESHOLD: Final = 0.55
MIN_USES: Final = 10
"""The literal gate: the confidence and the uses of a graduated methodology (R5)."""

MOST_NEEDED: Final = 2_000
"""More stretches than this are not told: nobody waits for them."""


class ExpectedFalse(NamedTuple):
    """How many methodologies are expected to be there by luck.

    Args:
        with_choice: of those that the gate graduated, at most; the level times their number.
        without: of all tried, those that a gate for each by itself would let through at some time,
            at most: one in 20.
    """

    with_choice: float
    without: float


def is_promising(record: MethodRecord) -> bool:
    """Say whether a record by itself is told apart from luck."""
    return (
        record.n_eff >= FEWEST_CONFIRMED
        and record.evidence >= PROMISING_AT
        and record.lower >= record.base + MARGIN
    )


def graduating(
    tried: Mapping[int, float], promising: Collection[int], level: float = FDR
) -> frozenset[int]:
    """Return the promising methodologies that may enter prompts.

    Args:
        tried: current e-value of every methodology that ever cast a vote, by id: also merged,
            deleted and demoted ones, so that deleting failures buys nothing; no placebos.
        promising: ids of the promising ones.
        level: share of the graduated that may be luck; 1 switches the choice among many off.

    Raises:
        ValueError: the level is not in (0, 1].

    Source: R. Wang, A. Ramdas, False discovery rate control with e-values, JRSS B 84 (2022),
    822-852. A hypothesis may be selected later than it came: L. Fischer, Z. Xu, A. Ramdas, An
    online generalization of the (e-)Benjamini-Hochberg procedure (2024), arXiv 2407.20683.
    """
    if not 0 < level <= 1:
        raise ValueError(f"level must lie in (0, 1], got {level}")
    if level == 1:
        return frozenset(promising)
    bar = e_bh_bar(list(tried.values()), level)
    return frozenset(one for one in promising if tried[one] >= bar)


def graduation_bar(tried: Collection[float], level: float = FDR) -> float:
    """Return the e-value at which one more methodology would be graduated now.

    With k already selected it is n / (level * (k + 1)), and never below that of a promising one.
    """
    if level == 1 or not tried:
        return PROMISING_AT
    ordered = sorted(tried, reverse=True)
    for k in range(len(ordered), 0, -1):
        needed = len(ordered) / (level * k)
        # The k-th place is to be taken by the methodology that asks: k - 1 others are above.
        if k == 1 or ordered[k - 2] >= needed:
            return max(PROMISING_AT, needed)
    return PROMISING_AT


def selected(tried: Collection[float], level: float = FDR) -> int:
    """Return how many methodologies e-BH selects, also those that are deleted or not shown."""
    bar = e_bh_bar(list(tried), level)
    return sum(one >= bar for one in tried)


def expected_false(
    tried: int, graduated: int, among: int | None = None, level: float = FDR
) -> ExpectedFalse:
    """Return how many are expected to be there by luck, with the choice among many and without.

    Args:
        tried: methodologies that ever cast a vote; count.
        graduated: of these, those in prompts now; count.
        among: those that were selected together with them: the level is a share of all of these,
            and all the false ones may be among those in prompts. At least `graduated`.
        level: the loosest one that any of them was graduated with.
    """
    alone = tried / PROMISING_AT
    chosen = level * max(graduated, among or 0)
    # A graduate is promising too, so both bounds hold.
    return ExpectedFalse(min(alone, chosen, graduated), alone)


def is_demoted(record: MethodRecord) -> bool:
    """Say whether a graduated methodology must leave prompts, by the strict gate."""
    too_low = record.n_eff >= DEMOTED_USES and record.lower < DEMOTED_BELOW
    return too_low or record.reverse >= LOST_AT


def literal_confidence(correct: int, used: int) -> float:
    """Return the confidence of R5: the Wilson lower bound of the share of correct uses."""
    return wilson_interval(correct, used)[0]


def is_literally_graduated(correct: int, used: int) -> bool:
    """Say whether the literal gate lets a record through."""
    return used >= MIN_USES and literal_confidence(correct, used) >= INJECTION_THRESHOLD


def is_literally_demoted(correct: int, used: int) -> bool:
    """Say whether the literal gate puts a record back into quarantine."""
    return used >= DEMOTED_USES and literal_confidence(correct, used) < DEMOTED_BELOW


def uses_needed(record: MethodRecord, bar: float) -> int | None:
    """Estimate the further stretches until a verdict, if it goes on at its present rate.

    Args:
        bar: the e-value that graduates it; see `graduation_bar`.

    Returns:
        0 if it is there; None if its rate does not lie above its base, so that none is in sight.
    """
    rate = shrunk_rate(record.hits, record.expected, record.n_eff)
    if rate - record.base <= MARGIN / 10:
        return None
    by_evidence: int | None = 0
    if record.evidence < bar:
        by_evidence = stretches_needed(
            SIDE, record.evidence, record.n_eff, rate, record.base, 1 / bar, 1
        )
    by_interval = _until_bound(record, rate)
    if by_evidence is None or by_interval is None:
        return None
    needed = max(by_evidence, by_interval, FEWEST_CONFIRMED - record.n_eff, 0)
    return needed if needed <= MOST_NEEDED else None


def verdict_at(record: MethodRecord, needed: int, horizon: int) -> int | None:
    """Return when that many further stretches will have ended, at the pace until now.

    Not every stretch votes: those inside the band take their time too.

    Args:
        needed: voting stretches; count.
        horizon: length of a stretch at least; microseconds.

    Returns:
        Microseconds UTC; None before the first stretch.
    """
    if record.first_at is None or record.last_at is None:
        return None
    pace = ceil((record.last_at - record.first_at) / max(record.n_eff, 1))
    return record.last_at + needed * max(pace, horizon)


def _until_bound(record: MethodRecord, rate: float) -> int | None:
    """Return the stretches until the lower bound lies far enough above the base."""
    goal = record.base + MARGIN
    if rate <= goal:
        return None
    low, high = 0, MOST_NEEDED + 1
    while low < high:
        more = (low + high) // 2
        uses = record.n_eff + more
        if uses and wilson_interval(record.hits + rate * more, uses)[0] >= goal:
            high = more
        else:
            low = more + 1
    return low
