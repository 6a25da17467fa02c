"""The record of one methodology: its votes, one for each stretch of its own horizon.

A stretch opens with the decisions that enter first, on one bar; those vote. It takes in every later
one that enters before the exit of the longest of these, and the next one opens a new stretch. So
votes never overlap in time, whatever the assets: each bet is made when all earlier ones are
decided (decision record 0035). Saturday's and Sunday's decision of a market that is closed share
their bars, and so their stretch.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from afterword.pipeline.rules.evidence.bets import Wager, gain, reverse_factor
from afterword.pipeline.rules.evidence.joining import stretches_of
from afterword.pipeline.rules.evidence.model import HitCount
from afterword.pipeline.rules.evidence.rates import clipped_base, wilson_interval

SIDE: Final = "works"
"""A methodology is tested for one thing: that decisions which apply it are right more often."""


class MethodVote(NamedTuple):
    """What became of one decision that applied a methodology, at the methodology's own horizon.

    A decision that still waits for its outcome belongs into the sequence too, with the moment when
    it is due as `exit_at`: its stretch is taken, and votes nothing yet.

    Args:
        entry_at: close of the entry bar; microseconds UTC.
        exit_at: close of the exit bar; microseconds UTC, after `entry_at`.
        asset: key of its market.
        is_hit: whether it was right; None inside the noise band, and while it waits.
        base: chance of a right call of this direction without skill, as known at the entry and
            shrunk to one half.
    """

    entry_at: int
    exit_at: int
    asset: str
    is_hit: bool | None
    base: float


class MethodStretch(NamedTuple):
    """One closed stretch.

    Args:
        n: decisions in it; count.
        gain: what a bet of 1 wins on it: the mean over the assets that vote; 0 if none does.
        voted: assets that vote; count, 0 if all stayed inside the band or wait.
        hits: of these, the share that was right; 0 if none votes.
        expected: their mean base rate; 0 if none votes.
        reverse: what it multiplies the bet by that the effect is lost.
    """

    entry_at: int
    exit_at: int
    n: int
    gain: float
    voted: int
    hits: float
    expected: float
    reverse: float


@dataclass(frozen=True, slots=True)
class MethodRecord:
    """How a methodology did since its evidence began; only stretches count.

    Args:
        n: decisions that applied it; count.
        n_eff: stretches that voted: its effective uses; count.
        spent: stretches that did not: inside the band, or still waiting; count.
        hits: stretches that were right; several assets in one stretch count as fractions.
        expected: hits without skill: the sum of the base rates.
        evidence: e-value of "decisions that apply it are right more often than without skill".
        until: the record until it was graduated; of one that is not, the whole record.
        since: the record since; out of sample by construction.
        reverse: the bet since graduation that no edge is left, restarted whenever it falls below 1.
        first_at: entry of the first stretch; microseconds, None without one.
        last_at: exit of the last one.
    """

    n: int
    n_eff: int
    spent: int
    hits: float
    expected: float
    evidence: float
    until: HitCount
    since: HitCount
    reverse: float
    first_at: int | None
    last_at: int | None

    @property
    def base(self) -> float:
        """The mean base rate; one half without votes."""
        return self.expected / self.n_eff if self.n_eff else 0.5

    @property
    def lower(self) -> float:
        """The lower end of the 95 % interval of its share of hits, by Wilson."""
        return wilson_interval(self.hits, self.n_eff)[0]


def method_stretches(votes: Iterable[MethodVote]) -> Iterator[MethodStretch]:
    """Sort votes into stretches.

    Args:
        votes: in any order; equal sets give equal stretches.

    Raises:
        ValueError: an exit is not after its entry.
    """
    for stretch in stretches_of(_checked(votes)):
        yield stretch_of(stretch.first, stretch.n, stretch.ends_at)


class MethodTally:
    """The record of a methodology that goes on with every stretch."""

    __slots__ = (
        *("expected", "first_at", "graduated_at", "hits", "last_at", "n", "n_eff", "reverse"),
        *("since", "spent", "until", "wager"),
    )

    def __init__(self, graduated_at: int | None = None) -> None:
        """Begin without stretches.

        Args:
            graduated_at: when it was graduated; the reverse bet runs over the stretches that
                entered from then on. It may be set later.
        """
        self.graduated_at = graduated_at
        self.n = self.n_eff = self.spent = 0
        self.hits = self.expected = 0.0
        self.until = self.since = HitCount(0, 0.0, 0.0)
        self.reverse = 1.0
        self.wager = Wager()
        self.first_at: int | None = None
        self.last_at: int | None = None

    def add(self, stretch: MethodStretch) -> None:
        """Count a stretch, which entered after all earlier ones had ended."""
        self.n += stretch.n
        if self.first_at is None:
            self.first_at = stretch.entry_at
        self.last_at = stretch.exit_at
        if not stretch.voted:
            self.spent += 1
            return
        self.n_eff += 1
        self.hits += stretch.hits
        self.expected += stretch.expected
        self.wager.add(stretch.gain)
        if self.graduated_at is None or stretch.entry_at < self.graduated_at:
            self.until = _with(self.until, stretch)
        else:
            self.since = _with(self.since, stretch)
            self.reverse = max(self.reverse, 1.0) * stretch.reverse

    def copy(self) -> "MethodTally":
        """Return another one that goes on from here."""
        copied = MethodTally(self.graduated_at)
        for name in MethodTally.__slots__:
            setattr(copied, name, getattr(self, name))
        copied.wager = self.wager.copy()
        return copied

    def record(self) -> MethodRecord:
        """Return the record as it is now."""
        return MethodRecord(
            n=self.n,
            n_eff=self.n_eff,
            spent=self.spent,
            hits=self.hits,
            expected=self.expected,
            evidence=self.wager.value,
            until=self.until,
            since=self.since,
            reverse=self.reverse,
            first_at=self.first_at,
            last_at=self.last_at,
        )


def method_record(
    votes: Iterable[MethodVote], *, evidence_from: int = 0, graduated_at: int | None = None
) -> MethodRecord:
    """Weigh the votes of a methodology.

    Args:
        votes: in any order.
        evidence_from: stretches that entered before this moment count no longer, because it was
            demoted then; microseconds.
        graduated_at: see `MethodTally`.
    """
    tally = MethodTally(graduated_at)
    for stretch in method_stretches(votes):
        if stretch.entry_at >= evidence_from:
            tally.add(stretch)
    return tally.record()


def stretch_of(first: Sequence[MethodVote], n: int, ends: int) -> MethodStretch:
    """Return the stretch of the decisions on its first bar; each asset votes once.

    Args:
        first: these, in the order of `vote_order`.
        n: decisions in the stretch; count.
        ends: the last exit of these; microseconds.
    """
    assets: dict[str, MethodVote] = {}
    for vote in first:
        if vote.is_hit is not None:
            assets.setdefault(vote.asset, vote)
    voting = [(bool(one.is_hit), clipped_base(one.base)) for one in assets.values()]
    if not voting:
        return MethodStretch(first[0].entry_at, ends, n, 0.0, 0, 0.0, 0.0, 1.0)
    count = len(voting)
    return MethodStretch(
        first[0].entry_at,
        ends,
        n,
        sum(gain(SIDE, is_hit, base) for is_hit, base in voting) / count,
        count,
        sum(is_hit for is_hit, _ in voting) / count,
        sum(base for _, base in voting) / count,
        sum(reverse_factor(SIDE, is_hit, base) for is_hit, base in voting) / count,
    )


def vote_order(vote: MethodVote) -> tuple[int, str, int, bool, bool, float]:
    """Return the place of a vote among others.

    Of two decisions on one asset and bar, one that has its outcome comes first. The rest makes the
    order complete: equal sets have equal stretches.
    """
    waits, missed = vote.is_hit is None, not vote.is_hit
    return vote.entry_at, vote.asset, vote.exit_at, waits, missed, vote.base


def _checked(votes: Iterable[MethodVote]) -> Iterator[MethodVote]:
    for vote in sorted(votes, key=vote_order):
        if vote.exit_at <= vote.entry_at:
            raise ValueError(f"the exit of a vote on {vote.asset} must be after its entry")
        yield vote


def _with(count: HitCount, stretch: MethodStretch) -> HitCount:
    return HitCount(count.n_eff + 1, count.hits + stretch.hits, count.expected + stretch.expected)
