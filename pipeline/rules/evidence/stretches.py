"""Stretches: decisions that share a stretch of prices count as one vote, that of the first.

A stretch opens with a decision of one role, asset and setup, takes in every such decision that
enters before its exit, and closes when the last of them has its outcome. Stretches of several
assets in one setup that open on one bar are one stretch of the class. One that opens before the
exit of the last one votes for its asset alone.

So what votes for an asset, or for the class, never overlaps in time: when a bet is made, every
earlier bet of its kind has been decided. Only this makes a product of bets an e-value.
"""

from typing import Final

from afterword.pipeline.rules.evidence.model import SETUPS, Vote

NEVER_US: Final = 1 << 63
"""Later than any moment; microseconds."""

SETUP_NUMBERS: Final = {setup: number for number, setup in enumerate(SETUPS)}
"""The place of each setup in `SETUPS`."""


class Ballot:
    """One stretch of one asset in one setup.

    Its decisions that entered first, on one bar, vote with their mean. Whether a later one has this
    setup depends on the prices in between, so the mean of all leans without any effect: down for
    longs after a rise, which continued where others joined. See decision record 0035.

    Attributes:
        entry_at: of its first decisions; microseconds.
        exit_at: a decision that enters before this moment belongs to it; microseconds.
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
        *("asset", "group", "entry_at", "exit_at", "n", "voting"),
        *("moves", "bands", "bases", "residuals", "measured", "cost"),
    )

    def __init__(self, asset: str, group: "ClassStretch", entry_at: int, exit_at: int) -> None:
        self.asset = asset
        self.group = group
        self.entry_at = entry_at
        self.exit_at = exit_at
        self.n = self.voting = 0
        self.moves = self.bands = self.bases = self.residuals = 0.0
        self.measured = 0
        self.cost: int | None = None

    def copy(self, group: "ClassStretch") -> "Ballot":
        """Return an equal ballot of another stretch."""
        made = Ballot(self.asset, group, self.entry_at, self.exit_at)
        made.n, made.voting, made.measured = self.n, self.voting, self.measured
        made.moves, made.bands, made.bases = self.moves, self.bands, self.bases
        made.residuals, made.cost = self.residuals, self.cost
        return made


class ClassStretch:
    """The ballots of all assets that open on one bar in one setup.

    Attributes:
        setup: number in `SETUPS`.
        is_counted: whether it votes for the class: the last one that does had ended.
        exit_at: end of the longest of its ballots; microseconds.
        closes_at: when the last of its decisions has its outcome; microseconds.
    """

    __slots__ = ("ballots", "closes_at", "entry_at", "exit_at", "is_counted", "last_at", "setup")

    def __init__(self, setup: int, entry_at: int, exit_at: int, is_counted: bool) -> None:
        self.setup = setup
        self.is_counted = is_counted
        self.entry_at = self.last_at = entry_at
        self.exit_at = self.closes_at = exit_at
        self.ballots: list[Ballot] = []

    def copy(self) -> "ClassStretch":
        """Return an equal stretch with ballots of its own."""
        made = ClassStretch(self.setup, self.entry_at, self.exit_at, self.is_counted)
        made.last_at, made.closes_at = self.last_at, self.closes_at
        made.ballots = [ballot.copy(made) for ballot in self.ballots]
        return made


class StretchBook:
    """Sorts votes into stretches, and hands out those that closed.

    Votes with one entry may come in any order: of two windows, the longer ends the stretch.
    """

    def __init__(self) -> None:
        self.assets: dict[str, list[Ballot | None]] = {}
        """The newest ballot of each setup, by asset."""
        self.next_close = NEVER_US
        """No stretch closes before this moment; microseconds."""
        self._newest: list[ClassStretch | None] = [None] * len(SETUPS)
        self._class_ends = [-NEVER_US] * len(SETUPS)
        self._open: list[ClassStretch] = []

    def copy(self) -> "StretchBook":
        """Return an equal book that goes on by itself; stretches that closed change no more."""
        made = StretchBook()
        groups = {id(group): group.copy() for group in self._open}
        ballots = {
            id(ballot): own
            for group in self._open
            for ballot, own in zip(group.ballots, groups[id(group)].ballots, strict=True)
        }
        made.assets = {
            asset: [ballots.get(id(ballot), ballot) for ballot in newest]
            for asset, newest in self.assets.items()
        }
        made.next_close = self.next_close
        made._newest = [groups.get(id(group), group) for group in self._newest]
        made._class_ends = self._class_ends.copy()
        made._open = list(groups.values())
        return made

    def add(self, vote: Vote) -> None:
        """Take a vote in; every stretch that closed by its entry was handed out before."""
        _, asset, setup, entry_at, exit_at, move, band, base, residual, cost, _ = vote
        number = SETUP_NUMBERS[setup]
        ballots = self.assets.get(asset)
        if ballots is None:
            ballots = self.assets[asset] = [None] * len(SETUPS)
        ballot = ballots[number]
        if ballot is None or entry_at >= ballot.exit_at:
            group = self._group(number, entry_at, exit_at)
            ballot = ballots[number] = Ballot(asset, group, entry_at, exit_at)
            group.ballots.append(ballot)
        else:
            group = ballot.group
            group.last_at = entry_at
        if exit_at > group.closes_at:
            group.closes_at = exit_at
        ballot.n += 1
        if cost is not None:
            ballot.cost = cost + (ballot.cost or 0)
        if entry_at != ballot.entry_at:
            return
        if exit_at > group.exit_at:
            self._lengthen(group, exit_at)
        if exit_at > ballot.exit_at:
            ballot.exit_at = exit_at
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
        next_close = NEVER_US
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

    def count_open(self) -> list[int]:
        """Return how many stretches of each setup are open."""
        counts = [0] * len(SETUPS)
        for group in self._open:
            counts[group.setup] += 1
        return counts

    def _group(self, setup: int, entry_at: int, exit_at: int) -> ClassStretch:
        """Return the stretch of the class in which a new stretch of an asset opens."""
        group = self._newest[setup]
        if group is not None and group.entry_at == entry_at:
            return group
        is_counted = entry_at >= self._class_ends[setup]
        if is_counted:
            self._class_ends[setup] = exit_at
        group = self._newest[setup] = ClassStretch(setup, entry_at, exit_at, is_counted)
        self._open.append(group)
        if exit_at < self.next_close:
            self.next_close = exit_at
        return group

    def _lengthen(self, group: ClassStretch, exit_at: int) -> None:
        group.exit_at = exit_at
        if group.is_counted:
            self._class_ends[group.setup] = exit_at


def _closing(group: ClassStretch) -> tuple[int, int, int]:
    return group.closes_at, group.setup, group.entry_at
