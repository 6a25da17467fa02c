"""The record of one methodology, brought forward vote by vote instead of counted anew.

Stretches in which nothing is expected to change are counted once and forgotten. The last of them is
kept as long as the one after it waits: with bars of different lengths a later vote may still enter
it. A vote that would change a forgotten one is refused, and the caller begins anew.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from afterword.pipeline.rules.evidence.joining import stretches_of
from afterword.pipeline.rules.evidence.method_record import (
    MethodRecord,
    MethodStretch,
    MethodTally,
    MethodVote,
    stretch_of,
    vote_order,
)

_ALWAYS: Final = 1 << 62


_Place = tuple[int, str, int, bool, bool, float, int]
"""The order of a vote among others, and its key, which makes it the only one."""


class _KeptVote(NamedTuple):
    """A vote of a stretch that may change.

    Args:
        waits: whether another outcome is expected.
    """

    place: _Place
    waits: bool


class MethodProgress:
    """The votes of a methodology that may still change, and the count of all before.

    Args:
        evidence_from: see `method_record`; `graduated_at` likewise.
    """

    def __init__(self, evidence_from: int = 0, graduated_at: int | None = None) -> None:
        self._evidence_from = evidence_from
        self._tally = MethodTally(graduated_at)
        self._has_voted = False
        self._ends = -_ALWAYS
        """Exit of the last stretch that is forgotten."""
        self._votes: list[tuple[_Place, MethodVote]] = []
        """Those of later stretches, in their order."""
        self._kept: dict[int, _KeptVote] = {}
        self._waiting: list[int] = []
        """Entries of those that wait, ascending."""

    def __contains__(self, key: int) -> bool:
        """Say whether a vote can be replaced or taken out."""
        return key in self._kept

    def put(self, key: int, vote: MethodVote, *, waits: bool) -> bool:
        """Add a vote, or replace the one with its key; False if a forgotten stretch changes by it.

        Args:
            key: unique among all votes of the methodology, also those that are forgotten.
            waits: whether another outcome is expected.

        Raises:
            ValueError: the exit is not after the entry.
        """
        if vote.exit_at <= vote.entry_at:
            raise ValueError(f"the exit of a vote on {vote.asset} must be after its entry")
        self.drop(key)
        if vote.entry_at < self._ends:
            return False
        place = (*vote_order(vote), key)
        insort(self._votes, (place, vote))
        self._kept[key] = _KeptVote(place, waits)
        if waits:
            insort(self._waiting, vote.entry_at)
        return True

    def drop(self, key: int) -> None:
        """Take a vote out, if it is there."""
        vote = self._kept.pop(key, None)
        if vote is None:
            return
        at = bisect_left(self._votes, (vote.place,))
        if vote.waits:
            del self._waiting[bisect_left(self._waiting, self._votes[at][1].entry_at)]
        del self._votes[at]

    def settle(self) -> tuple[MethodRecord, bool]:
        """Return the record, and whether the methodology ever cast a vote; forget what is over."""
        stretches = list(self._stretches())
        over = self._over([one for _, one in stretches])
        for _, stretch in stretches[:over]:
            self._count(self._tally, stretch)
            self._has_voted = self._has_voted or stretch.voted > 0
        if over:
            until, last = stretches[over - 1]
            self._forget(until, last.exit_at)
        tally = self._tally.copy()
        for _, stretch in stretches[over:]:
            self._count(tally, stretch)
        voted = any(one.voted for _, one in stretches[over:])
        return tally.record(), self._has_voted or voted

    def _over(self, stretches: Sequence[MethodStretch]) -> int:
        """Return how many of the first stretches are over: no vote of the next one waits."""
        first = self._waiting[0] if self._waiting else _ALWAYS
        ended = sum(one.exit_at <= first for one in stretches)
        return max(ended - 1, 0)

    def _stretches(self) -> Iterator[tuple[int, MethodStretch]]:
        """Yield the stretches, each with the place of the first vote after it."""
        until = 0
        for stretch in stretches_of(vote for _, vote in self._votes):
            until += stretch.n
            yield until, stretch_of(stretch.first, stretch.n, stretch.ends_at)

    def _count(self, tally: MethodTally, stretch: MethodStretch) -> None:
        if stretch.entry_at >= self._evidence_from:
            tally.add(stretch)

    def _forget(self, count: int, ends: int) -> None:
        for place, _ in self._votes[:count]:
            del self._kept[place[-1]]
        del self._votes[:count]
        self._ends = ends
