"""Counts of one setup and of its assets: decisions, votes, hits, moves and costs."""

from collections.abc import Iterable

from afterword.pipeline.rules.evidence.model import Setup, SetupRecord
from afterword.pipeline.rules.evidence.rates import clipped_base, wilson_interval
from afterword.pipeline.rules.evidence.stretches import Ballot, ClassStretch

CountedVote = tuple[str, bool, float]
"""The vote of one asset in one stretch: the asset, whether it was right, its clipped base rate."""


class VoteCount:
    """Counts of the closed stretches of one asset, or of a setup.

    Attributes:
        n: decisions; count.
        n_eff: stretches that voted; count.
        spent: stretches inside the band; count.
        hits: stretches that were right.
        expected: sum of their base rates.
        residuals: sum of their mean moves beyond the market, in the direction of the decisions.
        measured: stretches with such a move; count.
        cost: sum of the known results; None if none is known.
    """

    __slots__ = ("cost", "expected", "hits", "measured", "n", "n_eff", "residuals", "spent")

    def __init__(self) -> None:
        self.n = self.n_eff = self.spent = self.measured = 0
        self.hits = self.expected = self.residuals = 0.0
        self.cost: int | None = None

    def copy(self) -> "VoteCount":
        """Return equal counts that go on by themselves."""
        made = VoteCount.__new__(VoteCount)
        made.n, made.n_eff, made.spent, made.hits = self.n, self.n_eff, self.spent, self.hits
        made.expected, made.residuals = self.expected, self.residuals
        made.measured, made.cost = self.measured, self.cost
        return made

    @property
    def mean_residual(self) -> float | None:
        """Return the mean move beyond the market, in the direction of the decisions."""
        return self.residuals / self.measured if self.measured else None


class SetupTotals:
    """Adds up the closed stretches of one setup."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.is_long = setup.direction == "long"
        self.whole = VoteCount()
        self.assets: dict[str, VoteCount] = {}
        self.first_at: int | None = None
        self.last_at: int | None = None

    def copy(self) -> "SetupTotals":
        """Return equal totals that go on by themselves."""
        made = SetupTotals(self.setup)
        made.whole = self.whole.copy()
        made.assets = {asset: count.copy() for asset, count in self.assets.items()}
        made.first_at, made.last_at = self.first_at, self.last_at
        return made

    def add(self, group: ClassStretch) -> list[CountedVote]:
        """Count a stretch that closed, and return the votes of its assets, sorted by asset.

        All its decisions are counted; its hits are those of the class only if it votes for that.
        """
        whole = self.whole
        if self.first_at is None or group.entry_at < self.first_at:
            self.first_at = group.entry_at
        if self.last_at is None or group.last_at > self.last_at:
            self.last_at = group.last_at
        if len(group.ballots) > 1:
            # Sums of floats depend on their order; the order of files and rows must not matter.
            group.ballots.sort(key=_by_asset)
        votes: list[CountedVote] = []
        hits = 0
        expected = residuals = 0.0
        measured = 0
        for ballot in group.ballots:
            own = self.assets.get(ballot.asset)
            if own is None:
                own = self.assets[ballot.asset] = VoteCount()
            n = ballot.n
            own.n += n
            whole.n += n
            if ballot.cost is not None:
                own.cost = ballot.cost + (own.cost or 0)
                whole.cost = ballot.cost + (whole.cost or 0)
            voting = ballot.voting
            move = ballot.moves / voting
            if abs(move) <= ballot.bands / voting:
                own.spent += 1
                continue
            is_hit = (move > 0) == self.is_long
            base = ballot.bases / voting
            own.n_eff += 1
            own.hits += is_hit
            own.expected += base
            hits += is_hit
            expected += base
            if ballot.measured:
                residual = ballot.residuals / ballot.measured
                if not self.is_long:
                    residual = -residual
                own.residuals += residual
                own.measured += 1
                residuals += residual
                measured += 1
            votes.append((ballot.asset, is_hit, clipped_base(base)))
        if not group.is_counted:
            return votes
        if votes:
            whole.n_eff += 1
            whole.hits += hits / len(votes)
            whole.expected += expected / len(votes)
            if measured:
                whole.residuals += residuals / measured
                whole.measured += 1
        else:
            whole.spent += 1
        return votes

    def with_open(self, groups: Iterable[ClassStretch]) -> tuple[int, float, float]:
        """Return the counts as if stretches that are open ended now; nothing is added.

        Returns:
            Stretches that voted, of these those that were right, and that sum without skill.
        """
        whole = self.whole
        n_eff, hits, expected = whole.n_eff, whole.hits, whole.expected
        for group in groups:
            if not group.is_counted:
                continue
            votes = []
            for ballot in sorted(group.ballots, key=_by_asset):
                move = ballot.moves / ballot.voting
                if abs(move) > ballot.bands / ballot.voting:
                    votes.append(((move > 0) == self.is_long, ballot.bases / ballot.voting))
            if votes:
                n_eff += 1
                hits += sum(is_hit for is_hit, _ in votes) / len(votes)
                expected += sum(base for _, base in votes) / len(votes)
        return n_eff, hits, expected

    def record(self) -> SetupRecord:
        """Return the counts of the setup."""
        whole = self.whole
        return SetupRecord(
            setup=self.setup,
            n=whole.n,
            n_eff=whole.n_eff,
            spent=whole.spent,
            hits=whole.hits,
            expected=whole.expected,
            interval=wilson_interval(whole.hits, whole.n_eff),
            mean_residual=whole.mean_residual,
            cost_micro_usd=whole.cost,
            first_at=self.first_at,
            last_at=self.last_at,
        )


def _by_asset(ballot: Ballot) -> str:
    return ballot.asset
