"""Stretches: decisions that share a stretch of prices count as one vote, that of the first.

A stretch opens with a decision of one role and asset, takes in every decision that enters before
its exit, and closes when the last of them has its outcome. In one setup, the stretches of several
assets that overlap are one stretch of the class, by the same rule.
"""

from typing import Final

from afterword.pipeline.rules.evidence.model import SETUPS, Vote

NEVER: Final = 1 << 63
"""Later than any moment; microseconds."""

_NUMBERS: Final = {setup: number for number, setup in enumerate(SETUPS)}


class Ballot:
    """The decisions of one setup in one stretch of one asset.

    Those that entered first, on one bar, vote with their mean. Whether a later one has this setup
    depends on the prices in between: the mean of all would be worse than chance after a rise, and
    better after a fall, without any effect. Measured with random directions on random walks, six
    decisions a stretch: the mean of all showed 7 of 12 roles a pattern, the first 1 of 25.

    Attributes:
        entry_at: of its first decisions; microseconds.
        n: decisions; count.
        voting: of these, the first ones; the sums are theirs, except the cost.
        moves: sum of their moves.
        bands: sum of their bands.
        bases: sum of their base rates.
        residuals: sum of the known residuals.
        measured: decisions with a known residual; count.
        cost: sum of the known results; None if none is known.
    """

    __slots__ = (
        *("asset", "group", "entry_at", "n", "voting"),
        *("moves", "bands", "bases", "residuals", "measured", "cost"),
    )

    def __init__(self, asset: str, group: "ClassStretch", entry_at: int) -> None:
        self.asset = asset
        self.group = group
        self.entry_at = entry_at
        self.n = self.voting = 0
        self.moves = self.bands = self.bases = self.residuals = 0.0
        self.measured = 0
        self.cost: int | None = None


class ClassStretch:
    """One stretch of a setup: the ballots of all assets that overlap with its first one.

    Attributes:
        setup: number in `SETUPS`.
        exit_at: a stretch that opens before this moment belongs to it; microseconds.
        closes_at: when the last of its decisions has its outcome; microseconds.
    """

    __slots__ = ("ballots", "closes_at", "entry_at", "exit_at", "last_at", "setup")

    def __init__(self, setup: int, entry_at: int, exit_at: int) -> None:
        self.setup = setup
        self.entry_at = self.last_at = entry_at
        self.exit_at = self.closes_at = exit_at
        self.ballots: list[Ballot] = []


class StretchBook:
    """Sorts votes into stretches, and hands out those that closed.

    Votes with one entry may come in any order: of two windows, the shorter ends the stretch.
    """

    def __init__(self) -> None:
        self.assets: dict[str, _AssetStretch] = {}
        self.next_close = NEVER
        """No stretch closes before this moment; microseconds."""
        self._newest: list[ClassStretch | None] = [None] * len(SETUPS)
        self._open: list[ClassStretch] = []

    def add(self, vote: Vote) -> None:
        """Take a vote in; every stretch that closed by its entry was handed out before."""
        _, asset, setup, entry_at, exit_at, move, band, base, residual, cost = vote
        stretch = self.assets.get(asset)
        if stretch is None or entry_at >= stretch.exit_at:
            stretch = self.assets[asset] = _AssetStretch(entry_at, exit_at)
        elif entry_at == stretch.entry_at and exit_at < stretch.exit_at:
            stretch.shorten(exit_at)
        number = _NUMBERS[setup]
        ballot = stretch.ballots.get(number)
        if ballot is None:
            group = self._group(number, entry_at, stretch.exit_at)
            ballot = stretch.ballots[number] = Ballot(asset, group, entry_at)
            group.ballots.append(ballot)
        group = ballot.group
        group.last_at = entry_at
        if exit_at > group.closes_at:
            group.closes_at = exit_at
        ballot.n += 1
        if cost is not None:
            ballot.cost = cost + (ballot.cost or 0)
        if entry_at != ballot.entry_at:
            return
        ballot.voting += 1
        ballot.moves += move
        ballot.bands += band
        ballot.bases += base
        if residual is not None:
            ballot.residuals += residual
            ballot.measured += 1

    def closed(self, by: int) -> list[ClassStretch]:
        """Hand out the stretches that closed by a moment, in a fixed order: by moment and setup."""
        if by < self.next_close:
            return []
        due: list[ClassStretch] = []
        rest: list[ClassStretch] = []
        next_close = NEVER
        for group in self._open:
            closes_at = group.closes_at
            if closes_at <= by:
                due.append(group)
            else:
                rest.append(group)
                if closes_at < next_close:
                    next_close = closes_at
        self._open = rest
        self.next_close = next_close
        if len(due) > 1:
            due.sort(key=_closing)
        return due

    def open_of(self, setup: int) -> list[ClassStretch]:
        """Return the stretches of a setup (its number in `SETUPS`) that are open, by opening."""
        return [group for group in self._open if group.setup == setup]

    def _group(self, setup: int, entry_at: int, exit_at: int) -> ClassStretch:
        """Return the stretch of the class to which a new stretch of an asset belongs."""
        group = self._newest[setup]
        if group is None or entry_at >= group.exit_at:
            group = self._newest[setup] = ClassStretch(setup, entry_at, exit_at)
            self._open.append(group)
            if exit_at < self.next_close:
                self.next_close = exit_at
            return group
        if entry_at == group.entry_at:
            group.exit_at = min(group.exit_at, exit_at)
        if exit_at > group.closes_at:
            group.closes_at = exit_at
        return group


def _closing(group: ClassStretch) -> tuple[int, int, int]:
    return group.closes_at, group.setup, group.entry_at


class _AssetStretch:
    """The newest stretch of one asset; no other decision of the asset enters before its exit."""

    __slots__ = ("ballots", "entry_at", "exit_at")

    def __init__(self, entry_at: int, exit_at: int) -> None:
        self.entry_at = entry_at
        self.exit_at = exit_at
        self.ballots: dict[int, Ballot] = {}

    def shorten(self, exit_at: int) -> None:
        """End at the exit of a shorter window that opened at the same moment."""
        self.exit_at = exit_at
        for ballot in self.ballots.values():
            if ballot.group.entry_at == self.entry_at:
                ballot.group.exit_at = min(ballot.group.exit_at, exit_at)
