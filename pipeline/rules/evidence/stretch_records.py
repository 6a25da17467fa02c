"""The stretches of one setup one by one: which decisions are in each, and how it voted."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from afterword.pipeline.rules.evidence.model import Setup, Vote
from afterword.pipeline.rules.evidence.stretches import SETUP_NUMBERS, ClassStretch, StretchBook
from afterword.pipeline.rules.evidence.totals import SetupTotals


@dataclass(frozen=True, slots=True)
class StretchRecord:
    """One stretch of a class of assets.

    Args:
        entry_at: of its first decisions; microseconds.
        exit_at: end of the longest of its first decisions; microseconds.
        is_counted: whether it is one of the effective n, if it voted; else it overlaps the one
            before and votes for its assets alone.
        vote: share of its assets that were right; None if all stayed inside the band.
        first: decisions that vote, by id.
        joined: decisions that entered later and do not vote, by id.
    """

    entry_at: int
    exit_at: int
    is_counted: bool
    vote: float | None
    first: frozenset[int]
    joined: frozenset[int]


@dataclass(slots=True)
class _Members:
    group: ClassStretch
    first: set[int] = field(default_factory=set)
    joined: set[int] = field(default_factory=set)


def stretch_records(setup: Setup, votes: Iterable[Vote]) -> list[StretchRecord]:
    """Return the stretches of a setup, the oldest first.

    Args:
        votes: by entry; those of other setups are left out.
    """
    book = StretchBook()
    records: dict[int, _Members] = {}
    for vote in votes:
        if vote.setup != setup:
            continue
        book.add(vote)
        ballot = book.assets[vote.asset][SETUP_NUMBERS[setup]]
        assert ballot is not None  # the vote was added to it
        members = records.setdefault(id(ballot.group), _Members(ballot.group))
        is_first = vote.entry_at == ballot.entry_at
        (members.first if is_first else members.joined).add(vote.subject)
    return [_record(setup, one) for one in records.values()]


def _record(setup: Setup, of: _Members) -> StretchRecord:
    cast = SetupTotals(setup).add(of.group)
    hits = sum(is_hit for _, is_hit, _ in cast)
    return StretchRecord(
        of.group.entry_at,
        of.group.exit_at,
        of.group.is_counted,
        hits / len(cast) if cast else None,
        frozenset(of.first),
        frozenset(of.joined),
    )
