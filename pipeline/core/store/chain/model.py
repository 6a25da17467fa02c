"""What a check for edits by other programs reports."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

EditKind = Literal[
    # of one row
    "changed",
    "removed",
    "added",
    "reordered",
    "replayed",
    # of the chain
    "chain",
    "no chain",
    "older copy",
    "key",
]
"""What another program did."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit that Afterword did not make.

    Args:
        table: of the row; empty if it is about the chain.
        row: its id; None where its key is the only name, and it is gone.
        uid: its public name, if it has one and is there.
        what: the edit.
        says: what was found, as a sentence.
        after: the last moment at which the row was as Afterword wrote it; None if not known.
        before: the first moment at which it was not; the moment of the check if it still is so.
    """

    table: str
    row: int | None
    uid: str | None
    what: EditKind
    says: str
    after: datetime | None
    before: datetime


@dataclass(frozen=True, slots=True)
class ChainCheck:
    """The result of checking one group for edits by other programs.

    Args:
        since: from when on its rows are covered; None if no chain has begun.
        blocks: how many blocks the chain has; count.
        head: the link of the last one, in hexadecimal digits: note it elsewhere to compare.
        rows: how many rows are covered; count.
        anchors: how many anchors of `instance.sqlite` were compared; count.
        anchored_at: the last anchor; None without one. Later cuts of the chain's end are not told.
        edits: what other programs did.
    """

    group: str
    since: datetime | None
    blocks: int
    head: str
    rows: int
    anchors: int
    anchored_at: datetime | None
    edits: tuple[Edit, ...]
